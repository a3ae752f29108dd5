"""Small functions with one planted bug each.

A task: (name, held out, requirements, cases, calls that must raise
ValueError, pairs). A pair: (clean code, old, new, class, severity,
difficulty, why); the defective draft is the clean one with old -> new.
"""

TASKS = []


def task(name, requirements, cases, raises, *pairs, held_out=False):
    TASKS.append((name, held_out, requirements, cases, raises, pairs))


task(
    "parse_size",
    "Write a Python function `parse_size(text: str) -> int` that turns a "
    "size such as \"512\", \"20 KB\" or \"1.5 MB\" into bytes. Units are B, "
    "KB, MB and GB in any case, 1 KB is 1024 bytes, no unit means bytes. "
    "White space around the text and between number and unit is allowed. "
    "Round down. Raise ValueError on anything else, negative sizes "
    "included. Output only the code.",
    [(("512",), 512), (("20 KB",), 20480), (("1.5 MB",), 1572864),
     (("1gb",), 1073741824), (("0.001 kb",), 1), ((" 7 B ",), 7),
     (("0",), 0), (("2.5KB",), 2560)],
    [("",), ("KB",), ("-1 KB",), ("5 XB",), (".5 KB",), ("5. KB",),
     ("1.2.3 MB",), ("10 KB x",)],
    ('''import re

UNITS = {"": 1, "b": 1, "kb": 1024, "mb": 1024 ** 2, "gb": 1024 ** 3}


def parse_size(text: str) -> int:
    match = re.fullmatch(r"(\\d+(?:\\.\\d+)?)\\s*([a-z]*)",
                         text.strip().lower())
    if match is None or match.group(2) not in UNITS:
        raise ValueError(f"not a size: {text!r}")
    return int(float(match.group(1)) * UNITS[match.group(2)])
''', "re.fullmatch(", "re.match(", "accepts invalid", "medium", 2,
     "the pattern is not anchored at the end, so trailing garbage is read "
     "over"),
    ('''def parse_size(text: str) -> int:
    """Bytes in a size such as "1.5 MB"."""
    factors = [("GB", 1024 ** 3), ("MB", 1024 ** 2), ("KB", 1024), ("B", 1)]
    number, factor = text.strip().upper(), 1
    for unit, size in factors:
        if number.endswith(unit):
            number, factor = number[:-len(unit)].rstrip(), size
            break
    whole, dot, part = number.partition(".")
    if not whole.isdigit() or (dot and not part.isdigit()):
        raise ValueError(f"not a size: {text!r}")
    return int(float(number) * factor)
''', '("GB", 1024 ** 3), ("MB", 1024 ** 2)',
     '("GB", 1000 ** 3), ("MB", 1000 ** 2)', "wrong unit", "high", 2,
     "megabytes and gigabytes are counted in powers of 1000, kilobytes in "
     "powers of 1024"))

task(
    "slugify",
    "Write a Python function `slugify(title: str) -> str` for file names: "
    "lower case, every run of characters other than a-z and 0-9 becomes one "
    "hyphen, no hyphen at either end, at most 40 characters and no hyphen "
    "at the end after cutting. An empty result is returned as \"untitled\". "
    "Output only the code.",
    [(("Hello, World!",), "hello-world"), (("  A -- B  ",), "a-b"),
     (("",), "untitled"), (("!!!",), "untitled"),
     (("a" * 39 + " bcd",), "a" * 39), (("a" * 50,), "a" * 40),
     (("Q3 2024: Report",), "q3-2024-report"), (("x" * 40,), "x" * 40)],
    [],
    ('''import re


def slugify(title: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    slug = slug[:40].rstrip("-")
    return slug or "untitled"
''', '[:40].rstrip("-")', "[:40]", "boundary", "low", 3,
     "cutting at 40 characters may leave a hyphen at the end"),
    ('''def slugify(title: str) -> str:
    words, word = [], ""
    for char in title.lower():
        if char in "abcdefghijklmnopqrstuvwxyz0123456789":
            word += char
        elif word:
            words.append(word)
            word = ""
    if word:
        words.append(word)
    return "-".join(words)[:40].rstrip("-") or "untitled"
''', '''    if word:
        words.append(word)
    return''', '''    return''', "missing case", "high", 2,
     "the last word is lost unless something follows it"))

