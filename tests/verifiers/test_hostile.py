"""Every kind of attack, on every tier, by every user at hand.

An attack fails when the verdict is "not passed", the call doesn't raise,
the pair of control drafts is judged rightly afterwards, and nothing is
left, changed, leaked or reached. On the tier ``process`` some kinds only
end in the right verdict, and some are too harmful to be run at all: both
lists are here.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reflectlab.paths import data_path
from reflectlab.verifiers.sandbox import tiers

pytestmark = pytest.mark.skipif(sys.platform != "linux",
                                reason="the driver reads /proc")

DRIVER = Path(__file__).with_name("driver.py")
WRONG = "def parse_duration(text):\n    return 90\n\n"
# What the tier `process` does not contain; the verdict is right anyway.
VERDICT_ONLY = {"background", "deep_folders", "disk", "files_outside",
                "network", "process_bombs", "secrets"}
NOT_ON_PROCESS = {"killing"}  # it would end the driver
# There from the start of the driver, so that /proc shows it as well.
ENVIRONMENT = dict(os.environ, REFLECTLAB_DUMMY_SECRET="sk-dummy-4711")
PATIENCE = {"background": 0.7, "deep_folders": 0.7}


def attacks():
    """Kind -> list of (name, source), from the data and from here."""
    kinds = {"bad_text": [
        ("NUL", WRONG + "\0"), ("surrogate", WRONG + "\ud800"),
        ("5 MB", WRONG + "#" * 5_000_000), ("form feeds", "\f" * 1000),
        ("byte order mark", "\ufeff" + WRONG), ("nothing", ""),
        ("not text", None), ("bytes", [98]),
    ]}
    for path in sorted(data_path("attacks").glob("*.txt")):
        parts = re.split(r"^# variant: (.*)\n", path.read_text("utf-8"),
                         flags=re.M)
        kinds[path.stem] = [
            (name, WRONG + expand(source))
            for name, source in zip(parts[1::2], parts[2::2], strict=True)]
    return kinds


def expand(source):
    """Fill in what a text file should not hold."""
    blocks = "".join(" " * n + "if 1:\n" for n in range(150))
    source = source.replace("@ESC@", "\x1b").replace("@RLO@", "\u202e")
    source = source.replace("@BLOCKS@", blocks + " " * 150 + "pass")
    return re.sub(r"@REPEAT (\d+) (.+?)@",
                  lambda m: m[2] * int(m[1]), source)


ATTACKS = attacks()


def pythons():
    """User -> a Python and the options that start it as that user."""
    found = {"own": (sys.executable, {})}
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return found
    options = {"user": 65534, "group": 65534, "extra_groups": []}
    for python in (sys.executable, "/usr/bin/python3", "/usr/bin/python3.11",
                   "/usr/local/bin/python3"):
        try:
            probe = subprocess.run(
                [python, "-c", "import sys; assert sys.version_info >= "
                 f"(3, 11); open({str(DRIVER)!r})"], cwd="/",
                capture_output=True, **options)
        except OSError:
            continue
        if probe.returncode == 0:
            return found | {"nobody": (python, options)}
    return found


PYTHONS = pythons()


def attack(kind, tier, user, variants, forking=None):
    """Rows of the driver, one for each variant that it survived."""
    python, options = PYTHONS[user]
    tests = data_path("tasks", "parse_duration", "tests.py")
    good = data_path("tasks", "parse_duration", "draft_3.py")
    job = {"tier": tier, "forking": forking, "timeout": 1.0,
           "drafts": variants, "tests": tests.read_text(),
           "good": good.read_text(), "wrong": WRONG,
           "patience": PATIENCE.get(kind, 0)}
    done = subprocess.run([python, DRIVER], input=json.dumps(job), cwd="/",
                          capture_output=True, text=True, timeout=120,
                          env=ENVIRONMENT, **options)
    assert not done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(kind, tier, user, variants, forking=None):
    rows = attack(kind, tier, user, variants, forking)
    assert [row["name"] for row in rows] == [name for name, _ in variants]
    for row in rows:
        assert row["ok"] is False, row
        assert row["control"] == [True, False], row
        assert row["status"] not in ("passed", "isolation_unavailable"), row
        assert all(c.isprintable() or c == "\n" for c in row["report"]), row
        assert len(row["report"]) < 2100, row
        if tier != "process" or kind not in VERDICT_ONLY:
            assert row["status"] != "verifier_error", row
            assert row["harm"] == [], row


def test_there_are_three_variants_of_each_kind():
    assert len(ATTACKS) > 25
    assert all(len(variants) >= 3 for variants in ATTACKS.values())


@pytest.mark.parametrize("kind", ATTACKS)
def test_one_variant(kind):
    check(kind, tiers.choose()[0], "own", ATTACKS[kind][:1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTACKS)
def test_every_variant(kind):
    jobs = [(kind, tier, user, ATTACKS[kind])
            for tier in tiers.TIERS if not tiers.self_test(tier)
            for user in PYTHONS
            if not (tier == "process" and kind in NOT_ON_PROCESS)]
    jobs += [(*job, False) for job in jobs  # without the fork server
             if job[1:3] == (tiers.choose()[0], "own")]
    with ThreadPoolExecutor(len(jobs)) as pool:
        for finished in [pool.submit(check, *job) for job in jobs]:
            finished.result()
