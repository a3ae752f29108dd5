cases = [("90s", 90), ("5m", 300), ("2h", 7200),
         ("1h30m", 5400), ("1h30m15s", 5415)]
for text, want in cases:
    got = parse_duration(text)
    assert got == want, f"parse_duration({text!r}) == {got!r}, want {want!r}"
for bad in ["", "abc", "10x"]:
    try:
        parse_duration(bad)
    except ValueError:
        pass
    else:
        raise AssertionError(f"parse_duration({bad!r}) should have raised ValueError")
print("all 8 checks passed")
