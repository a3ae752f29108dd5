"""What a notebook builds is what the package holds, to the letter.

A learner builds a version in the notebook and imports it in the next one.
Were the two to drift apart, the text would describe code that isn't run.
"""

import ast
import copy
import functools

import nbformat
import pytest

import gate
import notebooks

# At least these must be built in the notebook, so that nothing is compared
# with nothing.
BUILT = {
    "01_shared_history": ["reflect_v1"],
    "02_mirrored_histories": ["reflect_v2"],
    "03_stopping_rule": ["reflect_v3", "is_stop"],
    "04_measured": ["reflect_verified"],
    "05_assembled_agent": [
        "Caller._complete",
        "Checker._check",
        "ReflectionAgent._stalled",
        "ReflectionAgent._finish",
        "ReflectionAgent.run",
    ],
}
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_docstrings(node):
    """A copy of a function or class with every docstring taken out."""
    node = copy.deepcopy(node)
    for part in ast.walk(node):
        if isinstance(part, (*FUNCTION, ast.ClassDef)):
            if ast.get_docstring(part, clean=False) is not None:
                del part.body[0]
    return node


def shape(node, name):
    """The syntax tree as text, under the name it is known by."""
    node = without_docstrings(node)
    node.name = name
    if isinstance(node, ast.ClassDef):
        # Methods are compared one by one: a notebook adds them bit by bit.
        node.body = [n for n in node.body if not isinstance(n, FUNCTION)]
    return ast.dump(node)


def definitions(source):
    """List (qualified name, shape) for a module's or notebook's source.

    ``Class.method = function`` renames the function defined before it. A
    function whose body is ``...`` is a stub for the learner, not a version.
    """
    tree = ast.parse(source)
    attached = {f for node in tree.body for _, _, f in attachments(node)}
    functions = {}
    found = []

    def add(node, prefix=""):
        if isinstance(node, FUNCTION) and not is_stub(node):
            found.append((prefix + node.name, shape(node, node.name)))
        if isinstance(node, ast.ClassDef):
            found.append((prefix + node.name, shape(node, node.name)))
            for part in node.body:
                add(part, f"{prefix}{node.name}.")

    for node in tree.body:
        if isinstance(node, FUNCTION) and node.name in attached:
            functions[node.name] = node
        else:
            add(node)
        for owner, method, function in attachments(node):
            if function in functions:
                found.append(
                    (f"{owner}.{method}", shape(functions[function], method))
                )
    return found


def is_stub(function):
    body = without_docstrings(function).body
    return all(
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Constant)
        and part.value.value is ...
        for part in body
    )


def attachments(node):
    """(class, method, function) of every ``Class.method = function``.

    ``A.f, A.g = f, g`` are two of them.
    """
    if not isinstance(node, ast.Assign):
        return
    targets, values = [node.targets[0]], [node.value]
    if isinstance(targets[0], ast.Tuple) and isinstance(values[0], ast.Tuple):
        targets, values = targets[0].elts, values[0].elts
    for target, value in zip(targets, values):
        if (
            isinstance(value, ast.Name)
            and isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
        ):
            yield target.value.id, target.attr, value.id


def shapes_of(sources):
    """Qualified name -> the shapes it has in these modules."""
    shapes = {}
    for source in sources:
        for name, found in definitions(source):
            shapes.setdefault(name, set()).add(found)
    return shapes


@functools.cache
def package():
    paths = sorted((notebooks.ROOT / "reflectlab").rglob("*.py"))
    return shapes_of(path.read_text("utf-8") for path in paths)


def compare(source, shapes):
    """Return (names that agree, names that differ) of a notebook's code."""
    same, different = set(), set()
    for name, found in definitions(source):
        if name in shapes:
            (same if found in shapes[name] else different).add(name)
    return same, different


def code_of(notebook):
    return "\n".join(cell.source for cell in gate.code_cells(notebook))


@pytest.mark.parametrize("name", BUILT)
def test_notebook_and_package_agree(name):
    path = notebooks.ROOT / "notebooks" / f"{name}.ipynb"
    source = code_of(nbformat.read(path, as_version=4))
    same, different = compare(source, package())
    assert different == set()
    assert set(BUILT[name]) <= same


PACKAGE = '''
def _step():
    pass

def double(x):
    """Twice x."""
    return 2 * x

class Counter(Base):
    start = 0

    def step(self, by=1):
        """Count."""
        return self.start + by
'''


def agree(source):
    return compare(source, shapes_of([PACKAGE]))


def test_docstrings_and_comments_may_differ():
    source = "def double(x):\n    # here\n    return 2 * x"
    assert agree(source) == ({"double"}, set())


@pytest.mark.parametrize(
    "attach", ["Counter.step = _step", "Counter.a, Counter.step = a, _step"]
)
def test_attached_method_is_compared(attach):
    source = "def _step(self, by=1):\n    return self.start + by\n" + attach
    assert agree(source) == ({"Counter.step"}, set())
    assert agree(source.replace("+", "-")) == (set(), {"Counter.step"})


@pytest.mark.parametrize(
    "source, different",
    [
        ("def double(x):\n    return x * 2", {"double"}),
        ("def double(x, y=1):\n    return 2 * x", {"double"}),
        ("class Counter(Base):\n    start = 1", {"Counter"}),
        ("class Counter:\n    start = 0", {"Counter"}),
        (
            "class Counter(Base):\n    start = 0\n"
            "    def step(self, by=2):\n        return self.start + by",
            {"Counter.step"},
        ),
    ],
)
def test_difference_is_found(source, different):
    assert agree(source)[1] == different


def test_stub_is_not_a_version():
    source = 'def double(x):\n    """Twice x."""\n    ...'
    assert agree(source) == (set(), set())
