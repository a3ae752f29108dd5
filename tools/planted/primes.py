"""Functions that are right and must also not grow too fast.

A task: (name, held out, what it does, bound in words, highest exponent of
the growth, function name, Python expression of the argument list for size
n, cases, pairs). A pair: (fast code, slow code or (old, new), class,
severity, difficulty, why). Every draft gives right results; what is planted
is the cost, except where the class says otherwise.

Work is done in plain loops: cost hidden inside one C call (``x in list``)
can't be seen by counting lines.
"""

REQUIREMENTS = ("Write a Python function {what} Its running time must grow no "
                "faster than {bound}. Output only the code.")
LINEAR = "the length of its input, sorting aside"

TASKS = []


def task(name, what, bound, exponent, argument, cases, *pairs,
         held_out=False):
    TASKS.append((name, held_out, what, bound, exponent, argument, cases,
                  pairs))


PRIMES = [((1,), []), ((2,), [2]), ((10,), [2, 3, 5, 7]), ((0,), []),
          ((30,), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]), ((9,), [2, 3, 5, 7])]

task(
    "primes_up_to",
    "`primes_up_to(n: int) -> list` that returns all primes up to and "
    "including n in ascending order.",
    "n", 1.3, "[n]", PRIMES,
    ('''def primes_up_to(n: int) -> list:
    is_prime = [True] * (n + 1)
    primes = []
    for i in range(2, n + 1):
        if is_prime[i]:
            primes.append(i)
            for multiple in range(i * i, n + 1, i):
                is_prime[multiple] = False
    return primes
''', '''def primes_up_to(n: int) -> list:
    primes = []
    for i in range(2, n + 1):
        prime = True
        for divisor in range(2, i):
            if i % divisor == 0:
                prime = False
                break
        if prime:
            primes.append(i)
    return primes
''', "trial division", "high", 1,
     "every smaller number is tried as a divisor, which is quadratic"),
    ('''def primes_up_to(n: int) -> list:
    """Primes up to n, each composite crossed out by its smallest factor."""
    smallest = [0] * (n + 1)
    primes = []
    for i in range(2, n + 1):
        if smallest[i] == 0:
            smallest[i] = i
            primes.append(i)
        for p in primes:
            if p > smallest[i] or i * p > n:
                break
            smallest[i * p] = p
    return primes
''', '''def primes_up_to(n: int) -> list:
    """Primes up to n, tested against the primes found so far."""
    primes = []
    for i in range(2, n + 1):
        divisible = False
        for p in primes:
            if i % p == 0:
                divisible = True
                break
        if not divisible:
            primes.append(i)
    return primes
''', "trial division", "high", 2,
     "a prime is divided by all smaller primes, without stopping at its "
     "square root"))

task(
    "has_duplicates",
    "`has_duplicates(values: list) -> bool` that says whether any value "
    "occurs more than once.", LINEAR, 1.3, "[list(range(n))]",
    [(([],), False), (([1],), False), (([1, 2, 1],), True),
     (([3, 4, 5],), False), (([0, 0],), True)],
    ('''def has_duplicates(values: list) -> bool:
    seen = set()
    for value in values:
        if value in seen:
            return True
        seen.add(value)
    return False
''', '''def has_duplicates(values: list) -> bool:
    for i in range(len(values)):
        for j in range(i + 1, len(values)):
            if values[i] == values[j]:
                return True
    return False
''', "pairwise comparison", "high", 1,
     "every pair of values is compared"),
    ('''def has_duplicates(values: list) -> bool:
    ordered = sorted(values)
    for left, right in zip(ordered, ordered[1:]):
        if left == right:
            return True
    return False
''', '''def has_duplicates(values: list) -> bool:
    ordered = []
    for value in values:
        place = len(ordered)
        for i, other in enumerate(ordered):
            if other == value:
                return True
            if other > value:
                place = min(place, i)
        ordered.insert(place, value)
    return False
''', "repeated scan", "medium", 3,
     "the sorted list is built by scanning all of it for every value"))

