"""What a verdict costs: python benchmarks/verifier.py

The eight checks of parse_duration on the right draft, four ways, in turns,
so that a busy machine slows all of them. Self-tests of the tiers are not
counted. Two bars, shown with what was measured: the fork server gives at
least twice the verdicts a second of the naive way (one process, exit code
believed), and a cold sealed verdict takes less than three times as long.
"""

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from reflectlab.paths import data_path
from reflectlab.verifiers.sandbox import launch, tiers

TASK = data_path("tasks", "parse_duration")
DRAFT = (TASK / "draft_3.py").read_text("utf-8")
TESTS = (TASK / "tests.py").read_text("utf-8")
TIER = tiers.choose()[0]
TURNS, AT_ONCE, TOGETHER = 30, 4, 80


def floor():
    """Nothing but a Python."""
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)


def naive():
    """Draft and tests in one file, one process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.py"
        path.write_text(f"{DRAFT}\n\n{TESTS}\n", "utf-8")
        subprocess.run([sys.executable, path], check=True,
                       capture_output=True, timeout=10)


def cold():
    """A referee and a sealed process, both started."""
    assert launch.judge(DRAFT, TESTS, 10.0, "referee", TIER, False).ok


def forked():
    """The same two, forked by the server."""
    assert launch.judge(DRAFT, TESTS, 10.0, "referee", TIER, True).ok


def main():
    ways = [floor, naive, cold, forked]
    alone = {way: [] for way in ways}
    rate = {way: [] for way in ways}
    for way in ways:
        way()
    for _ in range(TURNS):
        for way in ways:
            start = time.perf_counter()
            way()
            alone[way].append(time.perf_counter() - start)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in range(3):
            for way in ways:
                start = time.perf_counter()
                jobs = [pool.submit(way) for _ in range(TOGETHER)]
                for job in jobs:
                    job.result()
                rate[way].append(TOGETHER / (time.perf_counter() - start))
    print(f"tier {TIER}; milliseconds for one, verdicts a second with "
          f"{AT_ONCE} threads, each as a multiple of the naive way")
    one = {way: median(alone[way]) for way in ways}
    many = {way: max(rate[way]) for way in ways}
    for way in ways:
        print(f"{way.__name__:7} {one[way] * 1000:7.1f} ms "
              f"{one[way] / one[naive]:5.2f} x  {many[way]:7.0f}/s "
              f"{many[way] / many[naive]:5.2f} x   {way.__doc__}")
    bars = [("fork server, verdicts a second, at least 2",
             many[forked] / many[naive], many[forked] >= 2 * many[naive]),
            ("cold sealed verdict, time, under 3",
             one[cold] / one[naive], one[cold] < 3 * one[naive])]
    for name, value, kept in bars:
        print(f"{'kept  ' if kept else 'MISSED'} {name}: {value:.2f} times "
              "the naive way")
    return not all(kept for *_, kept in bars)


if __name__ == "__main__":
    sys.exit(main())
