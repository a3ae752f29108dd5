"""Every iteration of every run, in one SQLite file.

The critiques are the most valuable by-product of a loop: a map of the
writer's recurring weaknesses. Here they outlive the run.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from .budget import Usage
from .models.base import redact
from .trace import Result, Round

APPLICATION_ID = 0x52664C62     # "RfLb": marks the file as ours
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE runs (
    run_id INTEGER PRIMARY KEY, task_id TEXT, requirements TEXT NOT NULL,
    started TEXT NOT NULL, stop_reason TEXT, accepted INTEGER,
    verified INTEGER, rounds INTEGER, calls INTEGER, input_tokens INTEGER,
    output_tokens INTEGER, dollars REAL, seconds REAL, result TEXT);
CREATE TABLE attempts (
    run_id INTEGER NOT NULL REFERENCES runs, task_id TEXT,
    attempt INTEGER NOT NULL, input_tokens INTEGER, output_tokens INTEGER,
    passed INTEGER NOT NULL, critique_text TEXT NOT NULL,
    source TEXT NOT NULL, seconds REAL NOT NULL, round TEXT NOT NULL,
    PRIMARY KEY (run_id, attempt));
CREATE TABLE dismissed (complaint TEXT PRIMARY KEY);
"""
# The kind of a task is its id up to the first slash: "parser/duration".
KIND = "substr(task_id, 1, instr(task_id || '/', '/') - 1)"


class RunLog:
    """A log of runs. Threads and processes may share one file.

    Give it to an agent as ``log=``. A run that was killed has its attempts
    and no stop reason; unknown tokens and dollars are NULL, not 0.

    Args:
        path: the file; made when it does not exist.

    Raises:
        ValueError: the file is not a run log of this version, or damaged.
            It is left as it is.
        OSError: the file can't be opened.
    """

    def __init__(self, path) -> None:
        self.path = Path(path)
        try:
            with closing(self._connect()) as db:
                self._prepare(db)
        except sqlite3.OperationalError as exc:
            raise OSError(f"run log {self.path.name}: {exc}; is there such a "
                          "folder, and may you write to it?") from exc
        except sqlite3.DatabaseError as exc:
            raise ValueError(f"{self.path.name} is no run log, or a damaged "
                             f"one ({exc}): name another file") from exc

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        db.row_factory = sqlite3.Row
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Make the tables of a new file; refuse every other kind."""
        if _mark(db) == (0, 0, 0):
            with suppress(sqlite3.OperationalError):    # another process is
                db.execute("PRAGMA journal_mode=WAL")   # doing it just now
            db.execute("BEGIN IMMEDIATE")
            if _mark(db) == (0, 0, 0):
                for statement in SCHEMA.split(";"):
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            db.execute("COMMIT")
        application, version, _ = _mark(db)
        if application != APPLICATION_ID:
            raise ValueError(f"{self.path.name} is a database, but not a run "
                             "log: name another file")
        if version != SCHEMA_VERSION:
            raise ValueError(f"{self.path.name} has version {version} of the "
                             f"run log, this program writes {SCHEMA_VERSION}:"
                             " name another file")
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)

    def begin(self, requirements: str, task_id: str | None = None) -> int:
        """Note that a run starts; returns its number."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return self._write(
            "INSERT INTO runs (task_id, requirements, started) "
            "VALUES (?, ?, ?)", task_id, requirements, now)

    def add(self, run_id: int, round_: Round) -> None:
        """Note a round of a run as it ends."""
        self._write(
            "INSERT INTO attempts SELECT run_id, task_id, ?, ?, ?, ?, ?, ?, "
            "?, ? FROM runs WHERE run_id = ?",
            round_.n, *_tokens(round_.usage), round_.accepted,
            round_.feedback, round_.source, round_.seconds,
            json.dumps(round_.to_dict()), run_id)

    def end(self, run_id: int, result: Result) -> None:
        """Note how a run ended."""
        data = {k: v for k, v in result.to_dict().items() if k != "trace"}
        self._write(
            "UPDATE runs SET stop_reason = ?, accepted = ?, verified = ?, "
            "rounds = ?, calls = ?, input_tokens = ?, output_tokens = ?, "
            "dollars = ?, seconds = ?, result = ? WHERE run_id = ?",
            result.stop_reason, result.accepted, result.verified,
            result.rounds, result.calls, *_tokens(result.usage),
            result.dollars, result.seconds, json.dumps(data), run_id)

    def trace(self, run_id: int) -> list[Round]:
        """The rounds of a run, also of one that was killed."""
        return [Round.from_dict(json.loads(row["round"])) for row in
                self.query("SELECT round FROM attempts WHERE run_id = ? "
                           "ORDER BY attempt", run_id)]

    def result(self, run_id: int) -> Result | None:
        """How a run ended; None when it didn't, or there is no such run."""
        rows = self.query("SELECT result FROM runs WHERE run_id = ? AND "
                          "result IS NOT NULL", run_id)
        trace = [r.to_dict() for r in self.trace(run_id)]
        return Result.from_dict({**json.loads(rows[0]["result"]),
                                 "trace": trace}) if rows else None

    def failing(self, *, min_runs: int = 3, at_most: float = 0.5) -> list:
        """Which kinds of task consistently fail, the worst first.

        Args:
            min_runs: finished runs that a kind must have.
            at_most: share of them that was accepted.

        Returns:
            Dicts with ``kind``, ``runs``, ``accepted`` and ``rounds`` (on
            average). Runs without a task id have no kind.
        """
        return self.query(
            f"SELECT {KIND} AS kind, count(*) AS runs, sum(accepted) AS "
            "accepted, avg(rounds) AS rounds FROM runs WHERE stop_reason IS "
            "NOT NULL AND task_id IS NOT NULL GROUP BY kind HAVING count(*) "
            ">= ? AND sum(accepted) <= ? * count(*) "
            "ORDER BY avg(accepted), kind", min_runs, at_most)

    def dismiss(self, complaint) -> None:
        """Keep a complaint, or a lesson's, out of all later ``lessons``."""
        self._write("INSERT OR IGNORE INTO dismissed VALUES (?)",
                    getattr(complaint, "complaint", complaint))

    def query(self, sql: str, *values) -> list[dict]:
        """The rows of a SELECT over ``runs`` and ``attempts``, as dicts."""
        with closing(self._connect()) as db:
            db.execute("PRAGMA query_only = ON")
            return [dict(row) for row in db.execute(sql, values)]

    def _write(self, sql: str, *values) -> int:
        with closing(self._connect()) as db:
            db.execute("PRAGMA synchronous = NORMAL")   # a kill loses nothing
            return db.execute(sql, [_stored(v) for v in values]).lastrowid


def _mark(db: sqlite3.Connection) -> tuple[int, int, int]:
    return tuple(db.execute(sql).fetchone()[0] for sql in (
        "PRAGMA application_id", "PRAGMA user_version",
        "SELECT count(*) FROM sqlite_master"))


def _tokens(usage: Usage | None) -> tuple[int | None, int | None]:
    if usage is None or usage.unknown_calls:
        return None, None
    return usage.input_tokens, usage.output_tokens


def _stored(value):
    """Text without credentials, and without what UTF-8 can't hold."""
    if isinstance(value, str):
        return redact(value).encode("utf-8", "replace").decode()
    return value
