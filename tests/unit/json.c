// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "tap.h"

static const char *written(void (*write)(struct rt_json *j))
{
	static char *text;
	struct rt_json j;
	size_t size;
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	rt_json_begin(&j, f);
	write(&j);
	fclose(f);
	return text;
}

static void nested(struct rt_json *j)
{
	rt_json_open(j, NULL, '{');
	rt_json_int(j, "n", -5);
	rt_json_open(j, "list", '[');
	rt_json_bool(j, NULL, true);
	rt_json_bool(j, NULL, false);
	rt_json_close(j, ']');
	rt_json_open(j, "empty", '{');
	rt_json_close(j, '}');
	rt_json_string(j, "s", "x");
	rt_json_close(j, '}');
}

static void escapes(struct rt_json *j)
{
	rt_json_string(
		j, NULL,
		"a\"b\\c\n\x01 \xc3\xa9 \xff \xc0\xaf \xed\xa0\x80 \xf0\x9f\xa6\x9d \xe2\x82");
}

int main(void)
{
	is_str(written(nested), "{\"n\":-5,\"list\":[true,false],\"empty\":{},\"s\":\"x\"}",
	       "commas stand between values only");
	is_str(written(escapes),
	       "\"a\\\"b\\\\c\\u000a\\u0001 \xc3\xa9 \\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd "
	       "\xf0\x9f\xa6\x9d \\ufffd\\ufffd\"",
	       "escapes, and bytes that are no characters");
	is_int(rt_utf8_length((const unsigned char *)""), 0, "the end is no character");
	return tap_done();
}
