/* SPDX-License-Identifier: GPL-2.0 */
/*
 * digits.h - numbers as digits, for the code that prints a million of them: everything is inline,
 * and the caller has made room.
 */
#ifndef RT_BASE_DIGITS_H
#define RT_BASE_DIGITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define RT_DIGITS_MAX 24 /* bytes that any of these functions may write */

/* "00", "01", … "99" and the powers of ten (text.c) */
extern const char rt_digit_pairs[];
extern const uint64_t rt_digit_powers[];

/* The number of decimal digits of v: estimated from its bits, then corrected by at most one. */
static inline int rt_digits_count10(uint64_t v)
{
	/* 1233 / 4096 is slightly more than the logarithm of 2 to base 10. */
	int n = ((64 - __builtin_clzll(v | 1)) * 1233) >> 12;

	return n + (v >= rt_digit_powers[n]);
}

static inline int rt_digits_count16(uint64_t v)
{
	return (67 - __builtin_clzll(v | 1)) / 4;
}

/* Write the digits of v so that the last one is just before end. */
static inline void rt_digits10_before(char *end, uint64_t v)
{
	uint32_t small;

	while (v > UINT32_MAX) {
		end -= 2;
		memcpy(end, rt_digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	for (small = (uint32_t)v; small >= 100; small /= 100) {
		end -= 2;
		memcpy(end, rt_digit_pairs + small % 100 * 2, 2);
	}
	if (small >= 10)
		memcpy(end - 2, rt_digit_pairs + small * 2, 2);
	else
		end[-1] = (char)('0' + small);
}

/* Write the digits of v; return their end. */
static inline char *rt_digits10(char *at, uint64_t v)
{
	if (v >= 10) {
		at += rt_digits_count10(v);
		rt_digits10_before(at, v);
		return at;
	}
	*at = (char)('0' + v);
	return at + 1;
}

typedef uint8_t rt_digits_bytes __attribute__((vector_size(16)));
typedef uint64_t rt_digits_words __attribute__((vector_size(16)));

/* Take bytes of both in turns; clang and older versions of gcc each have only one of the two. */
#define RT_DIGITS_TURNS 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#ifdef __clang__
#define rt_digits_zip(a, b) __builtin_shufflevector(a, b, RT_DIGITS_TURNS)
#else
#define rt_digits_zip(a, b) __builtin_shuffle(a, b, (rt_digits_bytes){ RT_DIGITS_TURNS })
#endif

/* Write the n hexadecimal digits of v; sixteen bytes are written.  Return their end. */
static inline char *rt_digits16_of(char *at, uint64_t v, int n)
{
	/* Two digits in each byte, the first ones at the lowest address. */
	uint64_t both = htobe64(v << (64 - 4 * n));
	rt_digits_words high = { both >> 4 & 0x0f0f0f0f0f0f0f0fULL, 0 };
	rt_digits_words low = { both & 0x0f0f0f0f0f0f0f0fULL, 0 };
	rt_digits_bytes x = rt_digits_zip((rt_digits_bytes)high, (rt_digits_bytes)low);

	x += '0' + ((rt_digits_bytes)(x > 9) & ('a' - '0' - 10));
	memcpy(at, &x, sizeof(x));
	return at + n;
}

static inline char *rt_digits16(char *at, uint64_t v)
{
	return rt_digits16_of(at, v, rt_digits_count16(v));
}

#endif
