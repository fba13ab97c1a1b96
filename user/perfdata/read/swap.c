// SPDX-License-Identifier: GPL-2.0
/*
 * swap.c - convert records of the other byte order to native order, in place.
 *
 * Each type has a line of characters that describes what follows the header:
 *	2 4 8	a field of so many bytes
 *	b	eight single bytes
 *	s	a string, padded to eight bytes
 *	*	64-bit words to the end of the record
 * What follows the end of the line stays as it is.  The few types that do not fit have a function.
 * Nothing beyond the record is touched, whatever it claims.
 */
#include "perfdata/read/internal.h"

#include <stddef.h>

struct field {
	uint8_t *pos, *end;
};

static bool fits(const struct field *f, size_t size)
{
	return (size_t)(f->end - f->pos) >= size;
}

static void swap2(struct field *f)
{
	uint16_t v;

	if (fits(f, sizeof(v))) {
		memcpy(&v, f->pos, sizeof(v));
		v = __builtin_bswap16(v);
		memcpy(f->pos, &v, sizeof(v));
		f->pos += sizeof(v);
	} else {
		f->pos = f->end;
	}
}

static void swap4(struct field *f)
{
	uint32_t v;

	if (fits(f, sizeof(v))) {
		v = load32(f->pos, true);
		memcpy(f->pos, &v, sizeof(v));
		f->pos += sizeof(v);
	} else {
		f->pos = f->end;
	}
}

static void swap8(struct field *f)
{
	uint64_t v;

	if (fits(f, sizeof(v))) {
		v = load64(f->pos, true);
		memcpy(f->pos, &v, sizeof(v));
		f->pos += sizeof(v);
	} else {
		f->pos = f->end;
	}
}

static void skip(struct field *f, size_t size)
{
	f->pos = fits(f, size) ? f->pos + size : f->end;
}

static void swap_rest(struct field *f)
{
	while (f->pos < f->end)
		swap8(f);
}

static void swap_line(struct field *f, const char *line)
{
	for (; *line; line++) {
		switch (*line) {
		case '2':
			swap2(f);
			break;
		case '4':
			swap4(f);
			break;
		case '8':
			swap8(f);
			break;
		case 'b':
			skip(f, 8);
			break;
		case 's':
			skip(f, (strnlen((char *)f->pos, f->end - f->pos) + 8) & ~(size_t)7);
			break;
		case '*':
			swap_rest(f);
			break;
		}
	}
}

static uint16_t field16(const struct field *f, size_t at)
{
	uint16_t v = 0;

	if (fits(f, at + sizeof(v)))
		memcpy(&v, f->pos + at, sizeof(v));
	return v;
}

static void swap_mmap2(struct field *f, const struct rt_perf_record_header *h)
{
	swap_line(f, h->misc & RT_MISC_MMAP_BUILD_ID ? "44888bbb44s*" :
						       "448884488"
						       "44s*");
}

/* The old and the new bytes follow two lengths and are padded together with them. */
static void swap_text_poke(struct field *f, const struct rt_perf_record_header *h)
{
	struct field lengths;
	size_t size;

	swap_line(f, "8");
	lengths = *f;
	swap_line(f, "22");
	size = 4 + field16(&lengths, 0) + field16(&lengths, 2);
	f->pos = lengths.pos;
	skip(f, (size + 7) & ~(size_t)7);
	swap_rest(f);
}

static void swap_attr(struct field *f, const struct rt_perf_record_header *h)
{
	struct field attr = *f;
	struct rt_attr native;
	int size = rt_attr_read(f->pos, f->end - f->pos, true, &native);

	if (size < 0)
		return;
	memcpy(attr.pos, &native, (size_t)size < sizeof(native) ? (size_t)size : sizeof(native));
	skip(f, size);
	swap_rest(f);
}

/* A message of 64 bytes; before fmt 1 no time preceded it. */
static void swap_auxtrace_error(struct field *f, const struct rt_perf_record_header *h)
{
	struct field fmt = { f->pos + 20, f->end };

	swap_line(f, "4444448");
	if (fmt.pos + 4 <= fmt.end && load32(fmt.pos, false))
		swap_line(f, "8bbbbbbbb44");
}

static void swap_thread_map(struct field *f, const struct rt_perf_record_header *h)
{
	swap8(f);
	while (f->pos < f->end)
		swap_line(f, "8bb");
}

static void swap_cpu_map(struct field *f, const struct rt_perf_record_header *h)
{
	struct field map = *f;

	swap2(f);
	switch (field16(&map, 0)) {
	case RT_CPU_MAP_CPUS:
		while (f->pos < f->end)
			swap2(f);
		break;
	case RT_CPU_MAP_MASK:
		swap_line(f, "22");
		if (field16(&map, 4) == 8) {
			skip(f, 2);
			swap_rest(f);
		} else {
			while (f->pos < f->end)
				swap4(f);
		}
		break;
	case RT_CPU_MAP_RANGE:
		skip(f, 2);
		swap_line(f, "22");
		break;
	}
}

static void swap_event_update(struct field *f, const struct rt_perf_record_header *h)
{
	struct field type = *f;

	swap_line(f, "88");
	if (f->pos == f->end)
		return;
	switch (load64(type.pos, false)) {
	case RT_PERF_EVENT_UPDATE_SCALE:
		swap8(f);
		break;
	case RT_PERF_EVENT_UPDATE_CPUS:
		swap_cpu_map(f, h);
		break;
	}
}

