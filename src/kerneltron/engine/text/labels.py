"""Labels as numbers."""

from kerneltron._types import Bytes, Integers
from kerneltron.engine.compiled import compiled, inlined
from kerneltron.engine.text.hashing import hash_bytes, nothing


@inlined
def same(text: Bytes, a: int, b: int, size: int) -> bool:
    """Return whether text[a:a + size] and text[b:b + size] are the same."""
    for k in range(size):
        if text[a + k] != text[b + k]:
            return False
    return True


@compiled
def number_labels(text: Bytes, spans: Integers, table: Integers, codes: Integers, firsts: Integers) -> int:
    """Give the distinct texts among spans (start, stop) numbers in the order of their coming, -1 if empty.

    Fills `codes`, and `firsts` with the first place of each; returns how many there are. `table` is room to
    work in: a power of two, at least twice as many entries as spans, all -1.
    """
    count, mask = 0, table.size - 1
    for i in range(spans.shape[0]):
        start, size = spans[i, 0], spans[i, 1] - spans[i, 0]
        codes[i] = -1
        if size <= 0:
            continue
        if i > 0 and spans[i - 1, 1] - spans[i - 1, 0] == size and same(text, spans[i - 1, 0], start, size):
            codes[i] = codes[i - 1]
            continue
        place = int(hash_bytes(nothing(), text, start, start + size)) & mask
        while table[place] >= 0:
            other = firsts[table[place]]
            if spans[other, 1] - spans[other, 0] == size and same(text, spans[other, 0], start, size):
                break
            place = (place + 1) & mask
        if table[place] < 0:
            table[place], firsts[count] = count, i
            count += 1
        codes[i] = table[place]
    return count
