// SPDX-License-Identifier: GPL-2.0
#include "script/print/writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_TEXT 32 /* more than the digits of an address */

bool rt_writer_is_named(const struct rt_script *script, const struct rt_perf_event *event)
{
	return !script->stack.compat && rt_perf_event_is_watch(event);
}

/* The address in the text's first parentheses; false: it does not begin with one. */
static bool find_address(const struct rt_text *out, size_t from, size_t *begin, size_t *end,
			 uint64_t *ip)
{
	char digits[ADDRESS_TEXT];
	size_t len = 0;
	char *rest;

	while (from < out->len && out->base[from] == ' ')
		from++;
	if (from == out->len || out->base[from] != '(')
		return false;
	*begin = ++from;
	while (from + len < out->len && len + 1 < sizeof(digits) &&
	       isxdigit((unsigned char)out->base[from + len])) {
		digits[len] = out->base[from + len];
		len++;
	}
	digits[len] = 0;
	*end = from + len;
	if (!len || *end == out->len || out->base[*end] != ')')
		return false;
	*ip = strtoull(digits, &rest, 16);
	return true;
}

/* Whether the text is "file.c:12", and not what stands for an unknown line. */
static bool is_line(const char *text, size_t len)
{
	size_t digits = 0;

	while (digits < len && isdigit((unsigned char)text[len - 1 - digits]))
		digits++;
	return digits && digits < len && text[len - 1 - digits] == ':';
}

/* A frame has the line of debug information below the function: put it behind, or leave it out. */
static void put_place(struct rt_text *out, const struct rt_frame *frame)
{
	const char *begin = frame->text + 1, *end = frame->text + frame->len;
	const char *line = memchr(begin, '\n', (size_t)(end - begin));

	rt_text_put(out, begin, (size_t)((line ? line : end) - begin));
	if (!line)
		return;
	while (line < end && isspace((unsigned char)*line))
		line++;
	if (!is_line(line, (size_t)(end - line)))
		return;
	rt_text_char(out, ' ');
	rt_text_put(out, line, (size_t)(end - line));
}

void rt_writer_name(struct rt_frames *frames, const struct rt_item *item, size_t from,
		    struct rt_text *out)
{
	const struct rt_frame *frame;
	struct rt_text text;
	size_t begin, end;
	uint64_t ip;

	if (out->failed || !find_address(out, from, &begin, &end, &ip))
		return;
	/* User code is in the lower half of the addresses of every 64-bit machine. */
	frame = rt_frames_get(frames, item->maps, ip >> 63 ? RT_MISC_KERNEL : RT_MISC_USER, ip,
			      RT_FRAME_SYM | RT_FRAME_SYMOFF | RT_FRAME_SRCLINE | RT_FRAME_SINGLE);
	if (frame->len < 2 || frame->text[1] == '[')
		return; /* no symbol: the address says more */
	rt_text_init(&text);
	put_place(&text, frame);
	rt_text_put(&text, out->base + end, out->len - end);
	if (!text.failed) {
		out->len = begin;
		rt_text_put(out, text.base, text.len);
	}
	rt_text_free(&text);
}