task(
    "merge_intervals",
    "Write a Python function `merge_intervals(intervals: list) -> list` "
    "that merges closed intervals given as [start, end] pairs in any order. "
    "Intervals that overlap or touch ([1, 2] and [2, 5]) become one. Return "
    "a new list of [start, end] lists, sorted; leave the argument and its "
    "pairs as they are. Output only the code.",
    [(([[1, 3], [2, 6], [8, 10]],), [[1, 6], [8, 10]]),
     (([[1, 2], [2, 5]],), [[1, 5]]), (([],), []),
     (([[5, 6], [1, 2]],), [[1, 2], [5, 6]]),
     (([[1, 10], [2, 3]],), [[1, 10]]), (([[4, 4]],), [[4, 4]]),
     (([[1, 4], [0, 2], [3, 5]],), [[0, 5]])],
    [],
    ('''def merge_intervals(intervals: list) -> list:
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
''', "max(merged[-1][1], end)", "end", "missing case", "high", 2,
     "an interval inside the previous one shortens it"),
    ('''def merge_intervals(intervals: list) -> list:
    """Merge overlapping or touching closed intervals."""
    ordered = sorted(intervals, key=lambda pair: pair[0])
    result = []
    i = 0
    while i < len(ordered):
        start, end = ordered[i]
        i += 1
        while i < len(ordered) and ordered[i][0] <= end:
            end = max(end, ordered[i][1])
            i += 1
        result.append([start, end])
    return result
''', "ordered[i][0] <= end", "ordered[i][0] < end", "boundary", "medium", 2,
     "intervals that only touch stay apart"))

