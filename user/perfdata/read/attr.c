// SPDX-License-Identifier: GPL-2.0
/* attr.c - convert event attributes of any version and byte order to one layout. */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stddef.h>

static uint8_t reverse_bits(uint8_t b)
{
	b = (uint8_t)(b >> 4 | b << 4);
	b = (uint8_t)((b & 0xcc) >> 2 | (b & 0x33) << 2);
	return (uint8_t)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

/* Machines of the other byte order fill bit-fields from the other end of each byte. */
static void swap_flags(uint64_t *flags)
{
	uint8_t *b = (uint8_t *)flags;
	size_t i;

	for (i = 0; i < sizeof(*flags); i++)
		b[i] = reverse_bits(b[i]);
}

#define SWAP(field)                                                                      \
	do {                                                                             \
		if (sizeof(field) == 8)                                                  \
			field = (__typeof__(field))__builtin_bswap64((uint64_t)(field)); \
		else if (sizeof(field) == 4)                                             \
			field = (__typeof__(field))__builtin_bswap32((uint32_t)(field)); \
		else                                                                     \
			field = (__typeof__(field))__builtin_bswap16((uint16_t)(field)); \
	} while (0)

/* Fields that the file lacks are zero and stay zero. */
static void swap_attr(struct rt_attr *a)
{
	SWAP(a->type);
	SWAP(a->size);
	SWAP(a->config);
	SWAP(a->sample_period);
	SWAP(a->sample_type);
	SWAP(a->read_format);
	swap_flags(&a->flags);
	SWAP(a->wakeup_events);
	SWAP(a->bp_type);
	SWAP(a->config1);
	SWAP(a->config2);
	SWAP(a->branch_sample_type);
	SWAP(a->sample_regs_user);
	SWAP(a->sample_stack_user);
	SWAP(a->clockid);
	SWAP(a->sample_regs_intr);
	SWAP(a->aux_watermark);
	SWAP(a->sample_max_stack);
	SWAP(a->aux_sample_size);
	SWAP(a->aux_action);
	SWAP(a->sig_data);
	SWAP(a->config3);
	SWAP(a->config4);
}

/* Return the bytes that the attr takes in the file; -EBADMSG if that is more than there are. */
int rt_attr_read(const void *data, size_t size, bool swap, struct rt_attr *attr)
{
	uint32_t real;

	memset(attr, 0, sizeof(*attr));
	if (size < RT_ATTR_SIZE_VER0)
		return -EBADMSG;
	real = load32((const uint8_t *)data + offsetof(struct rt_attr, size), swap);
	if (!real)
		real = RT_ATTR_SIZE_VER0;
	if (real < RT_ATTR_SIZE_VER0 || real > size || real > RT_ATTR_SIZE_MAX)
		return -EBADMSG;
	memcpy(attr, data, real < sizeof(*attr) ? real : sizeof(*attr));
	if (swap)
		swap_attr(attr);
	return (int)real;
}
