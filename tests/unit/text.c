// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "tap.h"

static struct rt_text t;

static const char *result(void)
{
	rt_text_char(&t, 0);
	t.len = 0;
	return t.base;
}

/* Our formatting must give the same as printf, for every width and value. */
static void against_printf(void)
{
	static const uint64_t values[] = { 0,
					   1,
					   7,
					   8,
					   9,
					   10,
					   15,
					   16,
					   99,
					   100,
					   255,
					   256,
					   999,
					   1000,
					   12345,
					   99999,
					   100000,
					   4294967295,
					   999999999999999999,
					   1000000000000000000,
					   9999999999999999999ull,
					   10000000000000000000ull,
					   1ull << 63,
					   UINT64_MAX };
	static const int widths[] = { 0, 1, 3, 5, 12, 16, 25, -1, -5, -20 };
	char want[64];
	size_t i, j;
	int bad = 0;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		for (j = 0; j < sizeof(widths) / sizeof(*widths); j++) {
			snprintf(want, sizeof(want), "%*" PRIu64, widths[j], values[i]);
			rt_text_u64_width(&t, values[i], widths[j], ' ');
			bad += !!strcmp(result(), want);
			snprintf(want, sizeof(want), "%*" PRIx64, widths[j], values[i]);
			rt_text_hex_width(&t, values[i], widths[j], ' ');
			bad += !!strcmp(result(), want);
			snprintf(want, sizeof(want), "%*" PRId64, widths[j], (int64_t)values[i]);
			rt_text_s64_width(&t, (int64_t)values[i], widths[j], ' ');
			bad += !!strcmp(result(), want);
			if (widths[j] < 0)
				continue;
			snprintf(want, sizeof(want), "%0*" PRId64, widths[j], (int64_t)values[i]);
			rt_text_s64_width(&t, (int64_t)values[i], widths[j], '0');
			bad += !!strcmp(result(), want);
		}
	}
	is_int(bad, 0, "numbers equal printf's in every width");
	rt_text_digits(&t, 42, 6);
	rt_text_char(&t, '|');
	rt_text_digits(&t, 987654321012345678, 18);
	is_str(result(), "000042|987654321012345678", "a number of digits that is known");
}

static void by_blocks(void)
{
	static const char padded[32] = "sixteen letters and some more";
	size_t n;
	int bad = 0;

	for (n = 0; n <= 29; n++) {
		rt_text_lit(&t, "<");
		rt_text_blocks(&t, padded, n, sizeof(padded));
		rt_text_block(&t, padded, n);
		rt_text_put(&t, padded, n);
		rt_text_lit(&t, ">");
		bad += t.len != 3 * n + 2 || t.base[t.len - 1] != '>' ||
		       memcmp(t.base + 1, padded, n) || memcmp(t.base + 1 + n, padded, n) ||
		       memcmp(t.base + 1 + 2 * n, padded, n);
		rt_text_reset(&t);
	}
	is_int(bad, 0, "pieces of every length are copied whole");
}

int main(void)
{
	char *big = malloc(100000);
	int p[2];

	rt_text_init(&t);
	against_printf();
	by_blocks();
	rt_text_str_width(&t, "perf", 8);
	rt_text_char(&t, '|');
	rt_text_str_width(&t, "perf", -8);
	rt_text_char(&t, '|');
	rt_text_str_width(&t, "longer than that", 4);
	is_str(result(), "    perf|perf    |longer than that", "strings are aligned");
	rt_text_json(&t, "a\"b\\c\n\t\001\177z", 10);
	is_str(result(), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007fz\"", "JSON strings are escaped");
	rt_text_json(&t, "\xc3\xa9\xff\xc3", 4);
	is_str(result(), "\"\xc3\xa9\\ufffd\\ufffd\"", "JSON strings are UTF-8 whatever comes");
	rt_text_csv(&t, "plain", 5);
	rt_text_char(&t, ',');
	rt_text_csv(&t, "a,\"b\"", 5);
	is_str(result(), "plain,\"a,\"\"b\"\"\"", "CSV fields are quoted when needed");
	memset(big, 'x', 99999);
	big[99999] = 0;
	rt_text_printf(&t, "%s!", big);
	is_int(t.len, 100000, "printf grows the buffer");
	rt_text_reset(&t);
	rt_text_lit(&t, "through a pipe");
	ok(!pipe(p) && !rt_text_write(&t, p[1]), "written to a descriptor");
	is_int(read(p[0], big, 100), 14, "all of it");
	ok(rt_text_write(&t, -1) < 0, "a bad descriptor is reported");
	ok(!t.failed, "nothing failed so far");
	rt_text_room(&t, SIZE_MAX / 2);
	ok(t.failed, "no memory: said so");
	is_int(t.len, 14, "no memory: what was there is kept");
	rt_text_free(&t);
	free(big);
	return tap_done();
}