static const struct {
	const char *line;
	void (*swap)(struct field *f, const struct rt_perf_record_header *h);
} how[RT_PERF_RECORD_MAX] = {
	[RT_PERF_RECORD_MMAP] = { "44888s*" },
	[RT_PERF_RECORD_LOST] = { "*" },
	[RT_PERF_RECORD_COMM] = { "44s*" },
	[RT_PERF_RECORD_EXIT] = { "4444*" },
	[RT_PERF_RECORD_THROTTLE] = { "*" },
	[RT_PERF_RECORD_UNTHROTTLE] = { "*" },
	[RT_PERF_RECORD_FORK] = { "4444*" },
	[RT_PERF_RECORD_READ] = { "44*" },
	[RT_PERF_RECORD_SAMPLE] = { "*" },
	[RT_PERF_RECORD_MMAP2] = { NULL, swap_mmap2 },
	[RT_PERF_RECORD_AUX] = { "*" },
	[RT_PERF_RECORD_ITRACE_START] = { "44*" },
	[RT_PERF_RECORD_LOST_SAMPLES] = { "*" },
	[RT_PERF_RECORD_SWITCH] = { "*" },
	[RT_PERF_RECORD_SWITCH_CPU_WIDE] = { "44*" },
	[RT_PERF_RECORD_NAMESPACES] = { "44*" },
	[RT_PERF_RECORD_KSYMBOL] = { "8422s*" },
	[RT_PERF_RECORD_BPF_EVENT] = { "224b*" },
	[RT_PERF_RECORD_CGROUP] = { "8s*" },
	[RT_PERF_RECORD_TEXT_POKE] = { NULL, swap_text_poke },
	[RT_PERF_RECORD_AUX_OUTPUT_HW_ID] = { "*" },
	[RT_PERF_RECORD_CALLCHAIN_DEFERRED] = { "*" },
	[RT_PERF_RECORD_HEADER_ATTR] = { NULL, swap_attr },
	[RT_PERF_RECORD_HEADER_EVENT_TYPE] = { "*" },
	[RT_PERF_RECORD_HEADER_TRACING_DATA] = { "44" },
	[RT_PERF_RECORD_HEADER_BUILD_ID] = { "4" },
	[RT_PERF_RECORD_ID_INDEX] = { "*" },
	[RT_PERF_RECORD_AUXTRACE_INFO] = { "44*" },
	[RT_PERF_RECORD_AUXTRACE] = { "8884444" },
	[RT_PERF_RECORD_AUXTRACE_ERROR] = { NULL, swap_auxtrace_error },
	[RT_PERF_RECORD_THREAD_MAP] = { NULL, swap_thread_map },
	[RT_PERF_RECORD_CPU_MAP] = { NULL, swap_cpu_map },
	[RT_PERF_RECORD_STAT_CONFIG] = { "*" },
	[RT_PERF_RECORD_STAT] = { "844888" },
	[RT_PERF_RECORD_STAT_ROUND] = { "88" },
	[RT_PERF_RECORD_EVENT_UPDATE] = { NULL, swap_event_update },
	[RT_PERF_RECORD_TIME_CONV] = { "88888" },
	[RT_PERF_RECORD_HEADER_FEATURE] = { "8" },
};

/* Bit-fields lie at the other end of the word, each with its own bits in order. */
static uint64_t swap_branch_flags(uint64_t v)
{
	static const unsigned char width[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3, 31 };
	uint64_t out = 0, mask;
	unsigned i, low = 0, high = 64;
	bool little = __BYTE_ORDER == __LITTLE_ENDIAN;

	for (i = 0; i < sizeof(width); i++) {
		high -= width[i];
		mask = (1ULL << width[i]) - 1;
		out |= little ? (v >> high & mask) << low : (v >> low & mask) << high;
		low += width[i];
	}
	return out;
}

static void swap_words_back(void *from, const void *end)
{
	uint64_t *w = from;

	for (; (void *)(w + 1) <= end; w++)
		*w = __builtin_bswap64(*w);
}

static void *align8(const void *p)
{
	return (void *)(((uintptr_t)p + 7) & ~(uintptr_t)7);
}

/*
 * Restore the bytes inside a sample that are not words: raw data (with its size in front), the user
 * stack and AUX data.  Also restore the bits of branch flags.
 */
static void restore_sample(const struct rt_perf_event *event, const struct rt_perf_record_header *h)
{
	struct rt_perf_record rec = { .hdr = h, .event = event, .swapped = true };
	struct rt_branch_entry *branch;
	struct rt_sample s;
	uint64_t i;

	/* Fields that could not be parsed are NULL; those before them are valid. */
	rt_sample_take(&rec, &s, RT_RAW_AS_SWAPPED, NULL);
	if (s.raw.data)
		swap_words_back((char *)s.raw.data - 4, align8((char *)s.raw.data + s.raw.size));
	if (s.user_stack.data)
		swap_words_back((void *)s.user_stack.data,
				align8((char *)s.user_stack.data + s.user_stack.room));
	if (s.aux.data)
		swap_words_back((void *)s.aux.data, align8((char *)s.aux.data + s.aux.size));
	branch = (struct rt_branch_entry *)s.branch.entries;
	for (i = 0; i < s.branch.nr; i++)
		branch[i].flags = swap_branch_flags(branch[i].flags);
}

void rt_swap_record(const struct rt_perf_event *event, uint8_t *data,
		    const struct rt_perf_record_header *h)
{
	struct field f = { data + sizeof(*h), data + h->size };

	memcpy(data, h, sizeof(*h));
	if (h->type >= RT_PERF_RECORD_MAX)
		return;
	if (how[h->type].swap)
		how[h->type].swap(&f, h);
	else if (how[h->type].line)
		swap_line(&f, how[h->type].line);
	if (h->type == RT_PERF_RECORD_SAMPLE && event)
		restore_sample(event, (const struct rt_perf_record_header *)data);
}
