"""What crosses the boundary crosses exactly, and nothing else does."""

import io
import os
from collections import Counter, OrderedDict, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflectlab.verifiers.sandbox import wire

ATOMS = (st.none() | st.booleans() | st.integers() | st.floats()
         | st.text(st.characters(codec=None)) | st.binary(max_size=20)
         | st.complex_numbers() | st.builds(range, st.integers(0, 9)))
HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5)
VALUES = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner)
    | st.sets(HASHABLE, max_size=3) | st.dictionaries(HASHABLE, inner,
                                                      max_size=3),
    max_leaves=12)


def there_and_back(value):
    read, write = os.pipe()
    try:
        wire.send(write, {"value": wire.Packer().pack(value)})
        return wire.Unpacker().unpack(wire.receive(read)["value"])
    finally:
        os.close(read)
        os.close(write)


def spelled(value):
    """Types and values; plain equality would take True for 1."""
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, map(spelled, value)))
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [spelled(item) for item in value]
    if isinstance(value, dict):
        return [(spelled(k), spelled(v)) for k, v in value.items()]
    return repr(value)


@given(VALUES)
def test_every_value_comes_back_as_it_was(value):
    back = there_and_back(value)
    assert type(back) is type(value)
    assert spelled(back) == spelled(value)


def test_sharing_and_cycles_survive():
    row = [1]
    value = [row, row, {"row": row}]
    value.append(value)
    back = there_and_back(value)
    assert back[0] is back[1] is back[2]["row"] and back[3] is back
    assert back[0] == [1]


class Lying(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize("value", [
    Lying(3), [Lying(3)], {"a": Lying(3)}, object(), print, int,
    type("S", (str,), {})("x"), (i for i in range(10 ** 6))])
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(wire.NotCrossing):
        wire.Packer().pack(value)


@pytest.mark.parametrize("data", [
    ["list", ["&"]], [], ["same", 5], ["set", ["list"]], ["int", "x"],
    ["dict", 1, 1], ["list"], ["tuple", ["list", 1], ["set", 1]], {"a": 1},
    ["iterator", 0], [["list"]], ["bytes", 3]])
def test_forged_data_is_an_error_and_never_a_value(data):
    with pytest.raises(Exception):  # noqa: B017 - which one doesn't matter
        wire.Unpacker().unpack(data)


@pytest.mark.parametrize("data", [
    b"", b"\0\0", b"\0\0\0\5[1,", b"\0\0\0\1]", b"\xff\xff\xff\xffx",
    b"\0\0\0\2\xff\xfe", b"\0\1\0\0" + b"[" * 65536])
def test_a_broken_channel_is_broken(data):
    read, write = os.pipe()
    os.set_blocking(write, False)
    os.write(write, data)
    os.close(write)
    with pytest.raises(wire.Broken):
        wire.receive(read)
    os.close(read)


def both():
    return wire.Shared(), wire.Shared(1, runs_iterators=True)


def test_a_container_keeps_its_identity_from_message_to_message():
    here, there = both()
    rows = [[1]]
    first = wire.Unpacker(there).unpack(wire.Packer(here).pack(rows))
    again = wire.Unpacker(there).unpack(wire.Packer(here).pack((rows[0], 2)))
    assert again[0] is first[0]
    back = wire.Unpacker(here).unpack(wire.Packer(there).pack([first]))
    assert back[0] is rows


def test_changes_travel_and_nothing_else():
    here, there = both()
    rows, kept = [[1]], {"a": 1}
    first, _ = wire.Unpacker(there).unpack(wire.Packer(here).pack((rows,
                                                                   kept)))
    for side in (here, there):
        side.agree()
    assert here.changes() == there.changes() == []
    first[0].append({2})
    changed = there.changes()
    assert len(changed) == 1
    wire.Unpacker(here).refill(changed[0])
    assert rows == [[1, {2}]] and kept == {"a": 1}


def test_what_nobody_holds_is_forgotten():
    here, _ = both()
    inner = [1]
    wire.Packer(here).pack(([inner, [2]], inner, iter([])))
    assert len(here.objects) == 3
    assert len(here.sweep()) == 2
    assert list(here.objects.values()) == [inner]
    del inner
    assert len(here.sweep()) == 1 and not here.numbers


@pytest.mark.parametrize("value", [
    Counter("aab"), OrderedDict(b=1, a=2), defaultdict(list, a=[1]),
    defaultdict(None, a=1)])
def test_the_kinds_of_dict_stay_what_they_are(value):
    back = there_and_back(value)
    assert type(back) is type(value) and repr(back) == repr(value)


def test_a_factory_of_ones_own_says_that_it_does_not_cross():
    back = there_and_back(defaultdict(lambda: 7, a=1))
    assert back == {"a": 1}
    with pytest.raises(wire.NotCrossing, match="default_factory"):
        back["b"]


def test_a_file_is_more_than_an_iterator():
    with pytest.raises(wire.NotCrossing, match="StringIO"):
        wire.Packer().pack(io.StringIO("a"))


def test_two_surrogates_are_not_one_character():
    assert there_and_back("\ud83d\ude00") == "\ud83d\ude00"