task(
    "pair_with_sum",
    "`pair_with_sum(values: list, target: int) -> list` that returns "
    "[i, j] with i < j and values[i] + values[j] == target, with the "
    "smallest j, and for it the smallest i; [] when there is none.",
    LINEAR, 1.3, "[list(range(n)), -1]",
    [(([2, 7, 11], 9), [0, 1]), (([3, 3], 6), [0, 1]), (([], 0), []),
     (([1, 2, 3], 7), []), (([1, 1, 2, 3], 4), [0, 3])],
    ('''def pair_with_sum(values: list, target: int) -> list:
    first_at = {}
    for j, value in enumerate(values):
        if target - value in first_at:
            return [first_at[target - value], j]
        first_at.setdefault(value, j)
    return []
''', '''def pair_with_sum(values: list, target: int) -> list:
    for j in range(len(values)):
        for i in range(j):
            if values[i] + values[j] == target:
                return [i, j]
    return []
''', "pairwise comparison", "high", 1, "every pair is added up"),
    ('''def pair_with_sum(values: list, target: int) -> list:
    wanted = {}
    for j in range(len(values)):
        if values[j] in wanted:
            return [wanted[values[j]], j]
        need = target - values[j]
        if need not in wanted:
            wanted[need] = j
    return []
''', '''def pair_with_sum(values: list, target: int) -> list:
    def earlier(need, end):
        for i in range(end):
            if values[i] == need:
                return i
        return None

    for j, value in enumerate(values):
        i = earlier(target - value, j)
        if i is not None:
            return [i, j]
    return []
''', "repeated scan", "high", 2,
     "a helper searches the whole beginning for every value"))

task(
    "running_totals",
    "`running_totals(values: list) -> list` that returns, for each "
    "position, the sum of all values up to and including it.", LINEAR, 1.3,
    "[[1] * n]",
    [(([1, 2, 3],), [1, 3, 6]), (([],), []), (([5],), [5]),
     (([2, -2, 4],), [2, 0, 4])],
    ('''def running_totals(values: list) -> list:
    totals, total = [], 0
    for value in values:
        total += value
        totals.append(total)
    return totals
''', '''def running_totals(values: list) -> list:
    totals = []
    for i in range(len(values)):
        total = 0
        for value in values[:i + 1]:
            total += value
        totals.append(total)
    return totals
''', "recomputation", "high", 1,
     "each sum is added up again from the start"),
    ('''def running_totals(values: list) -> list:
    totals = list(values)
    for i in range(1, len(totals)):
        totals[i] += totals[i - 1]
    return totals
''', '''def running_totals(values: list) -> list:
    totals = list(values)
    for i, value in enumerate(values):
        for later in range(i + 1, len(totals)):
            totals[later] += value
    return totals
''', "recomputation", "high", 2,
     "each value is added to every later sum"))

task(
    "merge_sorted",
    "`merge_sorted(a: list, b: list) -> list` that merges two ascending "
    "lists into one ascending list.", LINEAR, 1.3,
    "[list(range(0, 2 * n, 2)), list(range(1, 2 * n, 2))]",
    [(([1, 3], [2, 4]), [1, 2, 3, 4]), (([], []), []), (([], [1]), [1]),
     (([1, 1], [1]), [1, 1, 1]), (([5], [1, 2]), [1, 2, 5])],
    ('''def merge_sorted(a: list, b: list) -> list:
    merged, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    return merged + a[i:] + b[j:]
''', '''def merge_sorted(a: list, b: list) -> list:
    merged = list(a)
    for value in b:
        place = 0
        while place < len(merged) and merged[place] <= value:
            place += 1
        merged.insert(place, value)
    return merged
''', "repeated scan", "high", 2,
     "the place of each value is searched from the start"),
    ('''def merge_sorted(a: list, b: list) -> list:
    left, right, merged = a[::-1], b[::-1], []
    while left or right:
        if not right or (left and left[-1] <= right[-1]):
            merged.append(left.pop())
        else:
            merged.append(right.pop())
    return merged
''', '''def merge_sorted(a: list, b: list) -> list:
    rest, merged = a + b, []
    while rest:
        smallest = 0
        for i in range(1, len(rest)):
            if rest[i] < rest[smallest]:
                smallest = i
        merged.append(rest.pop(smallest))
    return merged
''', "repeated scan", "high", 1,
     "the smallest value is searched for again and again"))

task(
    "unique",
    "`unique(values: list) -> list` that returns the distinct values in "
    "order of first appearance.", LINEAR, 1.3, "[list(range(n))]",
    [(([1, 2, 1, 3],), [1, 2, 3]), (([],), []), (([0, 0, 0],), [0]),
     (([3, 1, 3, 1],), [3, 1])],
    ('''def unique(values: list) -> list:
    seen, kept = set(), []
    for value in values:
        if value not in seen:
            seen.add(value)
            kept.append(value)
    return kept
''', '''def unique(values: list) -> list:
    kept = []
    for value in values:
        for other in kept:
            if other == value:
                break
        else:
            kept.append(value)
    return kept
''', "repeated scan", "high", 2,
     "all kept values are looked through for every new one"),
    ('''def unique(values: list) -> list:
    first = {}
    for place, value in enumerate(values):
        first.setdefault(value, place)
    return [value for place, value in enumerate(values)
            if first[value] == place]
''', '''def unique(values: list) -> list:
    kept = []
    for place, value in enumerate(values):
        repeated = False
        for before in range(place):
            if values[before] == value:
                repeated = True
                break
        if not repeated:
            kept.append(value)
    return kept
''', "pairwise comparison", "high", 1,
     "each value is compared with all before it"))

