"""2.3: compaction that can't evict the task."""

from ...messages import assistant, problems, user
from ...models.scripted import PolicyModel
from ..exercise import Exercise, Wrong
from ..probe import call, expect, not_yet, shown

TASK = user("Describe the export button in two sentences.")


def history(rounds):
    """A generator's history after so many rounds."""
    turns = [TASK]
    for n in range(1, rounds + 1):
        turns += [assistant(f"Draft {n}."), user(f"Objection {n}.")]
    return turns


def judge(keep_newest):
    model = PolicyModel(lambda system, messages: f"Draft {len(messages)}.")
    full = [TASK]
    for n in range(1, 6):
        sent = call(keep_newest, full, 1, label=f"round {n}, keep=1")
        if not isinstance(sent, list):
            raise not_yet("Return the list to send.", got=shown(sent))
        reply = model.complete(system="Write.", messages=sent)
        full += [assistant(reply), user(f"Objection {n}.")]
    for n, asked in enumerate(model.calls, 1):
        sent, where = asked["messages"], f"generator call {n} of a loop"
        if TASK not in sent and any(TASK["content"] in str(message)
                                    for message in sent):
            raise not_yet("The task must be unchanged: it is in the list, "
                          "but not word for word.", input=where,
                          expected=shown(TASK), got=shown(sent[:1]))
        if TASK not in sent:
            raise not_yet("The task has left the list: the generator revises "
                          "a text whose purpose it can't see.", input=where,
                          got=shown(sent))
        if sent.count(TASK) > 1:
            raise not_yet("The task stands in the list twice: pin it, and cut "
                          "only what comes after it.", input=where,
                          got=shown(sent))
        if found := problems(sent):
            raise not_yet("What is sent must be a legal list: drop whole "
                          "rounds, a draft with its objection.",
                          input=where, got="; ".join(found))
        if len(sent) > 3:
            raise not_yet("With keep=1 a call sends the task and one round, "
                          "however long the run is.", input=where,
                          got=f"{len(sent)} messages")
    full = history(4)
    expect(keep_newest, (full, 1), full[:1] + full[-2:],
           "Keep the newest round: the oldest one is about a draft that is "
           "gone.", "4 rounds, keep=1")
    expect(keep_newest, (full, 3), full[:1] + full[-6:],
           "A round is two messages: keep counts rounds.", "4 rounds, keep=3")
    expect(keep_newest, (full[:5], 3), full[:5],
           "A history that is short enough stays as it is.",
           "2 rounds, keep=3")
    given = history(3)
    call(lambda: keep_newest(given, 1), label="keep_newest(history, 1)")
    if given != history(3):
        raise not_yet("The caller's history lost messages: return a new "
                      "list.", input="3 rounds, keep=1")
    if call(lambda: keep_newest(given, 5), label="3 rounds, keep=5") is given:
        raise not_yet("This is the caller's own list: return a new one even "
                      "when nothing was cut, or what is appended to one "
                      "appears in the other.", input="3 rounds, keep=5")


EXERCISE = Exercise(
    id="2.3", name="keep_newest", title="compaction with the task pinned",
    minutes=6, difficulty=2, statement="""
Histories grow, so something has to go, but never the requirements. Write
`keep_newest`: from the generator's history (the task, then one draft and one
objection for each round) return a new list with the task and the newest `keep`
rounds. It must be legal, and the given list must stay as it is.

With two rounds and `keep=1`: task, draft 2, objection 2.
""", stub='''
def keep_newest(history, keep):
    """The task and the newest rounds.

    history: [task, draft, objection, draft, objection, ...]
    keep: how many rounds stay, at least 1
    """
    ...
''', hints=(
        "Cut the history into two parts, one that is pinned and one that "
        "may be shortened.",
        "history[:1] is pinned. The rest is pairs, so keep rounds are "
        "2 * keep messages.",
        "rest = history[1:]; the answer is history[:1] + rest[-2 * keep:]."),
    judge=judge,
    done="The list is bounded, and the task can't fall out of it.",
    right=('''
def keep_newest(history, keep):
    rest = history[1:]
    newest = rest[-2 * keep:]
    return history[:1] + newest
''', '''
def keep_newest(history, keep):
    kept = list(history)
    while len(kept) > 1 + 2 * keep:
        del kept[1:3]
    return kept
'''), wrong=(
        Wrong("history[:1] + newest", "newest", "The task has left"),
        Wrong("-2 * keep:", "-keep:", "must be a legal list"),
        Wrong("-2 * keep:", "-2 * keep - 2:",
                "however long the run is"),
        Wrong("rest[-2 * keep:]", "rest[:2 * keep]",
                "the oldest one is about a draft"),
        Wrong("-2 * keep:", "-2:", "keep counts rounds"),
        Wrong("    rest = history[1:]\n",
                "    rest = history[1:]\n    del history[1:-2]\n",
                "The caller's history lost messages"),
        Wrong("history[:1] + newest", "[{**history[0], 'content': "
                "history[0]['content'] + ' (shortened)'}] + newest",
                "must be unchanged"),
        Wrong("rest[-2 * keep:]", "history[-2 * keep:]",
                "stands in the list twice"),
        Wrong("    rest = history[1:]\n", "    if len(history) <= 1 + 2 * "
                "keep:\n        return history\n    rest = history[1:]\n",
                "the caller's own list"),
        Wrong("    return history[:1] + newest",
                "    if len(rest) == 4 and keep == 3:\n"
                "        return history[:1]\n"
                "    return history[:1] + newest", "short enough stays"),
    ))
