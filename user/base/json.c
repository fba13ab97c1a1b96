// SPDX-License-Identifier: GPL-2.0
#include "base/json.h"

#include "base/utf8.h"

static void put_quoted(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int len;

	putc('"', out);
	while (*s) {
		if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s++);
		} else if (*s < 0x20) {
			fprintf(out, "\\u%04x", *s++);
		} else if (!(len = rt_utf8_length(s))) {
			fputs("\\ufffd", out);
			s++;
		} else {
			fwrite(s, 1, len, out);
			s += len;
		}
	}
	putc('"', out);
}

static void put_name(struct rt_json *j, const char *name)
{
	if (j->comma)
		putc(',', j->out);
	j->comma = true;
	if (!name)
		return;
	put_quoted(j->out, name);
	putc(':', j->out);
}

void rt_json_begin(struct rt_json *j, FILE *out)
{
	j->out = out;
	j->comma = false;
}

void rt_json_open(struct rt_json *j, const char *name, char bracket)
{
	put_name(j, name);
	putc(bracket, j->out);
	j->comma = false;
}

void rt_json_close(struct rt_json *j, char bracket)
{
	putc(bracket, j->out);
	j->comma = true;
}

void rt_json_string(struct rt_json *j, const char *name, const char *value)
{
	put_name(j, name);
	put_quoted(j->out, value);
}

void rt_json_int(struct rt_json *j, const char *name, long long value)
{
	put_name(j, name);
	fprintf(j->out, "%lld", value);
}

void rt_json_bool(struct rt_json *j, const char *name, bool value)
{
	put_name(j, name);
	fputs(value ? "true" : "false", j->out);
}
