// SPDX-License-Identifier: GPL-2.0
#include "script/dump/dump.h"

#include <errno.h>
#include <inttypes.h>

#define HEX_COLUMNS 16

/* Print sixteen bytes per line, as numbers and as characters. */
static void hex(const struct rt_perf_record_header *h, FILE *out)
{
	static const char digit[] = "0123456789abcdef";
	const unsigned char *data = (const unsigned char *)h;
	unsigned i, at, n;
	char line[96], *p;

	fprintf(out, ".\n. ... raw event: size %d bytes\n", h->size);
	for (at = 0; at < h->size; at += HEX_COLUMNS) {
		n = h->size - at < HEX_COLUMNS ? h->size - at : HEX_COLUMNS;
		p = line + sprintf(line, ".  %04x: ", at);
		for (i = 0; i < HEX_COLUMNS; i++) {
			*p++ = ' ';
			*p++ = i < n ? digit[data[at + i] >> 4] : ' ';
			*p++ = i < n ? digit[data[at + i] & 15] : ' ';
		}
		*p++ = ' ';
		*p++ = ' ';
		for (i = 0; i < HEX_COLUMNS; i++) {
			unsigned char c = i < n ? data[at + i] : ' ';

			*p++ = c >= ' ' && c < 0x7f ? c : '.';
		}
		*p++ = '\n';
		fwrite(line, 1, p - line, out);
	}
	fputc('\n', out);
}

/*
 * perf derives the start of the line from all events that it knows.  It prints an ATTR record
 * before it knows that record's event.
 */
static void stamp(const struct rt_perf_events *ev, const struct rt_perf_record *rec,
		  const struct rt_sample *s, FILE *out)
{
	bool user = rec->hdr->type >= RT_PERF_RECORD_USER_START;
	size_t i, count = ev->count;
	uint64_t type = 0;

	if (rec->hdr->type == RT_PERF_RECORD_HEADER_ATTR && count)
		count--;
	for (i = 0; i < count; i++)
		type |= ev->list[i]->attr.sample_type;
	if (rec->hdr->type != RT_PERF_RECORD_SAMPLE && (!count || !ev->sample_id_all)) {
		fputs("-1 -1 ", out);
		return;
	}
	if (type & RT_SAMPLE_CPU)
		fprintf(out, "%u ", user ? 0 : s->cpu);
	if (type & RT_SAMPLE_TIME)
		fprintf(out, "%" PRIu64 " ", user ? 0 : s->time);
}

void rt_dump_record(struct rt_reader *reader, const struct rt_perf_record *rec,
		    const struct rt_sample *s, const char *symbol, FILE *out)
{
	const struct rt_perf_record_header *h = rec->hdr;

	fprintf(out, "\n%#" PRIx64 "@%s [%#x]: event: %d\n", rec->offset, rec->path, h->size,
		(int)h->type);
	hex(h, out);
	if (s)
		stamp(rt_reader_events(reader), rec, s, out);
	fprintf(out, "%#" PRIx64 " [%#x]: PERF_RECORD_%s", rec->offset, h->size,
		rt_perf_record_name(h->type));
	if (h->type != RT_PERF_RECORD_SAMPLE)
		rt_dump_body(rec, s, symbol, out);
	else if (s && rec->event)
		rt_dump_sample(rec, s, rt_env_arch(rt_reader_env(reader)), out);
}

void rt_dump_location(const char *comm, int tid, const char *object, FILE *out)
{
	fprintf(out, " ... thread: %s:%d\n", comm, tid);
	fprintf(out, " ...... dso: %s\n", object ? object : "<not found>");
}
