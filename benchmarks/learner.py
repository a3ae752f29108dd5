"""What one learner needs of a hub: python benchmarks/learner.py

Runs each notebook from top to bottom in a kernel of its own, and watches the
kernel with everything that it starts: the most memory held at once, and the
processor time. The JupyterLab server of a learner comes on top; it is
measured last, idle.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"


class Watch(threading.Thread):
    """Samples a process and its descendants until told to stop."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.root, self.peak, self.done = psutil.Process(pid), 0, False

    def family(self):
        return [self.root, *self.root.children(recursive=True)]

    def memory(self):
        """Bytes; pages that forks share are counted once (PSS)."""
        total = 0
        for process in self.family():
            try:
                total += process.memory_full_info().pss
            except (psutil.Error, AttributeError):
                continue
        return total

    def cpu(self):
        """Seconds so far, ended children included."""
        times = []
        for process in self.family():
            try:
                times.append(sum(process.cpu_times()[:4]))
            except psutil.Error:
                continue
        return sum(times)

    def run(self):
        while not self.done:
            self.peak = max(self.peak, self.memory())
            time.sleep(0.1)


def measure(path):
    """Peak megabytes, processor seconds and wall seconds of a notebook."""
    os.environ.pop("REFLECTLAB_LIVE", None)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=120,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(FOLDER)}})
    start = time.perf_counter()
    with client.setup_kernel():
        watch = Watch(client.km.provisioner.pid)
        watch.start()
        for n, cell in enumerate(notebook.cells):
            client.execute_cell(cell, n)
        watch.done = True
        watch.join()
        spent = watch.cpu()
    return watch.peak / 2**20, spent, time.perf_counter() - start


def server():
    """Megabytes of a JupyterLab server that nobody has opened yet."""
    with tempfile.TemporaryDirectory() as folder:
        lab = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser",
             "--allow-root", "--ServerApp.ip=127.0.0.1",
             "--ServerApp.port=0", f"--ServerApp.root_dir={folder}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(15)
            return Watch(lab.pid).memory() / 2**20
        finally:
            lab.terminate()
            lab.wait(30)


def main():
    print("notebook                      peak MB  CPU s  wall s")
    for path in sorted(FOLDER.glob("0*.ipynb")):
        peak, spent, wall = measure(path)
        print(f"{path.name:29} {peak:7.0f} {spent:6.1f} {wall:7.1f}")
    print(f"{'JupyterLab server, idle':29} {server():7.0f}")


if __name__ == "__main__":
    main()
