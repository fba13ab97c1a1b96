// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/sample.h"

#include <errno.h>
#include <stddef.h>

#include "perfdata/read/internal.h"

/* What most samples have.  If an event has no more than this, each sample writes all of it. */
#define FREQUENT                                                                           \
	((uint64_t)(RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | \
		    RT_SAMPLE_ADDR | RT_SAMPLE_ID | RT_SAMPLE_STREAM_ID | RT_SAMPLE_CPU |  \
		    RT_SAMPLE_PERIOD | RT_SAMPLE_CALLCHAIN | RT_SAMPLE_RAW))

/* What perf records of a tracepoint, if there are several. */
#define TRACEPOINT                                                                         \
	((uint64_t)(RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | \
		    RT_SAMPLE_CPU | RT_SAMPLE_PERIOD | RT_SAMPLE_RAW))

#define DATA_SRC_NONE 0x5080021ULL /* every part is "not available" */

/* The words of one record, read one after the other. */
struct words {
	const uint64_t *pos, *end;
	bool swapped;
	enum rt_raw_state raw;
	const char *missing; /* the field that did not fit */
};

static bool enough(struct words *w, uint64_t bytes, const char *what)
{
	if (bytes <= (uint64_t)((const char *)w->end - (const char *)w->pos))
		return true;
	if (!w->missing)
		w->missing = what;
	return false;
}

static uint64_t next(struct words *w, const char *what)
{
	return enough(w, 8, what) ? *w->pos++ : 0;
}

static const void *skip(struct words *w, uint64_t bytes, const char *what)
{
	const void *at = w->pos;

	if (!enough(w, bytes, what))
		return NULL;
	w->pos = (const uint64_t *)((const char *)w->pos + bytes);
	return at;
}

/*
 * Split a word with two 32-bit fields.  A record of the other byte order was swapped as one 64-bit
 * word, which also exchanged the two halves.
 */
static void pair(uint64_t word, bool swapped, uint32_t *first, uint32_t *second)
{
	bool first_is_low = (__BYTE_ORDER == __LITTLE_ENDIAN) != swapped;
	uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);

	*first = first_is_low ? low : high;
	*second = first_is_low ? high : low;
}

static void take_tid(uint64_t word, bool swapped, struct rt_sample *s)
{
	uint32_t pid, tid;

	pair(word, swapped, &pid, &tid);
	s->pid = (int32_t)pid;
	s->tid = (int32_t)tid;
}

static void take_cpu(uint64_t word, bool swapped, struct rt_sample *s)
{
	uint32_t rest;

	pair(word, swapped, &s->cpu, &rest);
}

static void take_read(struct words *w, const struct rt_attr *attr, struct rt_sample *s)
{
	uint64_t format = attr->read_format;

	s->read.words = 1 + !!(format & RT_READ_FORMAT_ID) + !!(format & RT_READ_FORMAT_LOST);
	if (format & RT_READ_FORMAT_GROUP) {
		s->read.nr = next(w, "its counts");
	} else {
		s->read.nr = 1;
		s->read.values = skip(w, 8, "its count");
	}
	if (format & RT_READ_FORMAT_TOTAL_TIME_ENABLED)
		s->read.time_enabled = next(w, "its counts");
	if (format & RT_READ_FORMAT_TOTAL_TIME_RUNNING)
		s->read.time_running = next(w, "its counts");
	if (format & RT_READ_FORMAT_GROUP) {
		if (s->read.nr > UINT16_MAX) /* too many for a record; must not overflow */
			skip(w, UINT64_MAX, "its counts");
		else
			s->read.values = skip(w, s->read.nr * 8 * s->read.words, "its counts");
		if (!s->read.values)
			s->read.nr = 0;
	} else {
		/* value, then the times, then the rest: not contiguous */
		s->read.id = format & RT_READ_FORMAT_ID ? next(w, "its counter's id") : 0;
		s->read.lost = format & RT_READ_FORMAT_LOST ? next(w, "its losses") : 0;
		if (!s->read.values)
			s->read.nr = 0;
	}
}

static void take_callchain(struct words *w, struct rt_sample *s)
{
	uint64_t nr = next(w, "its callchain");

	s->callchain.ips = nr > UINT16_MAX ? skip(w, UINT64_MAX, "its callchain") :
					     skip(w, nr * 8, "its callchain");
	s->callchain.nr = s->callchain.ips ? nr : 0;
}