task(
    "best_profit",
    "`best_profit(prices: list) -> int` that returns the largest gain from "
    "buying once and selling later, 0 when there is none.", LINEAR, 1.3,
    "[list(range(n, 0, -1))]",
    [(([1, 5, 2],), 4), (([],), 0), (([5, 4, 3],), 0), (([2],), 0),
     (([3, 1, 4, 1, 6],), 5)],
    ('''def best_profit(prices: list) -> int:
    best, lowest = 0, None
    for price in prices:
        if lowest is None or price < lowest:
            lowest = price
        best = max(best, price - lowest)
    return best
''', '''def best_profit(prices: list) -> int:
    best = 0
    for bought in range(len(prices)):
        for sold in range(bought + 1, len(prices)):
            best = max(best, prices[sold] - prices[bought])
    return best
''', "pairwise comparison", "high", 1,
     "every pair of days is tried"),
    ('''def best_profit(prices: list) -> int:
    best = highest = 0
    for place in range(len(prices) - 1, -1, -1):
        if place == len(prices) - 1 or prices[place] > highest:
            highest = prices[place]
        best = max(best, highest - prices[place])
    return best
''', '''def best_profit(prices: list) -> int:
    best = 0
    for place in range(len(prices)):
        highest = prices[place]
        for later in prices[place:]:
            if later > highest:
                highest = later
        best = max(best, highest - prices[place])
    return best
''', "recomputation", "high", 2,
     "the later maximum is found anew for every day"))

task(
    "window_sums",
    "`window_sums(values: list) -> list` that returns the sum of each "
    "stretch of len(values) // 2 neighbouring values, left to right; [] for "
    "fewer than two values.", LINEAR, 1.3, "[[1] * n]",
    [(([1, 2, 3, 4],), [3, 5, 7]), (([],), []), (([9],), []),
     (([1, 2],), [1, 2]), (([1, 2, 3],), [1, 2, 3])],
    ('''def window_sums(values: list) -> list:
    size = len(values) // 2
    if size == 0:
        return []
    total = sum(values[:size])
    sums = [total]
    for i in range(size, len(values)):
        total += values[i] - values[i - size]
        sums.append(total)
    return sums
''', '''def window_sums(values: list) -> list:
    size = len(values) // 2
    if size == 0:
        return []
    sums = []
    for i in range(len(values) - size + 1):
        total = 0
        for value in values[i:i + size]:
            total += value
        sums.append(total)
    return sums
''', "recomputation", "medium", 2,
     "each window is added up from its start"),
    ('''def window_sums(values: list) -> list:
    size = len(values) // 2
    if size == 0:
        return []
    before = [0]
    for value in values:
        before.append(before[-1] + value)
    return [before[i + size] - before[i]
            for i in range(len(values) - size + 1)]
''', '''def window_sums(values: list) -> list:
    size = len(values) // 2
    if size == 0:
        return []

    def before(end):
        total = 0
        for value in values[:end]:
            total += value
        return total

    return [before(i + size) - before(i)
            for i in range(len(values) - size + 1)]
''', "recomputation", "medium", 3,
     "the sums from the start are not kept"))

task(
    "fibonacci",
    "`fibonacci(n: int) -> list` that returns the first n Fibonacci "
    "numbers modulo 1000, beginning 0, 1.", "n", 1.3,
    "[n]",
    [((0,), []), ((1,), [0]), ((2,), [0, 1]),
     ((8,), [0, 1, 1, 2, 3, 5, 8, 13]), ((18,), [
         0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987,
         597])],
    ('''def fibonacci(n: int) -> list:
    numbers, a, b = [], 0, 1
    for _ in range(n):
        numbers.append(a)
        a, b = b, (a + b) % 1000
    return numbers
''', '''def fibonacci(n: int) -> list:
    numbers = []
    for length in range(n):
        a, b = 0, 1
        for _ in range(length):
            a, b = b, (a + b) % 1000
        numbers.append(a)
    return numbers
''', "recomputation", "high", 1,
     "each number is computed from the start"),
    ('''def fibonacci(n: int) -> list:
    numbers = [0, 1][:n]
    while len(numbers) < n:
        numbers.append((numbers[-1] + numbers[-2]) % 1000)
    return numbers
''', '''def fibonacci(n: int) -> list:
    if n <= 2:
        return [0, 1][:n]
    numbers = [0, 1]
    while len(numbers) < n:
        numbers = [number for number in numbers]
        copy = []
        for number in numbers:
            copy.append(number)
        numbers = copy + [(copy[-1] + copy[-2]) % 1000]
    return numbers
''', "repeated copy", "medium", 2,
     "the whole list is copied for each new number"), held_out=True)

