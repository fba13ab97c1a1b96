// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/digits.h"
#include "base/utf8.h"

#define TEXT_FIRST_SIZE 4096

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

const uint64_t rt_digit_powers[] = {
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

const char rt_digit_pairs[] = "00010203040506070809101112131415161718192021222324"
			      "25262728293031323334353637383940414243444546474849"
			      "50515253545556575859606162636465666768697071727374"
			      "75767778798081828384858687888990919293949596979899";

/* Write `c` `n` times; a few bytes beyond may be written. */
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

/*
 * Reserve the place of a number with n characters and write its padding; NULL if there is no room.
 */
static char *number_place(struct rt_text *t, int n, int width, char pad)
{
	int left = width > n ? width - n : 0, right = -width > n ? -width - n : 0;
	char *at;

	if (!rt_text_room(t, (size_t)left + (size_t)right + 2 * RT_DIGITS_MAX))
		return NULL;
	at = t->base + t->len;
	if (left)
		at = pad_out(at, pad, left);
	if (right)
		pad_out(at + n, ' ', right);
	t->len += (size_t)(left + n + right);
	return at;
}

void rt_text_u64(struct rt_text *t, uint64_t v)
{
	if (rt_text_room(t, RT_DIGITS_MAX))
		t->len = (size_t)(rt_digits10(t->base + t->len, v) - t->base);
}

void rt_text_s64(struct rt_text *t, int64_t v)
{
	char *at;

	if (!rt_text_room(t, RT_DIGITS_MAX))
		return;
	at = t->base + t->len;
	if (v < 0)
		*at++ = '-';
	t->len = (size_t)(rt_digits10(at, v < 0 ? -(uint64_t)v : (uint64_t)v) - t->base);
}

void rt_text_u64_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	char *at;
	int n;

	if (!width) {
		rt_text_u64(t, v);
		return;
	}
	n = rt_digits_count10(v);
	at = number_place(t, n, width, pad);
	if (at)
		rt_digits10_before(at + n, v);
}

void rt_text_s64_width(struct rt_text *t, int64_t v, int width, char pad)
{
	uint64_t abs = v < 0 ? -(uint64_t)v : (uint64_t)v;
	char *at;
	int n;

	if (!width) {
		rt_text_s64(t, v);
		return;
	}
	if (v < 0 && width > 0 && pad == '0') {
		/* Zeros go between the sign and the number. */
		rt_text_char(t, '-');
		rt_text_u64_width(t, abs, width - 1, pad);
		return;
	}
	n = rt_digits_count10(abs) + (v < 0);
	at = number_place(t, n, width, pad);
	if (at) {
		if (v < 0)
			*at = '-';
		rt_digits10_before(at + n, abs);
	}
}

void rt_text_hex_width(struct rt_text *t, uint64_t v, int width, char pad)
{
	int n = rt_digits_count16(v), left = width > n ? width - n : 0;
	char *at;

	if (width < 0) {
		at = number_place(t, n, width, pad);
		if (at) {
			/*
			 * digits16() writes more than the digits; do not overwrite the padding
			 * behind them.
			 */
			char digits[16];

			rt_digits16_of(digits, v, n);
			memcpy(at, digits, (size_t)n);
		}
		return;
	}
	if (!rt_text_room(t, (size_t)left + 2 * RT_DIGITS_MAX))
		return;
	at = t->base + t->len;
	if (left)
		at = pad_out(at, pad, left);
	rt_digits16_of(at, v, n);
	t->len += (size_t)(left + n);
}

void rt_text_digits(struct rt_text *t, uint64_t v, int n)
{
	uint32_t small = (uint32_t)v;
	char *at;

	if (!rt_text_room(t, RT_DIGITS_MAX))
		return;
	t->len += (size_t)n;
	at = t->base + t->len;
	/* 32-bit numbers divide faster, and most numbers are that small. */
	if (n == 6 && v < 1000000) {
		memcpy(at - 6, rt_digit_pairs + small / 10000 * 2, 2);
		small %= 10000;
		memcpy(at - 4, rt_digit_pairs + small / 100 * 2, 2);
		memcpy(at - 2, rt_digit_pairs + small % 100 * 2, 2);
		return;
	}
	for (; n > 0 && small == v; n -= 2) {
		at -= 2;
		memcpy(at, rt_digit_pairs + small % 100 * 2, 2);
		v = small /= 100;
	}
	for (; n > 0; n -= 2) {
		at -= 2;
		memcpy(at, rt_digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
}

void rt_text_hex(struct rt_text *t, uint64_t v)
{
	if (rt_text_room(t, RT_DIGITS_MAX))
		t->len = (size_t)(rt_digits16(t->base + t->len, v) - t->base);
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

/* The length of the UTF-8 character at s, reading at most n bytes; 0 if there is none. */
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

void rt_text_visible(struct rt_text *t, const char *s, size_t n, char avoid)
{
	const unsigned char *at = (const unsigned char *)s, *end = at + n, *run;

	while (at < end) {
		int len;

		for (run = at;
		     run < end && *run >= ' ' && *run < 0x7f && *run != (unsigned char)avoid;)
			run++;
		rt_text_put(t, at, (size_t)(run - at));
		at = run;
		if (at == end)
			break;
		len = rt_utf8_length(at);
		if (len <= 0 || at + len > end) {
			rt_text_char(t, '?');
			at++;
			continue;
		}
		/* C1 control characters are U+0080 to U+009F. */
		if (*at < ' ' || *at == 0x7f || (len == 2 && *at == 0xc2 && at[1] < 0xa0))
			rt_text_char(t, '?');
		else if (avoid && *at == (unsigned char)avoid)
			rt_text_char(t, '.');
		else
			rt_text_put(t, at, (size_t)len);
		at += len;
	}
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

int rt_text_print(const struct rt_text *t, FILE *out)
{
	int fd = fileno(out);

	if (fd >= 0)
		return rt_text_write(t, fd);
	if (fwrite(t->base, 1, t->len, out) != t->len || fflush(out))
		return -errno;
	return 0;
}