/* Raw data begins with a 32-bit size; together they fill whole words. */
static void take_raw(struct words *w, struct rt_sample *s)
{
	uint32_t size, rest;
	const char *at;

	if (!enough(w, 8, "its raw data"))
		return;
	pair(*w->pos, w->swapped, &size, &rest);
	if (w->swapped && w->raw == RT_RAW_RESTORED)
		size = load32(w->pos, true);
	at = skip(w, (uint64_t)sizeof(size) + size, "its raw data");
	if (!at)
		return;
	s->raw.size = size;
	s->raw.data = at + sizeof(size);
	/* perf's own parser continues where the data ends; every kernel pads to a word. */
	w->pos = (const uint64_t *)(((uintptr_t)w->pos + 7) & ~(uintptr_t)7);
	if (w->pos > w->end)
		w->pos = w->end;
}

static void take_branches(struct words *w, const struct rt_attr *attr, struct rt_sample *s)
{
	uint64_t nr = next(w, "its branch stack");

	s->branch.has_hw_idx = attr->branch_sample_type & RT_BRANCH_HW_INDEX;
	if (s->branch.has_hw_idx)
		s->branch.hw_idx = next(w, "its branch stack");
	s->branch.entries =
		nr > UINT16_MAX ? skip(w, UINT64_MAX, "its branch stack") :
				  skip(w, nr * sizeof(struct rt_branch_entry), "its branch stack");
	s->branch.nr = s->branch.entries ? nr : 0;
	if (attr->branch_sample_type & RT_BRANCH_COUNTERS)
		s->branch.counters = skip(w, s->branch.nr * 8, "its branch counters");
}

static void take_regs(struct words *w, uint64_t mask, struct rt_regs *regs)
{
	regs->abi = next(w, "its registers");
	if (regs->abi == RT_REGS_ABI_NONE)
		return;
	regs->regs = skip(w, 8 * (uint64_t)__builtin_popcountll(mask), "its registers");
	if (regs->regs)
		regs->mask = mask;
}

static void take_stack(struct words *w, const struct rt_perf_record_header *h, struct rt_sample *s)
{
	uint64_t room;

	s->user_stack.offset = (uint32_t)((const char *)w->pos - (const char *)h);
	room = next(w, "its user stack");
	if (!room)
		return;
	s->user_stack.data = skip(w, room, "its user stack");
	if (!s->user_stack.data)
		return;
	w->pos = (const uint64_t *)(((uintptr_t)w->pos + 7) & ~(uintptr_t)7);
	if (w->pos > w->end)
		w->pos = w->end;
	s->user_stack.room = room;
	s->user_stack.size = next(w, "the size of its user stack");
	if (s->user_stack.size > room) {
		s->user_stack.size = 0;
		skip(w, UINT64_MAX, "its user stack");
	}
}

static void take_weight(struct words *w, uint64_t type, struct rt_sample *s)
{
	uint64_t word = next(w, "its weight");
	uint32_t first, rest;

	s->weight = word;
	if (!(type & RT_SAMPLE_WEIGHT_STRUCT))
		return;
	pair(word, w->swapped, &first, &rest);
	s->weight1 = first;
	s->ins_lat = (uint16_t)(w->swapped ? rest >> 16 : rest);
	s->weight3 = (uint16_t)(w->swapped ? rest : rest >> 16);
}

static inline __attribute__((always_inline)) void take_fixed(struct words *w, uint64_t type,
							     struct rt_sample *s)
{
	if (type & RT_SAMPLE_IDENTIFIER)
		s->id = *w->pos++;
	if (type & RT_SAMPLE_IP)
		s->ip = *w->pos++;
	if (type & RT_SAMPLE_TID)
		take_tid(*w->pos++, w->swapped, s);
	if (type & RT_SAMPLE_TIME)
		s->time = *w->pos++;
	if (type & RT_SAMPLE_ADDR)
		s->addr = *w->pos++;
	if (type & RT_SAMPLE_ID)
		s->id = *w->pos++;
	if (type & RT_SAMPLE_STREAM_ID)
		s->stream_id = *w->pos++;
	if (type & RT_SAMPLE_CPU)
		take_cpu(*w->pos++, w->swapped, s);
	if (type & RT_SAMPLE_PERIOD)
		s->period = *w->pos++;
}

