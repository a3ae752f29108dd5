import re

def parse_duration(text):
    m = re.match(r"(\d+)h(\d+)m", text)
    return int(m.group(1)) * 3600 + int(m.group(2)) * 60
