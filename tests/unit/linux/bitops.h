/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's header of this name, for tests of parts of the module that need only libc otherwise. */
#ifndef RT_TEST_BITOPS_H
#define RT_TEST_BITOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BITS_TO_LONGS(bits) (((bits) + 63) / 64)
#define min(a, b)	    ((a) < (b) ? (a) : (b))

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

static inline void __set_bit(unsigned long i, unsigned long *bits)
{
	bits[i / 64] |= 1UL << i % 64;
}

static inline bool __test_and_clear_bit(unsigned long i, unsigned long *bits)
{
	bool was = bits[i / 64] >> i % 64 & 1;

	bits[i / 64] &= ~(1UL << i % 64);
	return was;
}

static inline unsigned long find_next_bit(const unsigned long *bits, unsigned long count,
					  unsigned long i)
{
	while (i < count && !(bits[i / 64] >> i % 64 & 1))
		i++;
	return i;
}

#endif
