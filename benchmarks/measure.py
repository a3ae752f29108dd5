"""What the harness costs: python benchmarks/measure.py

Three questions, answered as ratios: how much a case costs beyond a bare loop
over the agent, how cost and memory grow from 100 to 10,000 cases, and what
the executors make of it. All cases are simulated, so nothing but the harness
and the loop is timed.
"""

import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from reflectlab import Population, measure_delta

POPULATION = Population(base_rate=0.3, catch=0.6, false_alarm=0.3, fix=0.5,
                        break_=0.2, revisions=2)


def seconds(work):
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def bare_loop(cases):
    """What one would write by hand: run, and look at both drafts."""
    flips = 0
    for case in cases:
        result = POPULATION.make_agent(case).run(case.requirements)
        flips += (case.verifier(result.trace[0].draft).ok
                  != case.verifier(result.output).ok)
    return flips


def harness(cases, executor=None):
    """The same with the harness."""
    return measure_delta(POPULATION.make_agent, cases, executor=executor)


def overhead():
    """Harness against bare loop, best of three each."""
    cases = POPULATION.cases(1000)
    bare = min(seconds(lambda: bare_loop(cases)) for _ in range(3))
    ours = min(seconds(lambda: harness(cases)) for _ in range(3))
    print(f"bare loop  {1000 * bare:8.1f} us a case")
    print(f"harness    {1000 * ours:8.1f} us a case, {ours / bare:.2f} times")


def growth():
    """Seconds and peak memory; the report's rows are part of the peak."""
    print("\n cases  seconds  us a case  peak MB  report MB")
    for n in (100, 1000, 10_000):
        cases = POPULATION.cases(n)
        spent = seconds(lambda cases=cases: harness(cases))
        tracemalloc.start()
        report = harness(cases)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{report.n:6}  {spent:7.2f}  {1e6 * spent / n:9.0f}  "
              f"{peak / 1e6:7.2f}  {kept / 1e6:9.2f}")


def executors():
    """1,000 cases serially, over threads and over processes."""
    cases = POPULATION.cases(1000)
    serial = seconds(lambda: harness(cases))
    print(f"\nserial     {serial:.2f} s")
    for name, pool in (("threads", ThreadPoolExecutor),
                       ("processes", ProcessPoolExecutor)):
        with pool(2) as executor:
            spent = seconds(lambda: harness(cases, executor))
        print(f"{name:9}  {spent:.2f} s, {spent / serial:.2f} times serial")
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        print("dask       not installed: pip install reflectlab[scale]")
        return
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                      dashboard_address=None) as cluster, \
            Client(cluster) as client:
        executor = client.get_executor(pure=False)
        spent = seconds(lambda: harness(cases, executor))
    print(f"dask       {spent:.2f} s, {spent / serial:.2f} times serial")


if __name__ == "__main__":
    overhead()
    growth()
    executors()
