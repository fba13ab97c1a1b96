// SPDX-License-Identifier: GPL-2.0
#include "cli/terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/text.h"

static struct {
	FILE *raw;	/* standard output, where stdout is the guard */
	char rest[4];	/* the beginning of a character whose end has not been written yet */
	size_t pending; /* bytes of it */
} guard;

/* As rt_text_visible(), but newlines and tabs stay. */
static void put_lines(struct rt_text *t, const char *bytes, size_t n)
{
	size_t i, from = 0;

	for (i = 0; i <= n; i++) {
		if (i < n && bytes[i] != '\n' && bytes[i] != '\t')
			continue;
		rt_text_visible(t, bytes + from, i - from, 0);
		if (i < n)
			rt_text_char(t, bytes[i]);
		from = i + 1;
	}
}

/* How many bytes at the end begin a character that they do not complete. */
static size_t open_end(const char *bytes, size_t n)
{
	size_t i;

	for (i = 1; i <= 3 && i <= n; i++) {
		unsigned char c = (unsigned char)bytes[n - i];

		if (c >= 0xc0)
			return i < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? i : 0;
		if (c < 0x80)
			break;
	}
	return 0;
}

static ssize_t write_guarded(void *cookie, const char *bytes, size_t n)
{
	struct rt_text all, out;
	size_t i;
	int ret;

	(void)cookie;
	rt_text_init(&all);
	rt_text_init(&out);
	for (i = 0; i < guard.pending; i++)
		rt_text_char(&all, guard.rest[i]);
	rt_text_put(&all, bytes, n);
	ret = all.failed ? -ENOMEM : 0;
	if (!ret) {
		guard.pending = open_end(all.base, all.len);
		memcpy(guard.rest, all.base + all.len - guard.pending, guard.pending);
		put_lines(&out, all.base, all.len - guard.pending);
		ret = out.failed ? -ENOMEM : rt_text_write(&out, STDOUT_FILENO);
	}
	rt_text_free(&all);
	rt_text_free(&out);
	if (ret) {
		errno = -ret;
		return 0;
	}
	return (ssize_t)n;
}

void rt_terminal_guard(void)
{
	const cookie_io_functions_t functions = { .write = write_guarded };
	FILE *f;

	if (!isatty(STDOUT_FILENO))
		return;
	f = fopencookie(NULL, "w", functions);
	if (!f)
		return;
	setvbuf(f, NULL, _IOLBF, BUFSIZ);
	guard.raw = stdout;
	stdout = f;
}

FILE *rt_terminal_stdout(void)
{
	return guard.raw ? guard.raw : stdout;
}

void rt_terminal_complain(const char *bytes, size_t n)
{
	struct rt_text out;

	rt_text_init(&out);
	if (isatty(STDERR_FILENO))
		put_lines(&out, bytes, n);
	else
		rt_text_put(&out, bytes, n);
	fwrite(out.base, 1, out.len, stderr);
	rt_text_free(&out);
}
