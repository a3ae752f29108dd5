"""Record seed 002's replay fixture anew, after a prompt has changed.

The replies come from the script in ``data/systems/products.json``, so the
recording is a scripted one; a replay finds each call by its digest.
"""

import json
import tempfile
from pathlib import Path

from reflectlab.course import systems
from reflectlab.models.recorded import RecordedModel
from reflectlab.models.scripted import ScriptedModel
from reflectlab.paths import data_path

FIXTURE = "product_replay.jsonl"


def record(path):
    """Run the kettle's script through a recording at ``path``."""
    products = systems.load("products")
    run = products["runs"]["kettle"]
    kettle = next(p for p in products["products"] if p["id"] == "kettle")
    replies = [text for pair in zip(run["writer"], run["critic"], strict=True)
               for text in pair]
    model = RecordedModel(path, ScriptedModel(replies, strict=True),
                          mode="record")
    systems.product_agent(model, verbose=False).run(
        systems.product_requirements(kettle))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, FIXTURE)
        record(path)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
    # No clock in a committed file: the same script, the same bytes.
    text = "".join(json.dumps(line | {"at": 0, "seconds": 0}) + "\n"
                   for line in lines)
    (data_path("systems") / FIXTURE).write_text(text, "ascii")


if __name__ == "__main__":
    main()
