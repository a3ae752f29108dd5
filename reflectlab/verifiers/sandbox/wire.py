"""How values travel between the referee and the sealed process: as data.

Only exact built-in types cross. A subclass could lie about equality, so
it is refused here instead of being trusted there. JSON carries the frames
because, unlike pickle or marshal, reading it can't run anything.
"""

import json
import os
from collections import Counter, OrderedDict, defaultdict

MAX_FRAME = 16_000_000  # bytes in one message
MAX_ITEMS = 10_000      # items taken from an iterator argument
PLAIN = "None, bool, int, float, str, bytes, list, tuple, set, dict"
BIG = 10 ** 15          # above this an int travels as hexadecimal text


class NotCrossing(Exception):
    """A value that is not plain data; the text names its type."""


class Broken(Exception):
    """The other side closed the channel or sent something else."""


def send(fd, message):
    """Write one message: four bytes of length, then JSON."""
    data = json.dumps(message, separators=(",", ":")).encode()
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
        return json.loads(_exactly(fd, size))
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


class Packer:
    """Turn values into JSON data, keeping which lists and dicts are shared.

    Mutable containers are numbered in the order in which they are met, so
    both sides agree on the numbers without sending them.

    Args:
        known: containers that both sides have numbered already.
        keep_iterator: called with an iterator, returns the number under
            which the other side may ask for its items; without it the
            items themselves are sent.
    """

    def __init__(self, known=(), keep_iterator=None):
        self.containers = list(known)
        self.numbers = {id(c): n for n, c in enumerate(self.containers)}
        self.keep_iterator = keep_iterator

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
        if kind in (list, set, dict, bytearray,
                    Counter, OrderedDict, defaultdict):
            if id(value) in self.numbers:
                return ["same", self.numbers[id(value)]]
            self.numbers[id(value)] = len(self.containers)
            self.containers.append(value)
            return self.contents(value)
        if hasattr(kind, "__next__"):
            return self._iterator(value)
        raise NotCrossing(f"a value of type {kind.__name__}")

    def contents(self, box):
        """A mutable container, written out."""
        if isinstance(box, dict):
            items = [self.pack(x) for pair in box.items() for x in pair]
            return ["dict", *items]
        if type(box) is bytearray:
            return ["bytearray", box.hex()]
        return [type(box).__name__, *map(self.pack, box)]

    def _iterator(self, value):
        if self.keep_iterator:
            return ["iterator", self.keep_iterator(value)]
        items = []
        for item in value:
            if len(items) == MAX_ITEMS:
                raise NotCrossing(f"an iterator of more than {MAX_ITEMS}"
                                  " items")
            items.append(item)
        return ["items", *map(self.pack, items)]


class Unpacker:
    """The way back. ``make_iterator`` gets the number of an iterator."""

    def __init__(self, known=(), make_iterator=None):
        self.containers = list(known)
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
            return self.containers[parts[0]]
        if kind == "iterator" and self.make_iterator:
            return self.make_iterator(parts[0])
        if kind == "items":
            return iter([self.unpack(part) for part in parts])
        box = {"list": list, "set": set, "dict": dict,
               "bytearray": bytearray}[kind]()
        self.containers.append(box)
        self.refill(box, data)
        return box

    def refill(self, box, data):
        """Replace what ``box`` holds by the contents in ``data``."""
        kind, *parts = data
        if kind != type(box).__name__:
            raise Broken("a container changed its type")
        if kind == "bytearray":
            box[:] = bytes.fromhex(parts[0])
            return
        parts = [self.unpack(part) for part in parts]
        box.clear()
        if kind == "list":
            box.extend(parts)
        elif kind == "set":
            box.update(parts)
        else:
            box.update(zip(parts[::2], parts[1::2], strict=True))
