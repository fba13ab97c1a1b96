// SPDX-License-Identifier: GPL-2.0
/*
 * Formats of tracepoints together with the data of their events: a print format and bytes
 * that nobody checked, through the reader and into text.
 *
 * An input is the print format, a byte of 0, and an event's data.  Reading a format takes a
 * process (vet.h), so each is tried on many variants of its data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../unit/perfdata_build.h"
#include "perfdata/read/reader.h"
#include "traceformat/format.h"

#define EVENT_ID 77
#define VARIANTS 64
#define DATA_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

static const char head[] = "name: jump\nID: 77\nformat:\n"
			   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			   "\tfield:u32 n;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:s64 l;\toffset:16;\tsize:8;\tsigned:1;\n"
			   "\tfield:char who[16];\toffset:24;\tsize:16;\tsigned:0;\n"
			   "\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;\n"
			   "\tfield:__rel_loc u8[] blob;\toffset:44;\tsize:4;\tsigned:0;\n"
			   "\tfield:const char * text;\toffset:48;\tsize:8;\tsigned:0;\n"
			   "\tfield:u8 mac[6];\toffset:56;\tsize:6;\tsigned:0;\n\n"
			   "print fmt: ";

static void put_sized(struct build *b, const char *text)
{
	put64(b, strlen(text));
	put(b, text, strlen(text));
}

static void make_tracing(struct build *b, const char *format, int swap)
{
	memset(b, 0, sizeof(*b));
	b->swap = swap;
	put(b, "\027\010\104tracing", 10);
	put_string(b, "0.6", 1);
	put8(b, (uint8_t)((__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap));
	put8(b, 8);
	put32(b, 4096);
	put_string(b, "header_page", 1);
	put_sized(b, "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	put_string(b, "header_event", 1);
	put_sized(b, "nothing");
	put32(b, 0);
	put32(b, 1);
	put_string(b, "sport", 1);
	put32(b, 1);
	put_sized(b, format);
	put32(b, 0);
	put32(b, 17);
	put(b, "0x1 : \"hello\\n\"\n\n", 17);
	put64(b, 0);
}

static const char *text_at(void *arg, uint64_t addr)
{
	return rt_reader_printk(arg, addr);
}

static void print(struct rt_reader *r, const uint8_t *data, size_t size)
{
	const struct rt_perf_event *e = rt_reader_events(r)->list[0];
	struct rt_trace_names names = { .arg = r, .text = text_at };
	struct rt_tracefmt *f = e->format ? rt_tracefmt_new(e->format) : NULL;
	struct rt_text text;
	uint8_t *copy;
	size_t i, len;

	for (i = 0; f && i < VARIANTS; i++) {
		/* The last ones are cut, the others have a word replaced. */
		len = i < VARIANTS / 2 ? size : size * (VARIANTS - i) / VARIANTS;
		copy = malloc(len ? len : 1);
		memcpy(copy, data, len);
		if (i && i * 2 + 2 <= len)
			memset(copy + i * 2, i & 1 ? 0xff : 0x7f, 2);
		rt_text_init(&text);
		rt_tracefmt_print(f, &text, copy, len, &names);
		rt_text_free(&text);
		free(copy);
	}
	rt_tracefmt_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_attr attr = {
		.type = RT_TYPE_TRACEPOINT,
		.config = EVENT_ID,
		.sample_type = RT_SAMPLE_TIME | RT_SAMPLE_RAW,
	};
	const uint8_t *end = memchr(data, 0, size);
	struct build tracing, b;
	/* Without a name of the host the reader takes the file for one of the oldest perfs. */
	struct feature features[2] = { { 0 }, { RT_FEATURE_HOSTNAME, "\0\0\0\0", 4 } };
	struct rt_reader *r;
	struct rt_err err;
	char path[64], *format;
	int fd, swap;

	if (!end || size - (size_t)(end - data) > DATA_MAX)
		return 0;
	format = malloc(sizeof(head) + (size_t)(end - data) + 1);
	memcpy(format, head, sizeof(head) - 1);
	memcpy(format + sizeof(head) - 1, data, (size_t)(end - data));
	strcpy(format + sizeof(head) - 1 + (end - data), "\n");
	swap = size && data[size - 1] & 1;
	make_tracing(&tracing, format, swap);
	features[0] = (struct feature){ RT_FEATURE_TRACING_DATA, tracing.data, tracing.size };
	begin_file(&b, &attr, 1, 112, swap);
	/* A file without records counts as one that was not closed, and its features are not read. */
	begin_record(&b, RT_PERF_RECORD_FINISHED_ROUND, 0);
	end_record(&b);
	end_file(&b, features, 2);
	fd = memfd_create("perf.data", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, b.data, b.size) == (ssize_t)b.size &&
	    !rt_reader_open(path, NULL, &r, &err)) {
		print(r, end + 1, size - (size_t)(end - data) - 1);
		rt_reader_close(r);
	}
	if (fd >= 0)
		close(fd);
	free(b.data);
	free(tracing.data);
	free(format);
	return 0;
}
