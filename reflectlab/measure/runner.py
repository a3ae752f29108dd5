"""Many independent pieces of work over any executor."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from typing import Any

WINDOW = 64     # items in flight: memory stays flat however many there are


def run_each(work: Callable, items: Sequence, *,
             executor: Executor | None = None, progress: bool = False,
             label: str = "") -> Iterator[tuple[int, Any]]:
    """Yield (index, ``work(item)``) as the items get done.

    Args:
        work: called with one item; what it raises ends the iteration.
        items: the pieces of work.
        executor: any ``concurrent.futures.Executor``; None works here, one
            after the other.
        progress: show a bar with calls and spend so far, in a notebook or a
            terminal.
        label: the bar's text.

    Raises:
        TypeError: for processes, when ``work`` can't be sent to them.
        RuntimeError: when a worker process died.
    """
    done = (_serial if executor is None else _spread)(work, items, executor)
    if not progress:
        yield from done
        return
    from tqdm.auto import tqdm
    calls, dollars = 0, 0.0
    with tqdm(total=len(items), desc=label) as bar:
        for i, result in done:
            calls += getattr(result, "calls", 1)
            spent = getattr(result, "dollars", None)
            dollars = None if None in (dollars, spent) else dollars + spent
            cost = "cost unknown" if dollars is None else f"${dollars:.4f}"
            bar.set_postfix_str(f"{calls} calls, {cost}")
            bar.update()
            yield i, result


def _serial(work, items, _executor):
    for i, item in enumerate(items):
        yield i, work(item)


def _spread(work, items, executor):
    if isinstance(executor, ProcessPoolExecutor):
        _require_portable(work, items)
    waiting = iter(enumerate(items))
    running: dict[Future, int] = {}
    try:
        while True:
            while len(running) < WINDOW and (next_ := next(waiting, None)):
                running[executor.submit(work, next_[1])] = next_[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenProcessPool as exc:
        raise RuntimeError(
            "a worker process died. On macOS, Windows and Python 3.14 it "
            "also dies of a function defined in a notebook or at the "
            "prompt: put it in a module, or use threads") from exc
    finally:
        for future in running:
            future.cancel()


def _require_portable(work, items) -> None:
    """Fail before the first item when processes can't be handed the work."""
    try:
        pickle.dumps((work, items[:1]))
    except Exception as exc:        # pickle raises half a dozen kinds
        raise TypeError(
            f"this can't be sent to another process ({exc}): use functions "
            "and classes defined at the top of a module, no lambda and no "
            "function within a function, or use threads") from exc
