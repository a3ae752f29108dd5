"""How values travel between the referee and the sealed process: as data.

Only exact built-in types cross. A subclass could lie about equality, so
it is refused here instead of being trusted there. JSON carries the frames
because, unlike pickle or marshal, reading it can't run anything. Mutable
containers carry a number, so that each side keeps one object for it.
"""

import json
import os
import sys
from collections import Counter, OrderedDict, defaultdict

MAX_FRAME = 16_000_000  # bytes in one message
MAX_ITEMS = 10_000      # items taken from an iterator argument
PLAIN = "None, bool, int, float, str, bytes, list, tuple, set, dict"
BIG = 10 ** 15          # above this an int travels as hexadecimal text
BOXES = {kind.__name__: kind for kind in (
    list, set, dict, bytearray, Counter, OrderedDict, defaultdict)}


class NotCrossing(Exception):
    """A value that is not plain data; the text names its type."""


class Broken(Exception):
    """The other side closed the channel or sent something else."""


def foreign():
    """Stands for a ``default_factory`` that is not a plain type."""
    raise NotCrossing("the default_factory of a defaultdict does not cross "
                      'the boundary; use mode="inside" for such tests')


FACTORIES = {"": None, "foreign": foreign, "int": int, "float": float,
             "str": str, "bool": bool, "tuple": tuple} | BOXES


def send(fd, message):
    """Write one message: four bytes of length, then JSON."""
    data = json.dumps(message, separators=(",", ":"), ensure_ascii=False)
    data = data.encode("utf-8", "surrogatepass")
    if len(data) > MAX_FRAME:
        raise NotCrossing("a value of more than 16 million bytes")
    data = len(data).to_bytes(4, "big") + data
    while data:
        data = data[os.write(fd, data):]


