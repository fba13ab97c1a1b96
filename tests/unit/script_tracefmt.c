// SPDX-License-Identifier: GPL-2.0
/*
 * script_tracefmt.c - compare our print formats with those of libtraceevent: the same events with
 * random data and every kind of argument.
 */
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/text.h"
#include "traceformat/format.h"
#include "tap.h"

#define DATA 256

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
	"	field:__data_loc u8[] blob;	offset:84;	size:4;	signed:0;\n"
	"	field:__data_loc unsigned long[] mask;	offset:88;	size:4;	signed:0;\n"
	"	field:const char * text;	offset:136;	size:8;	signed:0;\n"
	"	field:__u8 ip4[4];	offset:144;	size:4;	signed:0;\n"
	"	field:__u8 ip6[16];	offset:152;	size:16;	signed:0;\n"
	"	field:__u8 sock[sizeof(struct sockaddr_in6)];	offset:168;	size:28;	signed:0;\n"
	"	field:float single;	offset:196;	size:4;	signed:0;\n"
	"	field:double doubles[2];	offset:200;	size:16;	signed:0;\n";

static const char *const formats[] = {
	"\"i=%d u=%u x=%x l=%ld lx=%lx\", REC->i, REC->u, REC->u, REC->l, REC->l",
	"\"%5d|%-5d|%05d|%#x|%08lx|%3u%%\", REC->i, REC->i, REC->i, REC->u, REC->l, REC->b",
	"\"%.3d|%o|%X\", REC->b, REC->u, REC->u",
	"\"%hd %hhu %hx\", REC->h, REC->b, REC->u",
	"\"comm=%s <%20s> <%-20s> <%.4s>\", REC->comm, REC->comm, REC->comm, REC->comm",
	"\"name=%s\", __get_str(name)",
	"\"%s\", __print_flags(REC->u & 0xff, \"|\", { 0x1, \"ONE\" }, { 0x2, \"TWO\" }, { 0xf0, \"HIGH\" })",
	"\"%s\", REC->b ? __print_flags(REC->b, \"\", { 0x1, \"a\" }, { 0x80, \"b\" }) : \"none\"",
	"\"%s\", __print_symbolic(REC->b & 3, { 0, \"zero\" }, { 1, \"one\" }, { 2, \"two\" })",
	"\"%s\", __print_symbolic(REC->b & 1, { HI_SOFTIRQ, \"HI\" }, { TIMER_SOFTIRQ, \"TIMER\" })",
	"\"%s|%s\", __print_hex(REC->bytes, 6), __print_hex_str(REC->bytes, 6)",
	"\"%s\", __print_array(REC->bytes, 6, 1)",
	"\"%s\", __print_hex(__get_dynamic_array(blob), __get_dynamic_array_len(blob))",
	"\"len %d\", __get_dynamic_array_len(blob)",
	"\"%lx %lx %lx\", REC->args[0], REC->args[1], REC->args[2]",
	"\"%d %d %d %u\", (int)REC->l, (u8)REC->u, (s16)REC->u, (unsigned int)REC->l",
	"\"%d %u %lu\", REC->i + 3, REC->u >> 4, (REC->l & 0xffff) * 2 - 1",
	"\"%d %d %d %d\", REC->b == 3, REC->b != 3, REC->b < 100, REC->b >= 100 && REC->u || !REC->i",
	"\"%s-%d\", REC->i < 10 ? \"small\" : \"big\", REC->b > 7 ? REC->i : ~REC->i",
	"\"%p %p\", (void *)REC->l, REC->args[1]",
	"\"%ps %pS\", (void *)REC->l, (void *)REC->args[0]",
	"\"tab\\tnew\\\\line %% \\\"q\\\"\"",
	"\"%*d\", REC->b & 15, REC->i",
	"\"%.*s\", REC->b & 15, REC->comm",
	"\"%pM\", REC->bytes",
	"\"%zu %zx %Lu\", REC->u, REC->l, REC->l",
	"\"%pMF %pm\", REC->bytes, REC->bytes",
	"\"%pI4 %pi4 %pI4\", REC->ip4, REC->ip4, REC->bytes",
	"\"%pI6c|%pI6|%pi6\", REC->ip6, REC->ip6, REC->ip6",
	"\"%pU %pUb %pUB %pUl %pUL\", REC->comm, REC->comm, REC->comm, REC->comm, REC->comm",
	"\"%pM\", REC->comm",
	"\"%s\", __get_bitmask(mask)",
	"\"%.*s|\", REC->b & 3, REC->b & 1 ? __get_str(name) : ((void *)0)",
#ifdef RT_TEP_CPUMASK
	"\"%s\", __get_cpumask(mask)",
#endif
	"\"text=%s\", REC->text",
	"\"%pISpc %pISc %pIS\", REC->sock, REC->sock, REC->sock",
};

#define TEXT_AT 0xffffffff81234560ULL

static uint32_t seed = 1;

static uint32_t random32(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 3 ^ seed << 29;
}

/* An event as the kernel could write it, with small and big values. */
static void fill(uint8_t *data, int id)
{
	static const char *const words[] = { "sh", "a longer name", "", "0123456789abcde" };
	const char *word = words[random32() % 4];
	uint64_t address;
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
	where = 200 | (8 << (random32() % 3)) << 16;
	memcpy(data + 88, &where, 4);
	address = random32() % 3 ? TEXT_AT : random32();
	memcpy(data + 136, &address, 8);
	/* IPv6 addresses with runs of zeros, and some that contain an IPv4 address. */
	for (i = 0; i < 16; i++)
		if (random32() % 2)
			data[152 + (i & ~1)] = data[152 + (i | 1)] = 0;
	if (!(random32() % 4)) {
		memset(data + 152, 0, 12);
		memset(data + 162, 0xff, 2);
	}
	data[168] = random32() % 2 ? 2 : 10;
	data[169] = 0;
	memcpy(data + 176, data + 152, 16);
}

