// SPDX-License-Identifier: GPL-2.0
#include "record/ring_size.h"

#include <errno.h>
#include <unistd.h>

#include "base/size.h"

#define RING_MAX (1ULL << 32)

/* Minimum in a small ring: the CPU writes to one while the reader reads the others. */
#define SUBBUFS_WANTED 4

int rt_ring_size_parse(uint64_t *bytes, const char *text, struct rt_err *err)
{
	struct rt_size size;
	uint64_t n;

	if (rt_size_parse(&size, text))
		return rt_err_set(
			err, EINVAL,
			"-m takes pages or bytes for each CPU, such as 512, 64K or 8M, not '%s'",
			text);
	n = size.number;
	if (n <= RING_MAX)
		n = size.shift >= 0 ? n << size.shift : n * (unsigned long)sysconf(_SC_PAGESIZE);
	if (n > RING_MAX)
		return rt_err_set(err, EINVAL, "-m %s: a ring has at most %llu MB", text,
				  RING_MAX >> 20);
	*bytes = n;
	return 0;
}

void rt_ring_size_apply(uint64_t bytes, uint32_t dwarf, struct rt_rings *rings)
{
	uint64_t least = sysconf(_SC_PAGESIZE), ring = RT_SUBBUFS_MIN * least;
	uint64_t subbuf = RT_SUBBUF_DEFAULT;

	while (ring < bytes)
		ring *= 2;
	if (dwarf > RT_SUBBUF_DEFAULT / 4)
		subbuf = 8 * RT_SUBBUF_DEFAULT;
	while (!dwarf && subbuf > least && ring / subbuf < SUBBUFS_WANTED)
		subbuf /= 2;
	while (ring / subbuf > RT_SUBBUFS_MAX && subbuf < RT_SUBBUF_BYTES_MAX)
		subbuf *= 2;
	rings->subbuf_bytes = subbuf;
	rings->subbufs = ring / subbuf > RT_SUBBUFS_MIN ? ring / subbuf : RT_SUBBUFS_MIN;
}
