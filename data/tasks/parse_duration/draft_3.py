import re

_PATTERN = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")

def parse_duration(text):
    m = _PATTERN.fullmatch(text.strip())
    if m is None or not any(m.groups()):
        raise ValueError(f"cannot parse duration: {text!r}")
    h, mi, s = (int(g or 0) for g in m.groups())
    return h * 3600 + mi * 60 + s