task(
    "chunks",
    "Write a Python function `chunks(items: list, size: int) -> list` that "
    "splits a list into consecutive lists of `size` elements; the last one "
    "may be shorter. An empty list gives []. Raise ValueError when size is "
    "below 1. Leave the argument unchanged. Output only the code.",
    [(([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]),
     (([1, 2, 3, 4], 2), [[1, 2], [3, 4]]), (([], 3), []),
     (([1], 5), [[1]]), (([1, 2, 3], 1), [[1], [2], [3]]),
     (([1, 2, 3], 3), [[1, 2, 3]])],
    [([1], 0), ([], -1)],
    ('''def chunks(items: list, size: int) -> list:
    if size < 1:
        raise ValueError("size must be at least 1")
    return [items[i:i + size] for i in range(0, len(items), size)]
''', "if size < 1:", "if size == 0:", "accepts invalid", "medium", 2,
     "a negative size is not refused"),
    ('''def chunks(items: list, size: int) -> list:
    if size < 1:
        raise ValueError(f"size {size} is below 1")
    result, current = [], []
    for item in items:
        current.append(item)
        if len(current) == size:
            result.append(current)
            current = []
    if current:
        result.append(current)
    return result
''', '''    if current:
        result.append(current)
    return result''', '''    return result''', "missing case", "high", 1,
     "a shorter last chunk is dropped"))

task(
    "compare_versions",
    "Write a Python function `compare_versions(a: str, b: str) -> int` that "
    "compares dotted version numbers such as \"1.10.2\" part by part as "
    "whole numbers and returns -1, 0 or 1. Missing parts count as 0, so "
    "\"1.2\" equals \"1.2.0\". Raise ValueError unless both are dot-"
    "separated digits. Output only the code.",
    [(("1.10", "1.9"), 1), (("1.2.0", "1.2"), 0), (("1.2", "1.2.0"), 0),
     (("1.0.1", "1"), 1),
     (("2", "10"), -1), (("1.2.3", "1.2.3"), 0), (("0.9", "1.0"), -1),
     (("1.02", "1.2"), 0), (("1", "1.0.1"), -1)],
    [("", "1"), ("1", "1.x"), ("1..2", "1"), ("1.-2", "1")],
    ('''from itertools import zip_longest


def compare_versions(a: str, b: str) -> int:
    def parts(text):
        pieces = text.split(".")
        if not all(p.isdigit() for p in pieces):
            raise ValueError(f"not a version: {text!r}")
        return [int(p) for p in pieces]

    for x, y in zip_longest(parts(a), parts(b), fillvalue=0):
        if x != y:
            return 1 if x > y else -1
    return 0
''', "return [int(p) for p in pieces]", "return pieces",
     "wrong type", "high", 1,
     "parts are compared as text, so \"10\" sorts before \"9\""),
    ('''def compare_versions(a: str, b: str) -> int:
    left, right = _numbers(a), _numbers(b)
    length = max(len(left), len(right))
    left += [0] * (length - len(left))
    right += [0] * (length - len(right))
    return (left > right) - (left < right)


def _numbers(text: str) -> list:
    pieces = text.split(".")
    for piece in pieces:
        if not piece.isdigit():
            raise ValueError(f"not a version: {text!r}")
    return [int(piece) for piece in pieces]
''', '''    right += [0] * (length - len(right))
''', "", "missing case", "medium", 2,
     "only the first version is padded, so \"1.2.0\" and \"1.2\" differ"))

task(
    "parse_query",
    "Write a Python function `parse_query(text: str) -> dict` for query "
    "strings such as \"?a=1&b=2&a=3\". A leading question mark is optional. "
    "Map each name to the list of its values in order of appearance. A name "
    "without \"=\" has the value \"\". Only the first \"=\" of a part "
    "separates. Empty parts are skipped. No percent decoding. Output only "
    "the code.",
    [(("?a=1&b=2&a=3",), {"a": ["1", "3"], "b": ["2"]}),
     (("a=1",), {"a": ["1"]}), (("",), {}), (("?",), {}),
     (("flag",), {"flag": [""]}), (("eq=a=b",), {"eq": ["a=b"]}),
     (("a=1&&b=2&",), {"a": ["1"], "b": ["2"]}), (("a=",), {"a": [""]})],
    [],
    ('''def parse_query(text: str) -> dict:
    found = {}
    for part in text.removeprefix("?").split("&"):
        if part:
            name, _, value = part.partition("=")
            found.setdefault(name, []).append(value)
    return found
''', 'part.partition("=")', 'part.rpartition("=")', "wrong operator",
     "high", 3, "splits at the last \"=\" instead of the first, and loses "
     "the name of a part without one"),
    ('''from collections import defaultdict


def parse_query(text: str) -> dict:
    """Values of each name, in order."""
    if text.startswith("?"):
        text = text[1:]
    values = defaultdict(list)
    for part in filter(None, text.split("&")):
        pieces = part.split("=", 1)
        values[pieces[0]].append(pieces[1] if len(pieces) > 1 else "")
    return dict(values)
''', "values[pieces[0]].append(pieces[1] if len(pieces) > 1 else \"\")",
     "values[pieces[0]] = [pieces[1] if len(pieces) > 1 else \"\"]",
     "missing case", "high", 1, "a repeated name keeps its last value only"))

task(
    "top_words",
    "Write a Python function `top_words(text: str, n: int) -> list` that "
    "returns the n most frequent words as [word, count] lists. Words are "
    "runs of letters a-z, counted without regard to case and returned in "
    "lower case. The most frequent comes first, equal counts in alphabetical "
    "order. Output only the code.",
    [(("b a b a c", 2), [["a", 2], ["b", 2]]), (("The the THE end", 1),
                                               [["the", 3]]),
     (("", 3), []), (("one, two; two!", 5), [["two", 2], ["one", 1]]),
     (("z y x", 2), [["x", 1], ["y", 1]]), (("a1b a", 2),
                                           [["a", 2], ["b", 1]]),
     (("word", 0), [])],
    [],
    ('''import re
from collections import Counter


def top_words(text: str, n: int) -> list:
    counts = Counter(re.findall("[a-z]+", text.lower()))
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [[word, count] for word, count in ranked[:n]]
''', "sorted(counts.items(), key=lambda item: (-item[1], item[0]))",
     "counts.most_common()", "wrong order",
     "medium", 3, "equal counts come in order of appearance"),
    ('''def top_words(text: str, n: int) -> list:
    counts = {}
    word = ""
    for char in text.lower() + " ":
        if "a" <= char <= "z":
            word += char
        elif word:
            counts[word] = counts.get(word, 0) + 1
            word = ""
    ranked = sorted(counts, key=lambda w: (-counts[w], w))
    return [[w, counts[w]] for w in ranked[:n]]
''', 'text.lower() + " "', 'text + " "', "missing case", "high", 2,
     "capital letters split words"))

task(
    "moving_average",
    "Write a Python function `moving_average(values: list, window: int) -> "
    "list` that returns the mean of each run of `window` neighbouring values "
    "(whole numbers), left to right, as floats. Fewer values than the window "
    "give []. Raise ValueError when window is below 1. Leave the argument "
    "unchanged. Output only the code.",
    [(([1, 2, 3, 4], 2), [1.5, 2.5, 3.5]), (([1, 2], 3), []),
     (([], 1), []), (([4, 8], 1), [4.0, 8.0]), (([1, 2, 3], 3), [2.0]),
     (([0, 0, 6, 0], 3), [2.0, 2.0])],
    [([1], 0), ([1, 2], -2)],
    ('''def moving_average(values: list, window: int) -> list:
    if window < 1:
        raise ValueError("window must be at least 1")
    return [sum(values[i:i + window]) / window
            for i in range(len(values) - window + 1)]
''', "range(len(values) - window + 1)", "range(len(values) - window)",
     "boundary", "high", 2, "the last window is left out"),
    ('''def moving_average(values: list, window: int) -> list:
    if window < 1:
        raise ValueError(f"window {window} is below 1")
    if len(values) < window:
        return []
    total = sum(values[:window])
    means = [total / window]
    for new, old in zip(values[window:], values):
        total += new - old
        means.append(total / window)
    return means
''', "total / window]", "total // window]", "wrong operator", "medium", 3,
     "the first mean is rounded down"))

task(
    "from_roman",
    "Write a Python function `from_roman(text: str) -> int` for Roman "
    "numerals from I to MMMCMXCIX in upper case and standard form. Raise "
    "ValueError on anything else, such as \"IIII\", \"VX\", \"\" or lower "
    "case. Output only the code.",
    [(("I",), 1), (("IV",), 4), (("IX",), 9), (("XIV",), 14),
     (("MCMXCIV",), 1994), (("MMMCMXCIX",), 3999), (("XL",), 40),
     (("DCCC",), 800)],
    [("",), ("IIII",), ("VX",), ("iv",), ("IC",), ("MMMM",), ("XIVI",)],
    ('''import re

SHAPE = re.compile("M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def from_roman(text: str) -> int:
    if not text or SHAPE.fullmatch(text) is None:
        raise ValueError(f"not a Roman numeral: {text!r}")
    total = 0
    for char, following in zip(text, text[1:] + "I"):
        sign = -1 if VALUES[char] < VALUES[following] else 1
        total += sign * VALUES[char]
    return total
''', "if not text or SHAPE", "if SHAPE", "accepts invalid", "medium", 3,
     "the empty text matches the pattern and gives 0"),
    ('''PAIRS = [("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100),
         ("XC", 90), ("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5),
         ("IV", 4), ("I", 1)]


def from_roman(text: str) -> int:
    total, rest = 0, text
    for sign, value in PAIRS:
        while rest.startswith(sign):
            total += value
            rest = rest[len(sign):]
    if not text or rest or total > 3999 or _to_roman(total) != text:
        raise ValueError(f"not a Roman numeral: {text!r}")
    return total


def _to_roman(number: int) -> str:
    text = ""
    for sign, value in PAIRS:
        text += sign * (number // value)
        number %= value
    return text
''', " or total > 3999 or _to_roman(total) != text", "", "accepts invalid",
     "high", 2, "numerals that are not in standard form are read"),
    held_out=True)

task(
    "csv_row",
    "Write a Python function `csv_row(fields: list) -> str` that returns "
    "one CSV line without a line end. Fields are strings or whole numbers. A "
    "field that holds a comma, a double quote or a newline is put in "
    "double quotes, and each double quote in it is doubled. No other field "
    "is quoted. Leave the argument unchanged. Output only the code.",
    [((["a", "b"],), "a,b"), ((["a,b", 1],), '"a,b",1'),
     ((['say "hi"'],), '"say ""hi"""'), (([],), ""), ((["", ""],), ","),
     ((["x\ny"],), '"x\ny"'), (([0],), "0"), ((["a b"],), "a b")],
    [],
    ('''def csv_row(fields: list) -> str:
    cells = []
    for field in fields:
        cell = str(field)
        if any(char in cell for char in ',"\\n'):
            cell = '"' + cell.replace('"', '""') + '"'
        cells.append(cell)
    return ",".join(cells)
''', """cell.replace('"', '""')""", "cell", "missing case", "high", 2,
     "quotes inside a field are not doubled"),
    ('''import re


def csv_row(fields: list) -> str:
    """One CSV line, quoting only what needs it."""
    def quoted(text):
        if re.search('[,"\\n]', text):
            return '"%s"' % text.replace('"', '""')
        return text

    return ",".join(quoted(str(field)) for field in fields)
''', """re.search('[,"\\n]', text)""", """re.match('[,"\\n]', text)""",
     "wrong operator", "high", 3,
     "only a field that begins with a special character is quoted"),
    held_out=True)

task(
    "parse_clock",
    "Write a Python function `parse_clock(text: str) -> int` that turns a "
    "time of day, \"14:05\" or \"2:05 pm\", into minutes since midnight. The "
    "12-hour form has am or pm in any case after one space, with hours 1 to "
    "12, where 12 am is midnight; the 24-hour form has hours 0 to 23. Minutes "
    "always have two digits, hours one or two. Raise ValueError on anything "
    "else. Output only the code.",
    [(("14:05",), 845), (("2:05 pm",), 845), (("12:00 am",), 0),
     (("12:30 PM",), 750), (("0:00",), 0), (("23:59",), 1439),
     (("9:07",), 547), (("11:59 Am",), 719)],
    [("24:00",), ("12:60",), ("1:5",), ("13:00 pm",), ("0:30 am",),
     ("",), ("noon",), ("7:15pm",)],
    ('''import re


def parse_clock(text: str) -> int:
    match = re.fullmatch(r"(\\d{1,2}):([0-5]\\d)( [ap]m)?", text.lower())
    if match is None:
        raise ValueError(f"not a time: {text!r}")
    hours, minutes = int(match.group(1)), int(match.group(2))
    if match.group(3):
        if not 1 <= hours <= 12:
            raise ValueError(f"not a 12-hour time: {text!r}")
        hours = hours % 12 + (12 if match.group(3) == " pm" else 0)
    elif hours > 23:
        raise ValueError(f"not a 24-hour time: {text!r}")
    return hours * 60 + minutes
''', "hours = hours % 12 + (12", "hours = hours + (12", "boundary", "high",
     2, "noon and midnight of the 12-hour clock come out 12 hours late"),
    ('''def parse_clock(text: str) -> int:
    clock, space, half = text.partition(" ")
    hours, colon, minutes = clock.partition(":")
    if not (hours.isdigit() and len(hours) <= 2 and minutes.isdigit()
            and len(minutes) == 2 and int(minutes) < 60):
        raise ValueError(f"not a time: {text!r}")
    hour = int(hours)
    if space:
        if half.lower() not in ("am", "pm") or not 1 <= hour <= 12:
            raise ValueError(f"not a 12-hour time: {text!r}")
        hour %= 12
        if half.lower() == "pm":
            hour += 12
    elif hour >= 24:
        raise ValueError(f"not a 24-hour time: {text!r}")
    return hour * 60 + int(minutes)
''', "hour >= 24", "hour > 24", "boundary", "medium", 3,
     "24:00 is taken for a time of day"),
    held_out=True)

task(
    "is_balanced",
    "Write a Python function `is_balanced(text: str) -> bool` that says "
    "whether round, square and curly brackets in a text are balanced and "
    "properly nested. Brackets inside double-quoted strings don't count; a "
    "string ends at the next double quote, and a string that is never closed "
    "makes the text unbalanced. Output only the code.",
    [(("(a[b]{c})",), True), (("(]",), False), (("",), True),
     (("(((",), False), ((")(",), False), (("([)]",), False),
     (('print("(")',), True), (('"abc',), False), (('")" (")")',), True)],
    [],
    ('''def is_balanced(text: str) -> bool:
    closing = {"(": ")", "[": "]", "{": "}"}
    expected = []
    quoted = False
    for char in text:
        if char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in closing:
            expected.append(closing[char])
        elif char in closing.values():
            if not expected or expected.pop() != char:
                return False
    return not expected and not quoted
''', "return not expected and not quoted", "return not quoted",
     "missing case", "high", 1, "brackets that stay open are not noticed"),
    ('''import re


def is_balanced(text: str) -> bool:
    bare = re.sub('"[^"]*"', "", text)
    if '"' in bare:
        return False
    brackets = re.sub(r"[^()\\[\\]{}]", "", bare)
    while True:
        shorter = re.sub(r"\\(\\)|\\[\\]|\\{\\}", "", brackets)
        if shorter == brackets:
            return not brackets
        brackets = shorter
''', """    if '"' in bare:
        return False
""", "", "accepts invalid", "medium", 3,
     "a string that is never closed is not noticed"),
    held_out=True)
