// SPDX-License-Identifier: GPL-2.0
#include "flight/recover.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/kept.h"
#include "image/bytes.h"

/* --- the bytes of a half ------------------------------------------------------------ */

struct half {
	struct rt_bytes bytes;
	int fd;
	unsigned int number;
};

static size_t half_read(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	struct half *h = (struct half *)b;

	if (at >= b->size)
		return 0;
	if (bytes > b->size - at)
		bytes = b->size - at;
	return rt_agent_kept_read(h->fd, h->number, at, to, bytes) ? 0 : bytes;
}

static void half_close(struct rt_bytes *b)
{
	close(((struct half *)b)->fd);
	free(b);
}

/* --- which half -------------------------------------------------------------------- */

/* Why there is nothing, by what both halves are. */
static int nothing(const struct rt_kept *half, struct rt_err *err)
{
	int i;

	for (i = 0; i < 2; i++)
		if (half[i].state == RT_KEPT_OTHER)
			return rt_err_set(
				err, ENODATA,
				"the memory at 0x%llx was used with another size (%llu KB for each boot) or by "
				"ringtail of ABI %u: load the module with the same recover= and of the same "
				"version as before",
				half[i].now_phys, half[i].head.bytes / 1024,
				half[i].head.abi_major);
	for (i = 0; i < 2; i++)
		if (half[i].state == RT_KEPT_DAMAGED)
			return rt_err_set(
				err, ENODATA,
				"the memory at 0x%llx is damaged: the checksum of its head is wrong; something "
				"wrote there, or the reset lost parts of it",
				half[i].now_phys);
	return rt_err_set(
		err, ENODATA,
		"no earlier boot left anything in the memory at 0x%llx: no flight was started with "
		"--recoverable, or the memory was cleared at the reset, or the kernel chose another address "
		"for reserve_mem= (then boot with nokaslr)",
		half[0].now_phys);
}

static int choose(int fd, unsigned int turn, struct rt_kept *chosen, struct rt_err *err)
{
	struct rt_kept half[2];
	unsigned int newer, i;
	int ret = 0;

	for (i = 0; !ret && i < 2; i++)
		ret = rt_agent_kept(fd, i, &half[i], err);
	if (ret)
		return ret;
	newer = half[0].state != RT_KEPT_EARLIER ||
		(half[1].state == RT_KEPT_EARLIER &&
		 half[1].head.generation > half[0].head.generation);
	i = turn ? !newer : newer;
	if (half[i].state != RT_KEPT_EARLIER)
		return nothing(half, err);
	*chosen = half[i];
	return 0;
}

int rt_flight_recover(int fd, unsigned int turn, struct rt_kept *kept, struct rt_memory **out,
		      struct rt_err *err)
{
	struct rt_extents *extents;
	struct half *h;
	int ret = choose(fd, turn, kept, err);

	h = ret ? NULL : calloc(1, sizeof(*h));
	if (!h) {
		close(fd);
		return ret ? ret : rt_err_set(err, ENOMEM, "out of memory");
	}
	h->bytes =
		(struct rt_bytes){ .read = half_read, .close = half_close, .size = kept->length };
	h->fd = fd;
	h->number = kept->half;
	extents = rt_extents_new(&h->bytes, "memory of an earlier boot");
	if (!extents) {
		half_close(&h->bytes);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	ret = rt_extents_add(extents, kept->head.phys, 0, kept->length, kept->length);
	*out = rt_extents_memory(extents);
	if (!ret)
		return 0;
	(*out)->ops->close(*out);
	return rt_err_set(err, -ret, "out of memory");
}
