// SPDX-License-Identifier: GPL-2.0
/*
 * Our print formats against libtraceevent's printing of the same events: random data,
 * every kind of argument.
 */
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/text.h"
#include "script/tracefmt.h"
#include "tap.h"

#define DATA 128

static const char fields[] =
	"	field:unsigned short common_type;	offset:0;	size:2;	signed:0;\n"
	"	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;\n"
	"	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;\n"
	"	field:int common_pid;	offset:4;	size:4;	signed:1;\n\n"
	"	field:char comm[16];	offset:8;	size:16;	signed:0;\n"
	"	field:int i;	offset:24;	size:4;	signed:1;\n"
	"	field:unsigned int u;	offset:28;	size:4;	signed:0;\n"
	"	field:long l;	offset:32;	size:8;	signed:1;\n"
	"	field:u8 b;	offset:40;	size:1;	signed:0;\n"
	"	field:s16 h;	offset:42;	size:2;	signed:1;\n"
	"	field:unsigned long args[3];	offset:48;	size:24;	signed:0;\n"
	"	field:__data_loc char[] name;	offset:72;	size:4;	signed:0;\n"
	"	field:u8 bytes[6];	offset:76;	size:6;	signed:0;\n"
	"	field:__data_loc u8[] blob;	offset:84;	size:4;	signed:0;\n";

static const struct {
	const char *format;
	bool ours; /* must be done without libtraceevent */
} formats[] = {
	{ "\"i=%d u=%u x=%x l=%ld lx=%lx\", REC->i, REC->u, REC->u, REC->l, REC->l", true },
	{ "\"%5d|%-5d|%05d|%#x|%08lx|%3u%%\", REC->i, REC->i, REC->i, REC->u, REC->l, REC->b",
	  true },
	{ "\"%.3d|%o|%X\", REC->b, REC->u, REC->u", true },
	{ "\"%+d|% d\", REC->b, REC->b", false },
	{ "\"%hd %hhu %hx\", REC->h, REC->b, REC->u", true },
	{ "\"comm=%s <%20s> <%-20s> <%.4s>\", REC->comm, REC->comm, REC->comm, REC->comm", true },
	{ "\"name=%s\", __get_str(name)", true },
	{ "\"%s\", __print_flags(REC->u & 0xff, \"|\", { 0x1, \"ONE\" }, { 0x2, \"TWO\" }, { 0xf0, \"HIGH\" })",
	  true },
	{ "\"%s\", REC->b ? __print_flags(REC->b, \"\", { 0x1, \"a\" }, { 0x80, \"b\" }) : \"none\"",
	  true },
	{ "\"%s\", __print_symbolic(REC->b & 3, { 0, \"zero\" }, { 1, \"one\" }, { 2, \"two\" })",
	  true },
	{ "\"%s\", __print_symbolic(REC->b & 1, { HI_SOFTIRQ, \"HI\" }, { TIMER_SOFTIRQ, \"TIMER\" })",
	  true },
	{ "\"%s|%s\", __print_hex(REC->bytes, 6), __print_hex_str(REC->bytes, 6)", true },
	{ "\"%s\", __print_array(REC->bytes, 6, 1)", true },
	{ "\"%s\", __print_hex(__get_dynamic_array(blob), __get_dynamic_array_len(blob))", true },
	{ "\"len %d\", __get_dynamic_array_len(blob)", true },
	{ "\"%lx %lx %lx\", REC->args[0], REC->args[1], REC->args[2]", true },
	{ "\"%d %d %d %u\", (int)REC->l, (u8)REC->u, (s16)REC->u, (unsigned int)REC->l", true },
	{ "\"%d %u %lu\", REC->i + 3, REC->u >> 4, (REC->l & 0xffff) * 2 - 1", true },
	{ "\"%d %d %d %d\", REC->b == 3, REC->b != 3, REC->b < 100, REC->b >= 100 && REC->u || !REC->i",
	  true },
	{ "\"%s-%d\", REC->i < 10 ? \"small\" : \"big\", REC->b > 7 ? REC->i : ~REC->i", true },
	{ "\"%p %p\", (void *)REC->l, REC->args[1]", true },
	{ "\"%ps %pS\", (void *)REC->l, (void *)REC->args[0]", true },
	{ "\"tab\\tnew\\\\line %% \\\"q\\\"\"", true },
	{ "\"%*d\", REC->b & 15, REC->i", false },
	{ "\"%.*s\", REC->b & 15, REC->comm", false },
	{ "\"%pM\", REC->bytes", false },
};

