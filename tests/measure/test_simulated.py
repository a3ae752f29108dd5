import pytest

from reflectlab import Population, measure_delta
from reflectlab.measure.simulated import is_right, load_published
from reflectlab.messages import problems

FLIPS = load_published("flips")


@pytest.mark.parametrize("row", FLIPS, ids=lambda r: (
    f"{r['model']} {r['dataset']}"))
def test_published_flips_land_on_the_published_accuracies(row):
    p = Population.from_flips(*(row[x] / 100 for x in (
        "first", "right_to_wrong", "wrong_to_right")))
    r = measure_delta(p.make_agent, p.cases(600))
    for which, published in (("first", row["first"]), ("final", row["final"]),
                             ("broken", row["right_to_wrong"]),
                             ("fixed", row["wrong_to_right"])):
        rate = r.rate(which)
        assert rate.low <= published / 100 <= rate.high, which
    assert r.stop_reasons == {"budget: rounds exhausted": 600}


def test_the_same_seed_gives_the_same_report_and_another_another():
    def report(seed):
        p = Population(0.4, 0.7, 0.3, 0.5, 0.2, seed=seed)
        return measure_delta(p.make_agent, p.cases(60), trials=2)
    assert report(1) == report(1) != report(2)
    rows = report(1).rows
    assert [r.first for r in rows[::2]] != [r.first for r in rows[1::2]]


def test_the_messages_are_legal_and_hold_the_draft(monkeypatch):
    from reflectlab.measure import simulated
    seen = []
    for cls in (simulated.SimulatedWriter, simulated.SimulatedCritic):
        original = cls.complete

        def spy(self, *, system, messages, original=original):
            seen.append(problems(messages))
            return original(self, system=system, messages=messages)
        monkeypatch.setattr(cls, "complete", spy)
    p = Population(0.5, 1, 1, 0.5, 0.5, revisions=2)
    p.make_agent(p.cases(1)[0]).run("task")
    assert len(seen) == 6 and not any(seen)


def test_with_a_sound_verifier_nothing_is_broken():
    p = Population(0.4, 0.7, 1, 0.5, 0.9, revisions=3, verified=True)
    r = measure_delta(p.make_agent, p.cases(200))
    assert r.broken == 0 and r.fixed > 20
    blind = Population(0.4, 0.7, 1, 0.5, 0.9, revisions=3)
    assert measure_delta(blind.make_agent, blind.cases(200)).broken > 20


def test_the_verifier_reads_the_last_line_only():
    assert is_right("simulated draft 1\nsimulated answer: right").ok
    assert not is_right("simulated answer: right\nno").ok
    assert is_right("x").signal


def test_published_numbers_are_numbers():
    row = load_published("judges")[0]
    assert (row["k"], row["n"], row["percent"]) == (38, 45, 84.4)
    with pytest.raises(FileNotFoundError, match="poems.csv"):
        load_published("poems")
