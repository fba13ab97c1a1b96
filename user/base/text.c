// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"

#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"

#define TEXT_FIRST_SIZE 4096
#define NUMBER_MAX	24 /* the longest 64-bit number in any base we print */

void rt_text_init(struct rt_text *t)
{
	memset(t, 0, sizeof(*t));
}

void rt_text_free(struct rt_text *t)
{
	free(t->base);
	rt_text_init(t);
}

bool rt_text_grow(struct rt_text *t, size_t more)
{
	size_t size = t->size ? t->size : TEXT_FIRST_SIZE;
	char *base;

	if (t->failed)
		return false;
	while (size - t->len < more) {
		if (size > SIZE_MAX / 2) {
			t->failed = true;
			return false;
		}
		size *= 2;
	}
	base = realloc(t->base, size);
	if (!base) {
		t->failed = true;
		return false;
	}
	t->base = base;
	t->size = size;
	return true;
}

void rt_text_fill(struct rt_text *t, char c, int n)
{
	if (n > 0 && rt_text_room(t, n)) {
		memset(t->base + t->len, c, n);
		t->len += n;
	}
}

void rt_text_str_width(struct rt_text *t, const char *s, int width)
{
	size_t n = strlen(s);

	if (width > 0 && n < (size_t)width)
		rt_text_fill(t, ' ', width - (int)n);
	rt_text_put(t, s, n);
	if (width < 0 && n < (size_t)-width)
		rt_text_fill(t, ' ', -width - (int)n);
}

/* How many decimal digits v has: from its bits, then one look whether that was one too few. */
static int count10(uint64_t v)
{
	static const uint64_t power[] = {
		0ULL,
		10ULL,
		100ULL,
		1000ULL,
		10000ULL,
		100000ULL,
		1000000ULL,
		10000000ULL,
		100000000ULL,
		1000000000ULL,
		10000000000ULL,
		100000000000ULL,
		1000000000000ULL,
		10000000000000ULL,
		100000000000000ULL,
		1000000000000000ULL,
		10000000000000000ULL,
		100000000000000000ULL,
		1000000000000000000ULL,
		10000000000000000000ULL,
	};
	/* 1233 / 4096 is a little more than the logarithm of 2 to base 10. */
	int n = ((64 - __builtin_clzll(v | 1)) * 1233) >> 12;

	return n + (v >= power[n]);
}

