"""Serial, threads, processes, dask: the same rows in the same order."""

import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from threading import Thread
from types import SimpleNamespace

import pytest

from reflectlab import Population, calibrate, load_suite, measure_delta
from reflectlab.measure.runner import run_each

POPULATION = Population(0.4, 0.7, 0.3, 0.5, 0.2)
CASES = POPULATION.cases(30)


def expected():
    return measure_delta(POPULATION.make_agent, CASES, trials=2)


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_the_same_report_in_the_same_order(pool):
    with pool(2) as executor:
        assert measure_delta(POPULATION.make_agent, CASES, trials=2,
                             executor=executor) == expected()


def test_what_cannot_travel_is_said_before_anything_runs():
    with ProcessPoolExecutor(1) as executor:
        with pytest.raises(TypeError, match="top of a module, no lambda"):
            measure_delta(lambda case: None, CASES, executor=executor)
        with pytest.raises(TypeError, match="use threads"):
            calibrate(lambda r, d: True, load_suite("products"),
                      executor=executor)


def die(item):
    os._exit(1)


def test_a_dead_worker_process_is_explained():
    with ProcessPoolExecutor(1) as executor:
        with pytest.raises(RuntimeError, match="a worker process died"):
            list(run_each(die, [1, 2], executor=executor))


def test_memory_stays_flat_because_few_items_are_in_flight():
    started = []
    with ThreadPoolExecutor(2) as executor:
        done = run_each(started.append, range(1000), executor=executor)
        for _ in range(10):
            next(done)
        assert len(started) < 100
        done.close()


def test_what_is_left_is_cancelled_when_the_caller_stops():
    with ThreadPoolExecutor(1) as executor:
        started = []

        def work(item):
            started.append(item)
            time.sleep(0.02)
        done = run_each(work, range(500), executor=executor)
        next(done)
        done.close()
        executor.submit(len, "end").result(timeout=30)
        assert len(started) < 30


def test_what_the_work_raises_reaches_the_caller():
    def work(item):
        raise ZeroDivisionError(item)
    for executor in (None, ThreadPoolExecutor(1)):
        with pytest.raises(ZeroDivisionError):
            list(run_each(work, [1, 2], executor=executor))


def test_progress_goes_to_stderr_only(capsys):
    assert list(run_each(len, ["a", "bb"], progress=True, label="words")) == [
        (0, 1), (1, 2)]
    out, err = capsys.readouterr()
    assert out == "" and "words" in err and "2/2" in err


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_with_a_worker_killed_in_mid_run(tmp_path):
    distributed = pytest.importorskip("distributed")
    import dask
    with dask.config.set({"distributed.scheduler.allowed-failures": 10}), \
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True,
                dashboard_address=None, host="127.0.0.1",
                local_directory=str(tmp_path)) as cluster, \
            distributed.Client(cluster) as client:
        pids = client.run(os.getpid)
        cases, log, killed = POPULATION.cases(120), tmp_path / "log", []

        def slow_agent(case):           # a closure may travel here
            time.sleep(0.03)
            return POPULATION.make_agent(case)

        def kill_one_in_mid_run():
            while not log.exists() or len(log.read_text().splitlines()) < 30:
                time.sleep(0.01)
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)
        Thread(target=kill_one_in_mid_run, daemon=True).start()
        report = measure_delta(slow_agent, cases, log=log,
                               executor=client.get_executor(pure=False))
        assert killed
        assert set(client.run(os.getpid).values()) != set(pids.values())
    assert report == measure_delta(POPULATION.make_agent, cases)


@pytest.mark.parametrize("dollars, cost", [
    ((0.25, 0.5), "$0.7500"), ((0.25, None), "cost unknown")])
def test_the_bar_counts_calls_and_spend(capsys, dollars, cost):
    rows = [SimpleNamespace(calls=3, dollars=d) for d in dollars]
    assert [i for i, _ in run_each(lambda row: row, rows, progress=True)] == [
        0, 1]
    assert f"6 calls, {cost}" in capsys.readouterr().err