static void take_variable(struct words *w, const struct rt_perf_record_header *h,
			  const struct rt_attr *attr, struct rt_sample *s)
{
	uint64_t type = attr->sample_type;

	if (type & RT_SAMPLE_READ)
		take_read(w, attr, s);
	if (type & RT_SAMPLE_CALLCHAIN)
		take_callchain(w, s);
	if (type & RT_SAMPLE_RAW)
		take_raw(w, s);
	if (!(type & ~FREQUENT))
		return;
	if (type & RT_SAMPLE_BRANCH_STACK)
		take_branches(w, attr, s);
	if (type & RT_SAMPLE_REGS_USER)
		take_regs(w, attr->sample_regs_user, &s->user_regs);
	if (type & RT_SAMPLE_STACK_USER)
		take_stack(w, h, s);
	if (type & RT_SAMPLE_WEIGHT_TYPE)
		take_weight(w, type, s);
	if (type & RT_SAMPLE_DATA_SRC)
		s->data_src = next(w, "its data source");
	if (type & RT_SAMPLE_TRANSACTION)
		s->transaction = next(w, "its transaction");
	if (type & RT_SAMPLE_REGS_INTR)
		take_regs(w, attr->sample_regs_intr, &s->intr_regs);
	if (type & RT_SAMPLE_PHYS_ADDR)
		s->phys_addr = next(w, "its physical address");
	if (type & RT_SAMPLE_CGROUP)
		s->cgroup = next(w, "its cgroup");
	if (type & RT_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = next(w, "its page size");
	if (type & RT_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = next(w, "its page size");
	if (type & RT_SAMPLE_AUX) {
		s->aux.size = next(w, "its AUX data");
		s->aux.data = skip(w, s->aux.size, "its AUX data");
		if (!s->aux.data)
			s->aux.size = 0;
	}
}

/* Parse the sample_id at the end of records other than samples, backwards. */
static void take_trailer(const struct rt_perf_record *rec, struct rt_sample *s)
{
	const struct rt_perf_event *e = rec->event;
	uint64_t type = e->attr.sample_type;
	const uint64_t *pos;

	if (!e->id_size || rec->hdr->size < sizeof(*rec->hdr) + e->id_size)
		return;
	pos = (const uint64_t *)(rec->hdr + 1) + (rec->hdr->size - sizeof(*rec->hdr)) / 8;
	if (type & RT_SAMPLE_IDENTIFIER)
		s->id = *--pos;
	if (type & RT_SAMPLE_CPU)
		take_cpu(*--pos, rec->swapped, s);
	if (type & RT_SAMPLE_STREAM_ID)
		s->stream_id = *--pos;
	if (type & RT_SAMPLE_ID)
		s->id = *--pos;
	if (type & RT_SAMPLE_TIME)
		s->time = *--pos;
	if (type & RT_SAMPLE_TID)
		take_tid(*--pos, rec->swapped, s);
}

/* Call the C library's memset: the compiler's inline version is a slow string instruction. */
static void *(*const volatile fill)(void *, int, size_t) = memset;

static void make_blank(struct rt_sample *s)
{
	fill(s, 0, sizeof(*s));
	s->pid = s->tid = -1;
	s->time = s->id = s->stream_id = UINT64_MAX;
	s->cpu = UINT32_MAX;
	s->data_src = DATA_SRC_NONE;
}

static int take_words(const struct rt_perf_record *rec, struct rt_sample *s, enum rt_raw_state raw,
		      struct rt_err *err)
{
	const struct rt_perf_record_header *h = rec->hdr;
	const struct rt_perf_event *e = rec->event;
	struct words w;

	w = (struct words){ .pos = (const uint64_t *)(h + 1), .swapped = rec->swapped, .raw = raw };
	w.end = w.pos + (h->size - sizeof(*h)) / 8;
	if (enough(&w, e->fixed_size, "its fixed fields")) {
		/* Nearly all samples are of two kinds; the compiler knows what these have. */
		if (e->attr.sample_type == TRACEPOINT)
			take_fixed(&w, TRACEPOINT, s);
		else
			take_fixed(&w, e->attr.sample_type, s);
		take_variable(&w, h, &e->attr, s);
	}
	if (!w.missing)
		return 0;
	return rt_err_set(err, EFAULT, "the sample at offset %#llx is too short for %s",
			  (unsigned long long)rec->offset, w.missing);
}

int rt_sample_take(const struct rt_perf_record *rec, struct rt_sample *s, enum rt_raw_state raw,
		   struct rt_err *err)
{
	const struct rt_perf_record_header *h = rec->hdr;
	const struct rt_perf_event *e = rec->event;

	make_blank(s);
	s->misc = h->misc;
	s->cpumode = h->misc & RT_MISC_CPUMODE_MASK;
	if (h->type >= RT_PERF_RECORD_USER_START)
		return 0;
	if (!e)
		return rt_err_set(err, ENOENT,
				  "the record at offset %#llx belongs to no event of "
				  "this file",
				  (unsigned long long)rec->offset);
	s->period = e->attr.sample_period;
	if (h->type != RT_PERF_RECORD_SAMPLE) {
		take_trailer(rec, s);
		return 0;
	}
	return take_words(rec, s, raw, err);
}

bool rt_sample_head(const struct rt_perf_record *rec, struct rt_sample_head *head)
{
	const uint64_t *words = (const uint64_t *)(rec->hdr + 1);
	const struct rt_perf_event *e = rec->event;
	uint32_t rest, pid = UINT32_MAX, tid = UINT32_MAX;

	if (rec->hdr->size < sizeof(*rec->hdr) + e->fixed_size)
		return false;
	head->cpu = UINT32_MAX;
	if (e->tid_pos >= 0)
		pair(words[e->tid_pos], rec->swapped, &pid, &tid);
	if (e->cpu_pos >= 0)
		pair(words[e->cpu_pos], rec->swapped, &head->cpu, &rest);
	head->pid = (int32_t)pid;
	head->tid = (int32_t)tid;
	head->time = e->time_pos >= 0 ? words[e->time_pos] : UINT64_MAX;
	return true;
}

int rt_sample_parse(const struct rt_perf_record *rec, struct rt_sample *s, struct rt_err *err)
{
	return rt_sample_take(rec, s, RT_RAW_RESTORED, err);
}

int rt_sample_parse_next(const struct rt_perf_record *rec, const struct rt_perf_event *before,
			 struct rt_sample *s, struct rt_err *err)
{
	if (!before || !rec->event || rec->hdr->type != RT_PERF_RECORD_SAMPLE ||
	    before->attr.sample_type != rec->event->attr.sample_type ||
	    before->attr.sample_type & ~FREQUENT)
		return rt_sample_parse(rec, s, err);
	s->period = rec->event->attr.sample_period;
	s->misc = rec->hdr->misc;
	s->cpumode = rec->hdr->misc & RT_MISC_CPUMODE_MASK;
	return take_words(rec, s, RT_RAW_RESTORED, err);
}

struct rt_sample_value rt_sample_value(const struct rt_perf_event *event, const struct rt_sample *s,
				       uint64_t i)
{
	struct rt_sample_value v = { 0 };
	const uint64_t *at;

	if (i >= s->read.nr)
		return v;
	at = s->read.values + i * s->read.words;
	v.value = at[0];
	if (!(event->attr.read_format & RT_READ_FORMAT_GROUP)) {
		v.id = s->read.id;
		v.lost = s->read.lost;
		return v;
	}
	if (event->attr.read_format & RT_READ_FORMAT_ID)
		v.id = *++at;
	if (event->attr.read_format & RT_READ_FORMAT_LOST)
		v.lost = *++at;
	return v;
}

const struct rt_perf_event *rt_sample_split(struct rt_reader *reader,
					    const struct rt_perf_record *rec,
					    const struct rt_sample *s, uint64_t *i,
					    struct rt_sample *part)
{
	const struct rt_perf_event *e = rec->event;
	struct rt_sample_value v;
	struct rt_perf_event_id *id;

	if (!rt_perf_event_has(e, RT_SAMPLE_READ)) {
		*part = *s;
		return (*i)++ ? NULL : e;
	}
	if (!*i)
		*part = *s;
	while (*i < s->read.nr) {
		v = rt_sample_value(e, s, (*i)++);
		id = rt_perf_events_id(&reader->events, v.id);
		if (!id) {
			reader->stats.unknown_ids++;
			continue;
		}
		part->id = v.id;
		part->period = v.value - id->period;
		id->period = v.value;
		if (part->period)
			return id->event;
	}
	return NULL;
}
