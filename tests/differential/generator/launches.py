# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ND-ranges: the shapes that select execution modes."""
from math import prod

# local sizes, with the number of groups in each dimension
_SHAPES = [(1,), (3,), (7,), (16,), (64,), (100,), (33,), (8, 8), (1, 64), (5, 3, 2), (2, 1, 9),
           (4, 16), (16, 4), (32,), (128,), (12, 5), (256,), (31, 2), (1, 1, 17)]
_MOST_ITEMS = 700


class Launch:
    def __init__(self, global_, local, offset):
        self.global_ = list(global_)
        self.local = list(local) if local else None  # None: the driver's choice
        self.offset = list(offset)

    def __str__(self):
        def words(sizes):
            return " ".join(str(size) for size in sizes)
        text = f"dims {len(self.global_)} global {words(self.global_)}"
        if self.local:
            text += f" local {words(self.local)}"
        if any(self.offset):
            text += f" offset {words(self.offset)}"
        return text

    @property
    def is_far(self):
        """Whether ids in x are large."""
        return self.offset[0] > 1 << 20

    @property
    def items(self):
        return prod(self.global_)

    @property
    def group_items(self):
        return prod(self.local)

    @property
    def groups(self):
        return [-(-g // l) for g, l in zip(self.global_, self.local)]


def _far_offset(rng, size):
    """Ids that cross, or begin or end near, a multiple of 2^32."""
    return rng.choice((1 << 31, 1 << 32, 3 << 31, 1 << 33)) + rng.randrange(-size - 40, 41)


def random_launch(rng, non_uniform, driver_chooses):
    local = list(rng.choice(_SHAPES))
    groups = [rng.choice((1, 1, 2, 3, 5)) for _ in local]
    while prod(local) * prod(groups) > max(_MOST_ITEMS, prod(local)):
        groups[groups.index(max(groups))] -= 1
    global_ = [l * g for l, g in zip(local, groups)]
    if non_uniform and rng.random() < 0.3:
        global_ = [max(1, g - rng.randrange(l)) if rng.random() < 0.6 else g
                   for g, l in zip(global_, local)]
    offset = [0] * len(local)
    kind = rng.random()
    if kind < 0.25:
        offset = [rng.choice((0, 1, 3, 16, 29)) for _ in local]
    elif kind < 0.4:
        offset = [rng.choice((0, 3, _far_offset(rng, g), _far_offset(rng, g))) for g in global_]
    return Launch(global_, None if driver_chooses and rng.random() < 0.4 else local, offset)