static const char *one_text(void *arg, uint64_t addr)
{
	return addr == TEXT_AT ? "a constant" : NULL;
}

static const struct rt_trace_names names = { .text = one_text };

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
	const char *format = formats[n];
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
	if (!ok(ours && rt_tracefmt_is_whole(ours), "understood"))
		return;
	rt_text_init(&text);
	for (round = 0; round < 2000; round++) {
		fill(data, id);
		library(tep, data, seq);
		rt_text_reset(&text);
		rt_tracefmt_print(ours, &text, data, DATA, &names);
		rt_text_char(&text, 0);
		if (strcmp(text.base, seq->buffer) && !bad++)
			printf("# want '%s'\n# got  '%s'\n", seq->buffer, text.base);
	}
	is_int(bad, 0, "the same text as the library's, two thousand times");
	/* Truncated and hostile data; the sanitizers detect bad accesses. */
	for (round = 0; round < 500; round++) {
		size_t len = random32() % (DATA + 1);

		copy = malloc(len ? len : 1);
		for (size = 0; size < (int)len; size++)
			copy[size] = (uint8_t)random32();
		rt_text_reset(&text);
		rt_tracefmt_print(ours, &text, copy, len, &names);
		free(copy);
	}
	rt_text_free(&text);
	rt_tracefmt_free(ours);
}

/* Formats that the kernel's printf knows but libtraceevent does not. */
static void test_beyond(struct tep_handle *tep, int id, const char *format, const char *want)
{
	struct rt_tracefmt *ours;
	static const double doubles[] = { 1.0 / 3, -1e300 };
	static const float single = 0.1f;
	uint8_t data[DATA] = { 0 };
	struct tep_event *event;
	struct rt_text text;
	char file[4096];
	int size;

	data[40] = 65;
	if (strstr(format, "REC->single")) {
		memcpy(data + 196, &single, sizeof(single));
		memcpy(data + 200, doubles, sizeof(doubles));
	}
	memcpy(data + 76, "\1\2\xab\4\5\6", 6);
	size = snprintf(file, sizeof(file), "name: e%d\nID: %d\nformat:\n%s\nprint fmt: %s\n", id,
			id, fields, format);
	tep_parse_event(tep, file, (unsigned long)size, "test");
	event = tep_find_event(tep, id);
	ours = event ? rt_tracefmt_new(event) : NULL;
	rt_text_init(&text);
	if (ours)
		rt_tracefmt_print(ours, &text, data, DATA, &names);
	rt_text_char(&text, 0);
	is_str(text.base, want, "%s", format);
	rt_text_free(&text);
	rt_tracefmt_free(ours);
}

/* A length that comes from the data itself; libtraceevent would read that far. */
static void test_hostile_length(struct tep_handle *tep)
{
	const int id = 310;
	struct rt_tracefmt *ours;
	struct rt_text text;
	uint8_t *data = calloc(1, DATA);
	char file[4096];
	int size;

	memset(data + 28, 0xff, 4);
	size = snprintf(file, sizeof(file),
			"name: e%d\nID: %d\nformat:\n%s\nprint fmt: "
			"\"%%pM|%%s\", REC->bytes, __print_hex_str(REC->bytes, REC->u)\n",
			id, id, fields);
	tep_parse_event(tep, file, (unsigned long)size, "test");
	ours = rt_tracefmt_new(tep_find_event(tep, id));
	rt_text_init(&text);
	rt_tracefmt_print(ours, &text, data, DATA, &names);
	is_int(text.len, 17 + 1 + 2 * (DATA - 76),
	       "__print_hex of 4294967295 bytes ends with the data");
	rt_text_free(&text);
	rt_tracefmt_free(ours);
	free(data);
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	struct trace_seq seq;
	size_t i;

	tep_set_long_size(tep, 8);
	tep_register_print_string(tep, "\"a constant\"", TEXT_AT);
	trace_seq_init(&seq);
	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		test_format(tep, i, &seq);
	trace_seq_destroy(&seq);
	test_beyond(tep, 300, "\"%+d|% d\", REC->b, REC->b", "+65| 65");
	test_beyond(tep, 304, "\"%#x %#Lx,%#Lx\", REC->single, REC->doubles[0], REC->doubles[1]",
		    "0.1 0.3333333333333333,-1e+300");
	test_beyond(tep, 301, "\"[%c%c]\", REC->b, REC->b + 32", "[Aa]");
	test_beyond(tep, 302, "\"%*phC|%*ph|%*phN\", 3, REC->bytes, 6, REC->bytes, 2, REC->bytes",
		    "01:02:ab|01 02 ab 04 05 06|0102");
	test_beyond(
		tep, 303, "\"%pXyz\", REC->l",
		"[FAILED TO PARSE] comm= i=0 u=0 l=0 b=65 h= 0 args=ARRAY[00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00] name= bytes=ARRAY[01, 02, ab, 04, 05, 06] blob= mask=ARRAY[] text=0x0 ip4= ip6= sock= single=0 doubles=ARRAY[00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00]");
	test_hostile_length(tep);
	tep_free(tep);
	return tap_done();
}