static uint32_t seed = 1;

static uint32_t random32(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 3 ^ seed << 29;
}

/* An event as the kernel could have written it, small values among the big. */
static void fill(uint8_t *data, int id)
{
	static const char *const words[] = { "sh", "a longer name", "", "0123456789abcde" };
	const char *word = words[random32() % 4];
	uint32_t where;
	int i;

	for (i = 0; i < DATA; i++)
		data[i] = random32() % 3 ? (uint8_t)random32() : 0;
	if (random32() % 2)
		memset(data + 41, 0, 1);
	if (random32() % 2)
		memset(data + 36, random32() % 2 ? 0xff : 0, 4);
	data[0] = (uint8_t)id;
	data[1] = 0;
	memset(data + 8, 0, 16);
	memcpy(data + 8, word, strlen(word));
	strcpy((char *)data + 96, word);
	where = 96 | (uint32_t)(strlen(word) + 1) << 16;
	memcpy(data + 72, &where, 4);
	where = 112 | (random32() % 16) << 16;
	memcpy(data + 84, &where, 4);
}

static const char *no_name(void *arg, uint64_t addr, uint64_t *offset)
{
	return NULL;
}

static void library(struct tep_handle *tep, uint8_t *data, struct trace_seq *seq)
{
	struct tep_record record;

	memset(&record, 0, sizeof(record));
	record.size = DATA;
	record.data = data;
	trace_seq_reset(seq);
	tep_print_event(tep, seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(seq);
}

static void test_format(struct tep_handle *tep, size_t n, struct trace_seq *seq)
{
	const char *format = formats[n].format;
	int id = 100 + (int)n, round, bad = 0, size;
	struct rt_tracefmt *ours;
	uint8_t data[DATA], *copy;
	struct tep_event *event;
	struct rt_text text;
	char file[4096];

	size = snprintf(file, sizeof(file), "name: e%zu\nID: %d\nformat:\n%s\nprint fmt: %s\n", n,
			id, fields, format);
	tep_parse_event(tep, file, (unsigned long)size, "test");
	event = tep_find_event(tep, id);
	if (!ok(event && !(event->flags & (int)TEP_EVENT_FL_FAILED), "parsed: %s", format))
		return;
	ours = rt_tracefmt_new(event);
	is_int(!!ours, formats[n].ours, "%s",
	       formats[n].ours ? "ours to print" : "left to the library");
	if (!ours)
		return;
	rt_text_init(&text);
	for (round = 0; round < 2000; round++) {
		fill(data, id);
		library(tep, data, seq);
		rt_text_reset(&text);
		rt_tracefmt_print(ours, &text, data, DATA, no_name, NULL);
		rt_text_char(&text, 0);
		if (strcmp(text.base, seq->buffer) && !bad++)
			printf("# want '%s'\n# got  '%s'\n", seq->buffer, text.base);
	}
	is_int(bad, 0, "the same text as the library's, two thousand times");
	/* Cut and hostile data: the sanitizers watch. */
	for (round = 0; round < 500; round++) {
		size_t len = random32() % (DATA + 1);

		copy = malloc(len ? len : 1);
		for (size = 0; size < (int)len; size++)
			copy[size] = (uint8_t)random32();
		rt_text_reset(&text);
		rt_tracefmt_print(ours, &text, copy, len, no_name, NULL);
		free(copy);
	}
	rt_text_free(&text);
	rt_tracefmt_free(ours);
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	struct trace_seq seq;
	size_t i;

	tep_set_long_size(tep, 8);
	trace_seq_init(&seq);
	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		test_format(tep, i, &seq);
	trace_seq_destroy(&seq);
	tep_free(tep);
	return tap_done();
}