static int count16(uint64_t v)
{
	return (67 - __builtin_clzll(v | 1)) / 4;
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static void digits10_32(char *end, uint32_t v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(end - 2, pairs + v * 2, 2);
	else
		end[-1] = '0' + (char)v;
}

/* The digits of v, the last one before end. */
static void digits10(char *end, uint64_t v)
{
	while (v > UINT32_MAX) {
		end -= 2;
		memcpy(end, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	digits10_32(end, (uint32_t)v);
}

/* Eight hexadecimal digits at once, one in each byte; the first digit in the lowest address. */
static uint64_t eight_digits16(uint32_t v)
{
	uint64_t x = v, above9;

	x = (x << 16 | x) & 0x0000ffff0000ffffULL;
	x = (x << 8 | x) & 0x00ff00ff00ff00ffULL;
	x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0fULL;
	above9 = (x + 0x0606060606060606ULL) >> 4 & 0x0101010101010101ULL;
	return htobe64(x + 0x3030303030303030ULL + above9 * ('a' - '0' - 10));
}

/* The n digits of v from `at` on; sixteen bytes may be written. */
static void digits16(char *at, uint64_t v, int n)
{
	uint64_t eight;

	v <<= 64 - 4 * n;
	eight = eight_digits16((uint32_t)(v >> 32));
	memcpy(at, &eight, 8);
	if (n > 8) {
		eight = eight_digits16((uint32_t)v);
		memcpy(at + 8, &eight, 8);
	}
}

/* `n` times `c`; a few bytes beyond may be written. */
static char *pad_out(char *at, char c, int n)
{
	uint64_t eight = (unsigned char)c * 0x0101010101010101ULL;

	if (n > 16) {
		memset(at, c, (size_t)n);
	} else {
		memcpy(at, &eight, 8);
		memcpy(at + 8, &eight, 8);
	}
	return at + n;
}

/* Where the n characters of a number go, padding on both sides done; NULL: there is no room. */
static char *number_place(struct rt_text *t, int n, int width, char pad)
{
	int left = width > n ? width - n : 0, right = -width > n ? -width - n : 0;
	char *at;

	if (!rt_text_room(t, (size_t)left + (size_t)right + 2 * NUMBER_MAX))
		return NULL;
	at = t->base + t->len;
	if (left)
		at = pad_out(at, pad, left);
	if (right)
		pad_out(at + n, ' ', right);
	t->len += (size_t)(left + n + right);
	return at;
}

void rt_text_u64_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	int n = count10(v);
	char *at = number_place(t, n, width, pad);

	if (at)
		digits10(at + n, v);
}

void rt_text_s64_width(struct rt_text *t, int64_t v, int width, char pad)
{
	uint64_t abs = v < 0 ? -(uint64_t)v : (uint64_t)v;
	int n = count10(abs);
	char *at;

	if (v < 0 && width > 0 && pad == '0') {
		/* Zeros come between the sign and the number. */
		rt_text_char(t, '-');
		rt_text_u64_width(t, abs, width - 1, pad);
		return;
	}
	n += v < 0;
	at = number_place(t, n, width, pad);
	if (at) {
		if (v < 0)
			*at = '-';
		digits10(at + n, abs);
	}
}

void rt_text_hex_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	int n = count16(v), left = width > n ? width - n : 0;
	char *at;

	if (width < 0) {
		at = number_place(t, n, width, pad);
		if (at) {
			/* More than the digits is written: not over the padding behind them. */
			char digits[16];

			digits16(digits, v, n);
			memcpy(at, digits, (size_t)n);
		}
		return;
	}
	if (!rt_text_room(t, (size_t)left + 2 * NUMBER_MAX))
		return;
	at = t->base + t->len;
	if (left)
		at = pad_out(at, pad, left);
	digits16(at, v, n);
	t->len += (size_t)(left + n);
}

void rt_text_digits(struct rt_text *t, uint64_t v, int n)
{
	char *at;

	if (!rt_text_room(t, NUMBER_MAX))
		return;
	t->len += (size_t)n;
	for (at = t->base + t->len; n > 0; n -= 2) {
		at -= 2;
		memcpy(at, pairs + v % 100 * 2, 2);
		v /= 100;
	}
}

void rt_text_u64(struct rt_text *t, uint64_t v)
{
	rt_text_u64_width(t, v, 0, ' ');
}

void rt_text_s64(struct rt_text *t, int64_t v)
{
	rt_text_s64_width(t, v, 0, ' ');
}

void rt_text_hex(struct rt_text *t, uint64_t v)
{
	rt_text_hex_width(t, v, 0, ' ');
}

void rt_text_printf(struct rt_text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!rt_text_room(t, 1))
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->base + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= t->size - t->len) {
		if (!rt_text_room(t, (size_t)n + 1))
			return;
		va_start(ap, fmt);
		n = vsnprintf(t->base + t->len, t->size - t->len, fmt, ap);
		va_end(ap);
	}
	if (n > 0)
		t->len += n;
}

/* Length of the UTF-8 character at s, of which n bytes may be read; 0: there is none. */
static size_t utf8(const char *s, size_t n)
{
	unsigned char copy[8] = { 0 };
	size_t len;

	memcpy(copy, s, n < 4 ? n : 4);
	len = (size_t)rt_utf8_length(copy);
	return len <= n ? len : 0;
}

void rt_text_json(struct rt_text *t, const char *s, size_t n)
{
	size_t i, len;

	rt_text_char(t, '"');
	for (i = 0; i < n; i++) {
		unsigned char c = s[i];

		if (c >= 0x80) {
			len = utf8(s + i, n - i);
			if (len) {
				rt_text_put(t, s + i, len);
				i += len - 1;
			} else {
				rt_text_lit(t, "\\ufffd");
			}
			continue;
		}

		if (c == '"' || c == '\\') {
			rt_text_char(t, '\\');
			rt_text_char(t, (char)c);
		} else if (c == '\n') {
			rt_text_lit(t, "\\n");
		} else if (c == '\t') {
			rt_text_lit(t, "\\t");
		} else if (c < 0x20 || c == 0x7f) {
			rt_text_lit(t, "\\u00");
			rt_text_hex_width(t, c, 2, '0');
		} else {
			rt_text_char(t, (char)c);
		}
	}
	rt_text_char(t, '"');
}

void rt_text_csv(struct rt_text *t, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strchr(",\"\n\r", s[i]) && s[i])
			break;
	if (i == n) {
		rt_text_put(t, s, n);
		return;
	}
	rt_text_char(t, '"');
	for (i = 0; i < n; i++) {
		if (s[i] == '"')
			rt_text_char(t, '"');
		rt_text_char(t, s[i]);
	}
	rt_text_char(t, '"');
}

int rt_text_write(const struct rt_text *t, int fd)
{
	size_t done = 0;

	while (done < t->len) {
		ssize_t n = write(fd, t->base + done, t->len - done);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		done += n;
	}
	return 0;
}