def receive(fd):
    """Read one message; Broken at the end of the channel or on nonsense."""
    size = int.from_bytes(_exactly(fd, 4), "big")
    if size > MAX_FRAME:
        raise Broken("message too large")
    try:
        return json.loads(_exactly(fd, size).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as exc:
        raise Broken("message is not JSON") from exc


def _exactly(fd, size):
    parts = []
    while size:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            raise Broken("channel closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def is_iterator(value):
    """An iterator, but not a file, which is more than that."""
    kind = type(value)
    return hasattr(kind, "__next__") and not hasattr(kind, "readline")


def items(iterator):
    """All items, when they are not too many."""
    found = []
    for item in iterator:
        if len(found) == MAX_ITEMS:
            raise NotCrossing(f"an iterator of more than {MAX_ITEMS} items")
        found.append(item)
    return found


class Shared:
    """The objects that both sides know, each under the same number.

    Each side has its own copy of a container. Before a message leaves,
    what was changed here goes with it; when one comes, both agree again.

    Args:
        start: the first number given here; steps are of two, so the sides
            start at 0 and 1.
        runs_iterators: the iterators here are the real ones, held for the
            other side.
    """

    def __init__(self, start=0, runs_iterators=False):
        self.objects = {}  # number -> container or iterator
        self.numbers = {}  # id of the object -> number
        self.agreed = {}   # number -> contents, as text, on both sides
        self.next = start
        self.runs_iterators = runs_iterators

    def add(self, value, number=None):
        if number is None:
            number = self.next
            self.next += 2
        self.objects[number] = value
        self.numbers[id(value)] = number
        return number

    def forget(self, numbers):
        for number in numbers:
            self.numbers.pop(id(self.objects.pop(number, None)), None)
            self.agreed.pop(number, None)

    def sweep(self):
        """Forget what nobody holds but this object; return the numbers."""
        gone = []
        for number in list(self.objects):
            if self.runs_iterators and is_iterator(self.objects[number]):
                continue
            if sys.getrefcount(self.objects[number]) == _UNHELD:
                self.forget([number])
                gone.append(number)
        return gone

    def agree(self):
        """Note what the containers hold, now that both sides know it."""
        packer, before = Packer(self), set(self.objects)
        self.agreed = {number: repr(packer.contents(box))
                       for number, box in list(self.objects.items())
                       if type(box).__name__ in BOXES}
        # Iterators that came as items: not known there, so a change.
        self.forget(set(self.objects) - before)

    def changes(self):
        """The containers that differ from what was agreed, written out."""
        packer = Packer(self)
        now = [packer.contents(self.objects[n]) for n in list(self.agreed)]
        return [contents for contents in now
                if repr(contents) != self.agreed[contents[1]]]


def _unheld():
    objects = {0: []}
    return sys.getrefcount(objects[0])


_UNHELD = _unheld()  # differs between Pythons


class Packer:
    """Turn values into JSON data.

    Args:
        shared: the numbers in use; new containers are added to it.
    """

    def __init__(self, shared=None):
        self.shared = shared or Shared()

    def pack(self, value):
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if kind is int:
            return value if -BIG < value < BIG else ["int", hex(value)]
        if kind is tuple or kind is frozenset:
            return [kind.__name__, *map(self.pack, value)]
        if kind is bytes:
            return ["bytes", value.hex()]
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind is range:
            return ["range", *map(self.pack,
                                  (value.start, value.stop, value.step))]
        if id(value) in self.shared.numbers:
            return ["same", self.shared.numbers[id(value)]]
        if BOXES.get(kind.__name__) is kind:
            self.shared.add(value)
            return self.contents(value)
        if is_iterator(value):
            if self.shared.runs_iterators:
                return ["iterator", self.shared.add(value)]
            return ["items", *map(self.pack, items(value))]
        raise NotCrossing(f"a value of type {kind.__name__}")

    def contents(self, box):
        """A container that has its number, written out."""
        start = [type(box).__name__, self.shared.numbers[id(box)]]
        if type(box) is bytearray:
            return [*start, box.hex()]
        if type(box) is defaultdict:
            start.append(next((name for name, kind in FACTORIES.items()
                               if kind is box.default_factory), "foreign"))
        if isinstance(box, dict):
            return [*start, *[self.pack(x) for pair in box.items()
                              for x in pair]]
        return [*start, *map(self.pack, box)]


class Unpacker:
    """The way back.

    Args:
        shared: as for the Packer of the other side.
        make_iterator: gets the number of an iterator there.
    """

    def __init__(self, shared=None, make_iterator=None):
        self.shared = shared or Shared()
        self.make_iterator = make_iterator

    def unpack(self, data):
        if type(data) is not list:
            if type(data) is dict:
                raise Broken("unknown value")
            return data
        kind, *parts = data
        if kind == "int":
            return int(parts[0], 16)
        if kind == "tuple":
            return tuple(map(self.unpack, parts))
        if kind == "frozenset":
            return frozenset(map(self.unpack, parts))
        if kind == "bytes":
            return bytes.fromhex(parts[0])
        if kind == "complex":
            return complex(*parts)
        if kind == "range":
            return range(*map(self.unpack, parts))
        if kind == "same":
            return self.shared.objects[parts[0]]
        if kind == "iterator" and self.make_iterator:
            iterator = self.make_iterator(parts[0])
            self.shared.add(iterator, parts[0])
            return iterator
        if kind == "items":
            return iter([self.unpack(part) for part in parts])
        box = BOXES[kind]()
        if parts[0] in self.shared.objects:
            raise Broken("a number given twice")
        self.shared.add(box, parts[0])
        self.refill(data)
        return box

    def refill(self, data):
        """Replace what a known container holds by the contents in data."""
        kind, number, *parts = data
        box = self.shared.objects[number]
        if kind != type(box).__name__:
            raise Broken("a container changed its type")
        if kind == "bytearray":
            box[:] = bytes.fromhex(parts[0])
            return
        if kind == "defaultdict":
            factory = FACTORIES[parts.pop(0)]
            if factory is not foreign or not box.default_factory:
                box.default_factory = factory
        parts = [self.unpack(part) for part in parts]
        box.clear()
        if kind == "list":
            box.extend(parts)
        elif kind == "set":
            box.update(parts)
        else:
            for key, value in zip(parts[::2], parts[1::2], strict=True):
                box[key] = value
