// SPDX-License-Identifier: GPL-2.0
/*
 * kept_space.c - blocks of memory that the next boot leaves alone: random blocks are taken and given back, and
 * each step is compared with a map that has one byte for each page.
 */
#include <linux/bitops.h>

#include "kernel/kept_space.c"

#include "tap.h"

#define SHIFT  12
#define PAGES  5000
#define BLOCKS 4096

static unsigned char used[PAGES];
static struct {
	u64 at, bytes;
} blocks[BLOCKS];
static int count;
static unsigned int state = 1;

static unsigned int any(unsigned int below)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % below;
}

/* Whether an aligned block of so many pages is free, by the map. */
static bool has(u64 base, u64 pages, u64 range)
{
	u64 first = base >> SHIFT, i, k;

	for (i = (pages - first % pages) % pages; i + pages <= range; i += pages) {
		for (k = 0; k < pages && !used[i + k]; k++)
			;
		if (k == pages)
			return true;
	}
	return false;
}

static int mark(u64 base, u64 at, u64 bytes, int as, u64 range)
{
	u64 i, first = (at - base) >> SHIFT;
	int wrong = at < base || first + (bytes >> SHIFT) > range || at % bytes;

	for (i = 0; !wrong && i < bytes >> SHIFT; i++) {
		wrong |= used[first + i] == as;
		used[first + i] = as;
	}
	return wrong;
}

static u64 sum_free(u64 range)
{
	u64 i, sum = 0;

	for (i = 0; i < range; i++)
		sum += !used[i];
	return sum;
}

/* Half of the steps take a block, half give one back; later more are taken, until the range is full. */
static int trial(u64 base, u64 range, int steps, unsigned int most)
{
	struct rt_kept_space space;
	int step, one, wrong = 0;
	u64 at, bytes;

	memset(used, 0, sizeof(used));
	count = 0;
	if (rt_kept_space_init(&space, base, range << SHIFT, SHIFT))
		return 1;
	for (step = 0; step < steps && !wrong; step++) {
		if (any(100) < (step < steps / 2 ? 50 : 70) && count < BLOCKS) {
			bytes = 1ULL << (SHIFT + any(most));
			if (rt_kept_space_take(&space, bytes, &at)) {
				wrong |= mark(base, at, bytes, 1, range);
				blocks[count].at = at;
				blocks[count++].bytes = bytes;
			} else {
				wrong |= has(base, bytes >> SHIFT, range);
			}
		} else if (count) {
			one = any(count);
			rt_kept_space_give(&space, blocks[one].at, blocks[one].bytes);
			wrong |= mark(base, blocks[one].at, blocks[one].bytes, 0, range);
			blocks[one] = blocks[--count];
		}
		wrong |= space.free != sum_free(range);
	}
	while (count--)
		rt_kept_space_give(&space, blocks[count].at, blocks[count].bytes);
	wrong |= space.free != range;
	/* Everything has grown together again. */
	for (one = 0; rt_kept_space_take(&space, 1ULL << (SHIFT + RT_KEPT_ORDERS - 1), &at); one++)
		;
	wrong |= base % (1 << 22) == 0 && one != (int)(range >> (RT_KEPT_ORDERS - 1));
	rt_kept_space_exit(&space);
	return wrong;
}

int main(void)
{
	struct rt_kept_space space;
	int i, wrong = 0;
	u64 at;

	for (i = 0; i < 40; i++)
		wrong += trial((u64)any(1 << 20) << SHIFT, 1 + any(PAGES - 1), 3000,
			       1 + any(RT_KEPT_ORDERS));
	ok(!wrong,
	   "blocks are in the range, aligned, apart from each other, and refused only if none is free");
	wrong = 0;
	for (i = 0; i < 10; i++)
		wrong += trial((u64)any(64) << 22, 1 + any(PAGES - 1), 3000, 5);
	ok(!wrong, "and grow together again when they are given back");

	/* A range whose first page is not at a page, as the half behind its head with large pages. */
	ok(!rt_kept_space_init(&space, (1 << 20) + 4096, (1 << 20) - 4096, 16) && space.free == 15,
	   "only whole pages are given");
	ok(rt_kept_space_take(&space, 1 << 16, &at) && at == (1 << 20) + (1 << 16),
	   "from the first one on");
	ok(!rt_kept_space_take(&space, 1 << 20, &at),
	   "a block that is larger than the range is refused");
	ok(!rt_kept_space_take(&space, 1ULL << 40, &at),
	   "and so is one of a size that there is not");
	rt_kept_space_exit(&space);
	return tap_done();
}
