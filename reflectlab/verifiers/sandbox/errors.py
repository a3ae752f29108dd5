"""The draft's exceptions, as the nearest classes that the tests can name."""

import builtins
import re
import sys

import modules
import reports
import wire

BUILTIN = {name: cls for name, cls in vars(builtins).items()
           if isinstance(cls, type) and issubclass(cls, BaseException)}


class Errors:
    """Exception classes by the names under which the draft tells them.

    A built-in class has its plain name, any other "module:name".
    """

    def __init__(self):
        self.classes = dict(BUILTIN)

    def known(self, name):
        """The class that the tests can name, or None."""
        module, _, cls = name.rpartition(":")
        if name not in self.classes and module in sys.modules and (
                modules.computes(module.lstrip("_"))
                # A test that is told to skip would count as passed.
                and not module.startswith("unittest")):
            found = vars(sys.modules[module]).get(cls)
            if isinstance(found, type) and issubclass(found, Exception):
                self.classes[name] = found
        return self.classes.get(name)

    def nearest(self, lineage):
        return next(filter(None, map(self.known, lineage)))

    def define(self, name, lineage):
        """The class for one that the draft binds to ``name``."""
        if not self.known(lineage[0]):
            self.classes[lineage[0]] = type(name, (self.nearest(lineage),),
                                            {})
        return self.classes[lineage[0]]

    def rebuild(self, raised):
        """An exception for the tests, and what to tell of it."""
        cls = self.nearest(raised["lineage"])
        text = str(raised["text"])[:reports.LIMIT]
        args = wire.Unpacker().unpack(raised["args"])
        try:
            exc = cls(*args)
        except Exception:  # a class with a signature of its own
            exc = cls.__new__(cls, *args)
        for key, value in raised["attributes"].items():
            vars(exc)[key] = wire.Unpacker().unpack(value)
        if isinstance(exc, ImportError):  # ends in the path of a module
            text = re.sub(r" \([^()]*[/\\][^()]*\)$", "", text)
        return exc, {"name": str(raised["name"]), "text": text,
                     "line": str(raised["line"])}
