// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata_tracing.c - formats of tracepoints: names and fields in both byte orders, and the
 * section cut at every byte.  With an argument it writes the file there, as a seed for the fuzzer.
 */
#include <traceevent/event-parse.h>

#include "perfdata/read/reader.h"
#include "perfdata_build.h"
#include "tap.h"

#define EVENT_ID 77

static const char format[] = "name: jump\nID: 77\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
			     "\n"
			     "\tfield:u64 height;\toffset:8;\tsize:8;\tsigned:0;\n"
			     "\tfield:char who[16];\toffset:16;\tsize:16;\tsigned:0;\n"
			     "\n"
			     "print fmt: \"height=%llu\twho=%s\", REC->height, REC->who\n";
static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static void put_sized(struct build *b, const char *text)
{
	put64(b, strlen(text));
	put(b, text, strlen(text));
}

static void make_tracing(struct build *b, int swap)
{
	int big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;

	memset(b, 0, sizeof(*b));
	b->swap = swap;
	put(b, "\027\010\104tracing", 10);
	put_string(b, "0.6", 1);
	put8(b, (uint8_t)big);
	put8(b, 8);
	put32(b, 4096);
	put_string(b, "header_page", 1);
	put_sized(b, page);
	put_string(b, "header_event", 1);
	put_sized(b, "nothing of interest");
	put32(b, 0); /* ftrace's own */
	put32(b, 1);
	put_string(b, "sport", 1);
	put32(b, 1);
	put_sized(b, format);
	put32(b, 0); /* kallsyms */
	put32(b, 32);
	put(b, "0xffff0000 : \"a\"\n0x1 : \"hello\\n\"", 32);
	put64(b, 9);
	put(b, "7 someone", 9);
}

static void make_file(struct build *b, const struct build *tracing, size_t cut, int swap)
{
	struct rt_attr attr = {
		.type = RT_TYPE_TRACEPOINT,
		.config = EVENT_ID,
		.sample_type = RT_SAMPLE_TIME | RT_SAMPLE_RAW,
		.flags = RT_ATTR_SAMPLE_ID_ALL,
	};
	struct feature f = { RT_FEATURE_TRACING_DATA, tracing->data, cut };
	struct feature host = { RT_FEATURE_HOSTNAME, "\0\0\0\0", 4 };
	struct feature both[2] = { f, host };

	begin_file(b, &attr, 1, 112, swap);
	begin_record(b, RT_PERF_RECORD_SAMPLE, 0);
	put64(b, 5);
	put32(b, 36);
	put16(b, EVENT_ID);
	put16(b, 0);
	put32(b, 7);
	put64(b, 1234);
	put_string(b, "a jumper", 16);
	put32(b, 0);
	end_record(b);
	end_file(b, both, 2);
}

static int open_it(const struct build *b, struct rt_reader **r)
{
	struct rt_err err;
	char path[64];
	int ret, fd = memory_file(b->data, b->size, path);

	ret = rt_reader_open(path, NULL, r, &err);
	close(fd);
	return ret;
}

static void test(int swap)
{
	struct tep_format_field *field;
	const struct rt_perf_event *e;
	struct build tracing, b;
	struct rt_reader *r;
	size_t cut, bad = 0;

	make_tracing(&tracing, swap);
	make_file(&b, &tracing, tracing.size, swap);
	if (!ok(!open_it(&b, &r), "a file with formats opens%s", swap ? ", other order" : ""))
		exit(1);
	ok(!rt_reader_warning(r, 0), "nothing is wrong with it");
	e = rt_reader_events(r)->list[0];
	is_str(rt_perf_event_name(e), "sport:jump", "the event has its name");
	field = e->format ? tep_find_field(e->format, "height") : NULL;
	ok(field && field->offset == 8 && field->size == 8, "and its fields");
	ok(e->format && !(e->format->flags & (int)TEP_EVENT_FL_FAILED),
	   "a print format with a tab is understood");
	is_str(rt_reader_printk(r, 0xffff0000) ? rt_reader_printk(r, 0xffff0000) : "nothing", "a",
	       "the kernel's texts are known by their address");
	is_str(rt_reader_printk(r, 1) ? rt_reader_printk(r, 1) : "nothing", "hello",
	       "without the end of their line");
	ok(!rt_reader_printk(r, 2), "and no others");
	rt_reader_close(r);
	free(b.data);

	for (cut = 0; cut < tracing.size; cut++) {
		make_file(&b, &tracing, cut, swap);
		if (open_it(&b, &r)) {
			bad++;
		} else {
			bad += !rt_reader_warning(r, 0);
			rt_reader_close(r);
		}
		free(b.data);
	}
	is_int(bad, 0, "cut at any of %zu bytes the file opens, with a warning", tracing.size);
	free(tracing.data);
}

int main(int argc, char **argv)
{
	struct build tracing, b;
	FILE *f;

	if (argc > 1) {
		make_tracing(&tracing, 0);
		make_file(&b, &tracing, tracing.size, 0);
		f = fopen(argv[1], "w");
		if (!f || fputc(0, f) || fwrite(b.data, 1, b.size, f) != b.size || fclose(f))
			return 1;
		free(tracing.data);
		free(b.data);
		return 0;
	}
	test(0);
	test(1);
	return tap_done();
}
