"""The modules that a draft may import, and which of them one needs."""

import re

# Modules a draft may import: they compute and need nothing else.
MODULES = frozenset("""
__future__ abc array ast base64 binascii bisect calendar cmath codecs
collections colorsys contextlib copy copyreg csv dataclasses datetime decimal
difflib enum fractions functools graphlib hashlib heapq hmac html inspect io
itertools json keyword locale logging math numbers operator pprint random re
reprlib secrets statistics string stringprep struct textwrap time timeit
tokenize traceback types typing unicodedata unittest urllib.parse uuid
warnings weakref zlib""".split())
# What these words make needed later, when it would be too late.
LATER = {"datetime": ("_strptime",), "time": ("_strptime",),
         "urllib": ("urllib.parse",)}


def computes(name):
    """Whether ``name`` is such a module, or within one."""
    return name in MODULES or name.partition(".")[0] in MODULES


def needed(code):
    """Modules to import before the process with this draft is closed in."""
    words = set(re.findall(r"\w+(?:\.\w+)*", code))
    names = sorted(w for w in words if computes(w)
                   and "__" not in w.partition(".")[2])  # no __main__
    return names + [m for w in words for m in LATER.get(w, ())]


def codecs(code):
    """Words that may name an encoding, whose module is imported late."""
    if "code" not in code:  # neither encode() nor decode()
        return []
    return re.findall(r"""['"]([\w-]{3,20})['"]""", code)[:100]
