"""Plant small defects in a program, and prove which of them are defects.

The operators change one place in the syntax tree, and also inside regular
expressions, which general mutation tools leave alone. A mutant counts as
defective only with an input in hand on which it differs from the reference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..verifiers.tests import run_tests

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
               ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn,
               ast.NotIn: ast.In}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
              ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Mult}
NAMES = {"fullmatch": "match", "match": "search", "any": "all", "all": "any",
         "min": "max", "max": "min", "append": "extend", "sorted": "list"}
DROPPED = ("strip", "lower", "upper", "lstrip", "rstrip", "casefold")
REGEX = {"+": ("*", ""), "*": ("+",), "?": ("",), r"\d": (r"\w",),
         r"\w": (r"\d",), r"\s": (r"\w",), "^": ("",), "$": ("",),
         r"\b": ("",)}


@dataclass(frozen=True)
class Mutant:
    """A program with one change, and the change in words."""

    source: str
    change: str


@dataclass(frozen=True)
class Label:
    """What is known of a mutant: a counterexample, or none in ``tried``."""

    tried: int
    counterexample: str = ""

    @property
    def defective(self) -> bool:
        return bool(self.counterexample)

    def __str__(self) -> str:
        if self.defective:
            return f"defective: {self.counterexample}"
        return f"no difference found in {self.tried} inputs"


def mutants(source: str) -> list[Mutant]:
    """Every program that one operator makes of ``source``, each once."""
    tree = ast.parse(source)
    seen, found = {ast.unparse(tree)}, []
    for index, node in enumerate(ast.walk(tree)):
        for number, _ in enumerate(_changes(node)):
            # A fresh tree each time: the change is made in place.
            copy = ast.parse(source)
            target = list(ast.walk(copy))[index]
            new, change = list(_changes(target))[number]
            _Replace(target, new).visit(copy)
            text = ast.unparse(ast.fix_missing_locations(copy))
            if text not in seen:
                seen.add(text)
                found.append(Mutant(text, f"line {node.lineno}: {change}"))
    return found


def label(mutant: Mutant, reference: str, function: str,
          inputs: Sequence) -> Label:
    """Look for an input on which the mutant differs from the reference.

    Args:
        reference: the right program.
        function: the name of what both define; takes one plain value and
            returns plain data. Each call gets a copy of its own.
        inputs: values to try, in order.

    Raises:
        RuntimeError: the two can't be compared: the reference does not end,
            say, or returns objects of its own.
    """
    draft = f"RIGHT = {reference!r}\nMUTANT = {mutant.source!r}\n" + _COMPARE
    tests = f"print(difference({function!r}, {list(inputs)!r}))"
    verdict = run_tests(draft, tests)
    if verdict.status == "timeout" and not _hangs(reference, function, inputs):
        call = _hangs(mutant.source, function, inputs)
        if call:
            return Label(len(inputs), f"{call} still runs after 10 seconds, "
                         "the reference has ended")
    if not verdict.ok:
        raise RuntimeError(f"can't compare ({mutant.change}): "
                           f"{verdict.report}")
    return Label(len(inputs), verdict.report.removeprefix("the same"))


def _hangs(source: str, function: str, inputs: Sequence) -> str:
    """The call that was running when the time was up, or "" in time."""
    return run_tests(source, f"""for value in {list(inputs)!r}:
    try:
        {function}(value)
    except Exception:
        pass
""").hung_call


_COMPARE = '''
import re
from copy import deepcopy

ATOMS = (type(None), bool, int, float, complex, str, bytes)

def outcome(source, function, value):
    space = {}
    try:
        exec(source, space)
        return "returns", space[function](deepcopy(value))
    except Exception as exc:
        return "raises", type(exc).__name__

def same(a, b):
    """Equal plain data of equal types; order counts where it exists."""
    kind, name = type(a), type(a).__name__
    if name != type(b).__name__:
        return False
    if kind is dict:
        a, b = (sorted(x.items(), key=repr) for x in (a, b))
    elif kind in (set, frozenset):
        if a == b:
            return True
        a, b = (sorted(x, key=repr) for x in (a, b))
    elif kind in ATOMS:
        return repr(a) == repr(b)
    elif kind not in (list, tuple):
        raise TypeError(f"only plain data can be compared, not a {name}")
    return len(a) == len(b) and all(map(same, a, b))

def told(how, what):
    return how + " " + (what if how == "raises" else
                        re.sub(r" at 0x\\w+", "", repr(what)))

def difference(function, inputs):
    space = {}
    exec(RIGHT, space)      # a fault of the reference is no label
    space[function]
    for value in inputs:
        right = outcome(RIGHT, function, value)
        got = outcome(MUTANT, function, value)
        if not same(got, right):
            return (f"{function}({value!r}) {told(*got)}, "
                    f"the reference {told(*right)}")
    return "the same"
'''


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """(new node, words) for each change of ``node``; may alter it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        new = COMPARISONS[type(node.ops[0])]()
        yield (ast.Compare(node.left, [new, *node.ops[1:]],
                           node.comparators), _word(node.ops[0], new))
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        other = ARITHMETIC[type(node.op)]()
        yield ast.BinOp(node.left, other, node.right), _word(node.op, other)
    elif isinstance(node, ast.BoolOp):
        both = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(both, node.values), _word(node.op, both)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, "`not` dropped"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield ast.Constant(value), f"{node.value} becomes {value}"
    elif isinstance(node, ast.Raise):
        yield ast.Pass(), "`raise` dropped"
    elif isinstance(node, ast.Call):
        yield from _call_changes(node)


def _call_changes(node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    function = node.func
    field = "attr" if isinstance(function, ast.Attribute) else "id"
    name = getattr(function, field, "")
    if name in DROPPED and field == "attr":
        yield function.value, f"`.{name}()` dropped"
    if name in NAMES:
        text = ast.unparse(function)
        new = ast.parse(text[:-len(name)] + NAMES[name], mode="eval").body
        yield (ast.Call(new, node.args, node.keywords),
               f"`{name}` becomes `{NAMES[name]}`")
    if (field == "attr" and ast.unparse(function).startswith("re.")
            and node.args and isinstance(node.args[0], ast.Constant)):
        for pattern in regex_changes(node.args[0].value):
            yield (ast.Call(function, [ast.Constant(pattern), *node.args[1:]],
                            node.keywords), f"the pattern becomes {pattern}")


def regex_changes(pattern: str) -> Iterable[str]:
    """Valid patterns with one quantifier, class or anchor changed."""
    for token in re.finditer(r"\\.|\(\?.|\[[^]]*\]|.", pattern):
        for new in REGEX.get(token[0], ()):
            changed = pattern[:token.start()] + new + pattern[token.end():]
            try:
                re.compile(changed)
            except re.error:
                continue
            yield changed


def _word(old, new):
    return f"{type(old).__name__} becomes {type(new).__name__}"


class _Replace(ast.NodeTransformer):
    """Put ``new`` where ``old`` is."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)
