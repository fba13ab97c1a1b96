/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - a growing buffer of text, filled without printf.
 *
 * The hot paths (a line for each of a million samples) spend their time here, so
 * that integers are formatted by hand and one bounds check covers a whole field.
 * When memory runs out the buffer keeps what it has, drops the rest and says so in
 * `failed`; a caller looks once, at the end.
 */
#ifndef RT_BASE_TEXT_H
#define RT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rt_text {
	char *base;
	size_t len;
	size_t size;
	bool failed;
};

void rt_text_init(struct rt_text *t);
void rt_text_free(struct rt_text *t);

/* Make room for `more` bytes; false when there is no memory. */
bool rt_text_grow(struct rt_text *t, size_t more);

static inline void rt_text_reset(struct rt_text *t)
{
	t->len = 0;
}

static inline bool rt_text_room(struct rt_text *t, size_t more)
{
	return t->size - t->len >= more || rt_text_grow(t, more);
}

/* Up to 16 bytes, in two moves that may overlap: most pieces of a line are that short. */
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
 * The first `n` bytes of something that has `size` of them, whole blocks, if only as filling:
 * copied by the block, which is one move, whatever their number is.
 */
#define RT_TEXT_BLOCK 16
static inline void rt_text_blocks(struct rt_text *t, const char *bytes, size_t n, size_t size)
{
	char *to;

	if (!rt_text_room(t, size))
		return;
	to = t->base + t->len;
	t->len += n;
	for (; size; size -= RT_TEXT_BLOCK, to += RT_TEXT_BLOCK, bytes += RT_TEXT_BLOCK)
		memcpy(to, bytes, RT_TEXT_BLOCK);
}

static inline void rt_text_block(struct rt_text *t, const char *bytes, size_t n)
{
	if (n > RT_TEXT_BLOCK)
		rt_text_put(t, bytes, n);
	else
		rt_text_blocks(t, bytes, n, RT_TEXT_BLOCK);
}

/* A literal, its length known to the compiler. */
#define rt_text_lit(t, s) rt_text_put(t, s, sizeof(s) - 1)

/* `n` times `c`; nothing when n is not positive. */
void rt_text_fill(struct rt_text *t, char c, int n);

/* A string right-aligned (width > 0) or left-aligned (width < 0), as %*s does. */
void rt_text_str_width(struct rt_text *t, const char *s, int width);

/* Numbers.  width and pad work as in %5d, %-5d (width < 0) and %05d (pad '0'). */
void rt_text_u64(struct rt_text *t, uint64_t v);
void rt_text_s64(struct rt_text *t, int64_t v);
void rt_text_hex(struct rt_text *t, uint64_t v);
void rt_text_u64_width(struct rt_text *t, uint64_t v, int width, char pad);
void rt_text_s64_width(struct rt_text *t, int64_t v, int width, char pad);
void rt_text_hex_width(struct rt_text *t, uint64_t v, int width, char pad);
/* The last `n` decimal digits, n even and no more than 18: of a number below 10^n %0*u. */
void rt_text_digits(struct rt_text *t, uint64_t v, int n);

/* For what is rare. */
void rt_text_printf(struct rt_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A string inside double quotes, with everything JSON wants escaped. */
void rt_text_json(struct rt_text *t, const char *s, size_t n);
/* One field of a comma-separated line, quoted when it has to be. */
void rt_text_csv(struct rt_text *t, const char *s, size_t n);

/* Write everything to `fd`; 0 or a negative errno.  The buffer is left as it is. */
int rt_text_write(const struct rt_text *t, int fd);

#endif
