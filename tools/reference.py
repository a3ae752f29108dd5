"""Write docs/reference.md: every public name, from its source.

    python tools/reference.py

Signatures are read from the source text, not from the running objects, so
that the page is the same on every Python.
"""

import ast
import inspect
import sys
from pathlib import Path

import reflectlab

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
HEAD = """# Reference

Every public name: `from reflectlab import NAME`. Generated from the
docstrings by `make reference`; edit those, not this page. How the pieces are
used is shown in the notebooks and in [the recipes](library.md).
"""


def source_of(name):
    """Module (below reflectlab) and syntax tree that define a name.

    A name that was imported where `_HOME` has it is followed to its source.
    """
    value = getattr(reflectlab, name)
    module = getattr(value, "__module__", None)
    if not str(module).startswith("reflectlab."):
        module = f"reflectlab.{reflectlab._WHERE[name]}"
    text = Path(sys.modules[module].__file__).read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign):
            names = [getattr(target, "id", "") for target in node.targets]
        else:
            names = [getattr(node, "name", "")]
        if name in names:
            return module.removeprefix("reflectlab."), node
    raise LookupError(f"{name} is not defined in {module}")


def signature(node):
    """A function's head, as one would write it."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    arguments = ast.unparse(node.args)
    for own in ("self, ", "cls, ", "self", "cls"):
        if arguments.startswith(own):
            arguments = arguments[len(own):]
            break
    return f"{node.name}({arguments}){returns}"


def is_property(node):
    return any(getattr(mark, "id", "") == "property"
               for mark in node.decorator_list)


def fields(node):
    """The fields of a dataclass, as arguments."""
    return [ast.unparse(each) for each in node.body
            if isinstance(each, ast.AnnAssign)
            and not each.target.id.startswith("_")]


def call_of(node):
    """How a class is called."""
    for each in node.body:
        if getattr(each, "name", "") == "__init__":
            return signature(each).replace("__init__", node.name, 1)
    if fields(node):
        return f"{node.name}({', '.join(fields(node))})"
    return f"class {node.name}({', '.join(map(ast.unparse, node.bases))})"


def methods(node):
    """A line for each public method and property."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith(
                "_"):
            what = each.name if is_property(each) else signature(each)
            said = " ".join((ast.get_docstring(each) or "").split("\n\n")[0]
                            .split())
            yield f"- `.{what}`" + (f": {said}" if said else "")


def entry(name):
    """One name: where it is from, how it is called, what it says."""
    module, node = source_of(name)
    lines = [f"## {name}", "", f"*reflectlab.{module}*", ""]
    if isinstance(node, ast.Assign):
        return "\n".join([*lines, f"```python\n{ast.unparse(node)}\n```", ""])
    call = call_of(node) if isinstance(node, ast.ClassDef) else signature(node)
    lines += ["```python", call, "```", ""]
    first, _, rest = (ast.get_docstring(node) or "").partition("\n\n")
    lines += [first, ""]
    if rest:
        lines += ["```text", inspect.cleandoc(rest), "```", ""]
    if isinstance(node, ast.ClassDef):
        lines += [*methods(node), ""]
    return "\n".join(lines)


def page():
    """The whole page."""
    return "\n".join([HEAD, *(entry(name) for name in reflectlab.__all__)]
                     ).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8", newline="\n")
    print(f"{PAGE.relative_to(ROOT)}: {len(reflectlab.__all__)} names")
