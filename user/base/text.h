/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - a growing text buffer, filled without printf.
 *
 * The hot paths (a line for each of a million samples) spend their time here, so integers are
 * formatted by hand and one bounds check covers a whole field.  If memory runs out, the buffer
 * keeps what it has, drops the rest and sets `failed`; the caller checks once, at the end.
 */
#ifndef RT_BASE_TEXT_H
#define RT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct rt_text {
	char *base;
	size_t len;
	size_t size;
	bool failed;
};

void rt_text_init(struct rt_text *t);
void rt_text_free(struct rt_text *t);

/* Make room for `more` bytes; false if there is no memory. */
bool rt_text_grow(struct rt_text *t, size_t more);

static inline void rt_text_reset(struct rt_text *t)
{
	t->len = 0;
}

static inline bool rt_text_room(struct rt_text *t, size_t more)
{
	return t->size - t->len >= more || rt_text_grow(t, more);
}

/* Copy up to 16 bytes in two moves that may overlap: most pieces of a line are that short. */
static inline void rt_text_copy_short(char *to, const char *from, size_t n)
{
	uint64_t first, last;
	uint32_t first4, last4;
	uint16_t first2, last2;

	if (n >= 8) {
		memcpy(&first, from, 8);
		memcpy(&last, from + n - 8, 8);
		memcpy(to, &first, 8);
		memcpy(to + n - 8, &last, 8);
	} else if (n >= 4) {
		memcpy(&first4, from, 4);
		memcpy(&last4, from + n - 4, 4);
		memcpy(to, &first4, 4);
		memcpy(to + n - 4, &last4, 4);
	} else if (n >= 2) {
		memcpy(&first2, from, 2);
		memcpy(&last2, from + n - 2, 2);
		memcpy(to, &first2, 2);
		memcpy(to + n - 2, &last2, 2);
	} else if (n) {
		*to = *from;
	}
}

static inline void rt_text_put(struct rt_text *t, const void *bytes, size_t n)
{
	if (n && rt_text_room(t, n)) {
		if (__builtin_constant_p(n) || n > 16)
			memcpy(t->base + t->len, bytes, n);
		else
			rt_text_copy_short(t->base + t->len, bytes, n);
		t->len += n;
	}
}

static inline void rt_text_char(struct rt_text *t, char c)
{
	if (rt_text_room(t, 1))
		t->base[t->len++] = c;
}

static inline void rt_text_str(struct rt_text *t, const char *s)
{
	rt_text_put(t, s, strlen(s));
}

/*
 * Copy the first `n` bytes of a source with `size` bytes, which are whole blocks including padding.
 * Copying whole blocks takes one move each, whatever n is.
 */
#define RT_BUFFER_BLOCK 16
static inline void rt_text_blocks(struct rt_text *t, const char *bytes, size_t n, size_t size)
{
	char *to;

	if (!rt_text_room(t, size))
		return;
	to = t->base + t->len;
	t->len += n;
	for (; size; size -= RT_BUFFER_BLOCK, to += RT_BUFFER_BLOCK, bytes += RT_BUFFER_BLOCK)
		memcpy(to, bytes, RT_BUFFER_BLOCK);
}

static inline void rt_text_block(struct rt_text *t, const char *bytes, size_t n)
{
	if (n > RT_BUFFER_BLOCK)
		rt_text_put(t, bytes, n);
	else
		rt_text_blocks(t, bytes, n, RT_BUFFER_BLOCK);
}

/* Append a literal; the compiler knows its length. */
#define rt_text_lit(t, s) rt_text_put(t, s, sizeof(s) - 1)

/* Append `c` `n` times; nothing if n is not positive. */
void rt_text_fill(struct rt_text *t, char c, int n);

/* Append a string right-aligned (width > 0) or left-aligned (width < 0), like %*s. */
void rt_text_str_width(struct rt_text *t, const char *s, int width);

/* Numbers.  width and pad work as in %5d, %-5d (width < 0) and %05d (pad '0'). */
void rt_text_u64(struct rt_text *t, uint64_t v);
void rt_text_s64(struct rt_text *t, int64_t v);
void rt_text_hex(struct rt_text *t, uint64_t v);
void rt_text_u64_width(struct rt_text *t, uint64_t v, int width, char pad);
void rt_text_s64_width(struct rt_text *t, int64_t v, int width, char pad);
void rt_text_hex_width(struct rt_text *t, uint64_t v, int width, char pad);
/*
 * Append the last `n` decimal digits, n even and at most 18; for a number below 10^n this is %0*u.
 */
void rt_text_digits(struct rt_text *t, uint64_t v, int n);

/* For rare cases. */
void rt_text_printf(struct rt_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Append a string in double quotes, escaped for JSON. */
void rt_text_json(struct rt_text *t, const char *s, size_t n);
/*
 * Append a name from a recording: '?' in place of control characters and of bytes that are not
 * UTF-8, '.' in place of the character `avoid`, unless that is 0.
 */
void rt_text_visible(struct rt_text *t, const char *s, size_t n, char avoid);
/* Append one field of a comma-separated line, quoted if necessary. */
void rt_text_csv(struct rt_text *t, const char *s, size_t n);

/* Write everything to `fd`; 0 or a negative errno.  The buffer does not change. */
int rt_text_write(const struct rt_text *t, int fd);
/*
 * The same to a stream: to its descriptor, past its buffer, which must be empty; to a stream without a
 * descriptor through the buffer.
 */
int rt_text_print(const struct rt_text *t, FILE *out);

#endif