task(
    "divisor_counts",
    "`divisor_counts(n: int) -> list` that returns, for each number from 1 "
    "to n, how many divisors it has.", "n log n", 1.4,
    "[n]",
    [((0,), []), ((1,), [1]), ((6,), [1, 2, 2, 3, 2, 4]),
     ((10,), [1, 2, 2, 3, 2, 4, 2, 4, 3, 4])],
    ('''def divisor_counts(n: int) -> list:
    counts = [0] * (n + 1)
    for divisor in range(1, n + 1):
        for multiple in range(divisor, n + 1, divisor):
            counts[multiple] += 1
    return counts[1:]
''', '''def divisor_counts(n: int) -> list:
    counts = []
    for number in range(1, n + 1):
        count = 0
        for divisor in range(1, number + 1):
            if number % divisor == 0:
                count += 1
        counts.append(count)
    return counts
''', "trial division", "high", 1,
     "every smaller number is tried as a divisor"),
    ('''def divisor_counts(n: int) -> list:
    counts = [1] * n
    for divisor in range(2, n + 1):
        place = divisor - 1
        while place < n:
            counts[place] += 1
            place += divisor
    return counts
''', '''def divisor_counts(n: int) -> list:
    counts = [1] * n
    for divisor in range(2, n + 1):
        place = divisor - 1
        while place < n:
            if (place + 1) % divisor == 0:
                counts[place] += 1
            place += 1
    return counts
''', "trial division", "medium", 3,
     "the inner loop visits every number instead of the multiples"),
    held_out=True)

task(
    "longest_run",
    "`longest_run(values: list) -> int` that returns the length of the "
    "longest stretch of equal neighbouring values.", LINEAR, 1.3,
    "[[7] * n]",
    [(([],), 0), (([1],), 1), (([1, 1, 2],), 2), (([1, 2, 2, 2, 1],), 3),
     (([4, 4, 4],), 3)],
    ('''def longest_run(values: list) -> int:
    best = current = 0
    previous = object()
    for value in values:
        current = current + 1 if value == previous else 1
        previous = value
        best = max(best, current)
    return best
''', '''def longest_run(values: list) -> int:
    best = 0
    for start in range(len(values)):
        length = 0
        for value in values[start:]:
            if value != values[start]:
                break
            length += 1
        best = max(best, length)
    return best
''', "recomputation", "medium", 2,
     "a run is measured again from each of its places"),
    ('''def longest_run(values: list) -> int:
    best = start = 0
    for end in range(1, len(values) + 1):
        if end == len(values) or values[end] != values[start]:
            best = max(best, end - start)
            start = end
    return best
''', '''def longest_run(values: list) -> int:
    best = 0
    for end in range(1, len(values) + 1):
        start = end - 1
        while start > 0 and values[start - 1] == values[end - 1]:
            start -= 1
        best = max(best, end - start)
    return best
''', "repeated scan", "medium", 3,
     "from each place the run is walked back to its start"), held_out=True)

task(
    "majority",
    "`majority(values: list)` that returns the value which makes up more "
    "than half of the list, None when there is none.", LINEAR, 1.3,
    "[list(range(n))]",
    [(([1, 1, 2],), 1), (([],), None), (([1, 2],), None), (([3],), 3),
     (([2, 1, 2, 3, 2],), 2), (([1, 2, 3],), None)],
    ('''def majority(values: list):
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    for value, count in counts.items():
        if 2 * count > len(values):
            return value
    return None
''', '''def majority(values: list):
    for candidate in values:
        count = 0
        for value in values:
            if value == candidate:
                count += 1
        if 2 * count > len(values):
            return candidate
    return None
''', "pairwise comparison", "high", 1,
     "the votes of each value are counted from the start"),
    ('''def majority(values: list):
    candidate, lead = None, 0
    for value in values:
        if lead == 0:
            candidate = value
        lead += 1 if value == candidate else -1
    votes = 0
    for value in values:
        votes += value == candidate
    return candidate if 2 * votes > len(values) else None
''', '''def majority(values: list):
    rest = list(values)
    while rest:
        candidate = rest[0]
        others = []
        for value in rest:
            if value != candidate:
                others.append(value)
        if 2 * (len(rest) - len(others)) > len(values):
            return candidate
        rest = others
    return None
''', "repeated scan", "high", 2,
     "with many different values the rest is gone through for each"),
    held_out=True)
