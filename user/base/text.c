// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"

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

/* The digits of v, the last one before end. */
static void digits10(char *end, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

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

static void digits16(char *end, uint64_t v)
{
	static const char digits[] = "0123456789abcdef";

	if (v < 16) {
		end[-1] = digits[v];
		return;
	}
	/* By twos, so that not every digit waits for the one before. */
	do {
		end -= 2;
		end[1] = digits[v & 15];
		end[0] = digits[v >> 4 & 15];
		v >>= 8;
	} while (v >= 16);
	if (v)
		end[-1] = digits[v];
}

/* Room for the n characters of a number, after the padding on its left. */
static char *number_begin(struct rt_text *t, int n, int width, char pad)
{
	rt_text_fill(t, pad, width - n);
	if (!rt_text_room(t, NUMBER_MAX))
		return NULL;
	t->len += n;
	return t->base + t->len;
}

static void number_end(struct rt_text *t, int n, int width)
{
	if (width < 0)
		rt_text_fill(t, ' ', -width - n);
}

void rt_text_u64_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	int n = count10(v);
	char *end = number_begin(t, n, width, pad);

	if (end)
		digits10(end, v);
	number_end(t, n, width);
}

void rt_text_s64_width(struct rt_text *t, int64_t v, int width, char pad)
{
	uint64_t abs = v < 0 ? -(uint64_t)v : (uint64_t)v;
	int n = count10(abs);
	char *end;

	if (v < 0 && (width <= 0 || pad == '0' || width <= n)) {
		/* Nothing comes between the sign and the number, or zeros do. */
		rt_text_char(t, '-');
		width += width > 0 ? -1 : width < 0 ? 1 : 0;
		rt_text_u64_width(t, abs, width, pad);
		return;
	}
	n += v < 0;
	end = number_begin(t, n, width, pad);
	if (end) {
		digits10(end, abs);
		if (v < 0)
			end[-n] = '-';
	}
	number_end(t, n, width);
}

void rt_text_hex_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	int n = count16(v);
	char *end = number_begin(t, n, width, pad);

	if (end)
		digits16(end, v);
	number_end(t, n, width);
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
