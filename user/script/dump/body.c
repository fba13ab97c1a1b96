// SPDX-License-Identifier: GPL-2.0
/*
 * body.c - print the body of every record type except samples.  The layouts are perf's, including
 * its missing line ends.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "perfdata/text/cpumap.h"
#include "script/dump/dump.h"

#define CPUMAP_TEXT 1024

static void mmap_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_mmap *m = (const void *)rec->hdr;

	fprintf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64 "]: %c %s\n", (int)m->pid,
		(int)m->tid, m->start, m->len, m->pgoff,
		m->hdr.misc & RT_MISC_MMAP_DATA ? 'r' : 'x',
		rt_perf_record_string(rec, m->filename));
}

static void mmap2_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_mmap2 *m = (const void *)rec->hdr;
	unsigned i;

	fprintf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int)m->pid, (int)m->tid,
		m->start, m->len, m->pgoff);
	if (m->hdr.misc & RT_MISC_MMAP_BUILD_ID) {
		fputs(" <", out);
		for (i = 0; i < m->build_id_size && i < RT_BUILDID_MAX; i++)
			fprintf(out, "%02x", m->build_id[i]);
		fputc('>', out);
	} else {
		fprintf(out, " %02x:%02x %" PRIu64 " %" PRIu64, m->maj, m->min, m->ino,
			m->ino_generation);
	}
	fprintf(out, "]: %c%c%c%c %s\n", m->prot & PROT_READ ? 'r' : '-',
		m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
		m->flags & MAP_SHARED ? 's' : 'p', rt_perf_record_string(rec, m->filename));
}

static void comm_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_comm *c = (const void *)rec->hdr;

	fprintf(out, "%s: %s:%d/%d\n", c->hdr.misc & RT_MISC_COMM_EXEC ? " exec" : "",
		rt_perf_record_string(rec, c->comm), (int)c->pid, (int)c->tid);
}

static void task_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_task *t = (const void *)rec->hdr;

	fprintf(out, "(%d:%d):(%d:%d)\n", (int)t->pid, (int)t->tid, (int)t->ppid, (int)t->ptid);
}

static void lost_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_lost *l = (const void *)rec->hdr;

	fprintf(out, ": id:%" PRIu64 ": lost:%" PRIu64 "\n", l->id, l->lost);
}

static void read_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_read *r = (const void *)rec->hdr;
	uint64_t format = rec->event ? rec->event->attr.read_format : 0;
	size_t i = 0, count = (r->hdr.size - sizeof(*r)) / 8;

	fprintf(out, ": %d %d %s %" PRIu64 "\n", (int)r->pid, (int)r->tid,
		rec->event ? rt_perf_event_name(rec->event) : "unknown",
		count ? r->values[i++] : 0);
	if (format & RT_READ_FORMAT_TOTAL_TIME_ENABLED && i < count)
		fprintf(out, "... time enabled : %" PRIu64 "\n", r->values[i++]);
	if (format & RT_READ_FORMAT_TOTAL_TIME_RUNNING && i < count)
		fprintf(out, "... time running : %" PRIu64 "\n", r->values[i++]);
	if (format & RT_READ_FORMAT_ID && i < count)
		fprintf(out, "... id           : %" PRIu64 "\n", r->values[i++]);
	if (format & RT_READ_FORMAT_LOST && i < count)
		fprintf(out, "... lost         : %" PRIu64 "\n", r->values[i++]);
	fputs(": unhandled!\n", out);
}

static void aux_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_aux *a = (const void *)rec->hdr;

	fprintf(out, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]\n",
		a->aux_offset, a->aux_size, a->flags, a->flags & 1 ? "T" : "",
		a->flags & 2 ? "O" : "", a->flags & 4 ? "P" : "");
}

static void itrace_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_itrace_start *i = (const void *)rec->hdr;

	fprintf(out, " pid: %u tid: %u\n", i->pid, i->tid);
}

static const char *switch_direction(uint16_t misc)
{
	if (!(misc & RT_MISC_SWITCH_OUT))
		return "IN         ";
	return misc & RT_MISC_SWITCH_PREEMPT ? "OUT preempt" : "OUT        ";
}

static void switch_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_switch *s = (const void *)rec->hdr;

	fprintf(out, " %s", switch_direction(s->hdr.misc));
	if (s->hdr.type == RT_PERF_RECORD_SWITCH_CPU_WIDE)
		fprintf(out, "  %s pid/tid: %5d/%-5d",
			s->hdr.misc & RT_MISC_SWITCH_OUT ? "next" : "prev", (int)s->next_prev_pid,
			(int)s->next_prev_tid);
	fputc('\n', out);
}

static void namespaces_body(const struct rt_perf_record *rec, FILE *out)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct rt_perf_record_namespaces *n = (const void *)rec->hdr;
	size_t room = (n->hdr.size - sizeof(*n)) / sizeof(n->links[0]);
	unsigned i, nr = n->nr < room ? (unsigned)n->nr : (unsigned)room;

	fprintf(out, " %d/%d - nr_namespaces: %u\n\t\t[", (int)n->pid, (int)n->tid,
		(unsigned)n->nr);
	for (i = 0; i < nr; i++)
		fprintf(out, "%s%u/%s: %" PRIu64 "/%#" PRIx64 "%s",
			i && i % 4 == 0 ? "\n\t\t " : "", i,
			i < sizeof(names) / sizeof(names[0]) ? names[i] : "UNKNOWN",
			n->links[i].dev, n->links[i].ino, i + 1 < n->nr ? ", " : "]\n");
}

static void ksymbol_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_ksymbol *k = (const void *)rec->hdr;

	fprintf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name %s\n", k->addr, k->len,
		k->ksym_type, k->flags, rt_perf_record_string(rec, k->name));
}

static void bpf_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_bpf_event *b = (const void *)rec->hdr;

	fprintf(out, " type %u, flags %u, id %u\n", b->type, b->flags, b->id);
}

static void cgroup_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_cgroup *c = (const void *)rec->hdr;

	fprintf(out, " cgroup: %" PRIu64 " %s\n", c->id, rt_perf_record_string(rec, c->path));
}

static void hw_id_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_aux_output_hw_id *h = (const void *)rec->hdr;

	fprintf(out, " hw_id: %#" PRIx64 "\n", h->hw_id);
}

static void poke_bytes(const char *what, const uint8_t *bytes, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i % 16 == 0)
			fprintf(out, "            %s bytes:", what);
		fprintf(out, " %02x%s", bytes[i], i % 16 == 15 || i + 1 == count ? "\n" : "");
	}
}

static void text_poke_body(const struct rt_perf_record *rec, const char *symbol, FILE *out)
{
	const struct rt_perf_record_text_poke *t = (const void *)rec->hdr;
	size_t room = (const uint8_t *)t + t->hdr.size - t->bytes;

	fprintf(out, " %" PRIx64 " %s old len %u new len %u\n", t->addr, symbol ? symbol : "",
		t->old_len, t->new_len);
	if ((size_t)t->old_len + t->new_len > room)
		return;
	poke_bytes("Old", t->bytes, t->old_len, out);
	poke_bytes("New", t->bytes + t->old_len, t->new_len, out);
}

static void deferred_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_callchain_deferred *c = (const void *)rec->hdr;
	uint64_t i, room = (c->hdr.size - sizeof(*c)) / 8;

	fprintf(out, "(cookie 0x%" PRIx64 ")\n... FP chain: nr:%" PRIu64 "\n", c->cookie, c->nr);
	for (i = 0; i < c->nr && i < room; i++)
		fprintf(out, "..... %2d: %016" PRIx64 "\n", (int)i, c->ips[i]);
}

static void id_index_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_id_index *x = (const void *)rec->hdr;
	size_t room = x->hdr.size - sizeof(*x);
	const struct rt_id_index_guest *guest = NULL;
	uint64_t i;

	fprintf(out, " nr: %" PRIu64 "\n", x->nr);
	if (x->nr > room / sizeof(x->entries[0]))
		return;
	if (room / (sizeof(x->entries[0]) + sizeof(*guest)) >= x->nr)
		guest = (const void *)&x->entries[x->nr];
	for (i = 0; i < x->nr; i++) {
		fprintf(out,
			" ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64 "  tid: %" PRId64,
			x->entries[i].id, x->entries[i].idx, (int64_t)x->entries[i].cpu,
			(int64_t)x->entries[i].tid);
		if (guest)
			fprintf(out, "  machine_pid: %" PRId64 "  vcpu: %" PRIu64,
				(int64_t)guest[i].machine_pid, guest[i].vcpu);
		fputc('\n', out);
	}
}

static void auxtrace_info_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_auxtrace_info *i = (const void *)rec->hdr;

	fprintf(out, " type: %u\n", i->type);
}

static void auxtrace_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_auxtrace *a = (const void *)rec->hdr;

	fprintf(out,
		" size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64
		"  idx: %u  tid: %d  cpu: %d\n",
		a->size, a->offset, a->reference, a->idx, (int)a->tid, (int)a->cpu);
}

static void auxtrace_error_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_auxtrace_error *e = (const void *)rec->hdr;
	const char *end = (const char *)e + e->hdr.size;
	const char *msg = e->fmt ? e->msg : (const char *)&e->time;

	fprintf(out, " %s error type %u", e->type == 1 ? "instruction trace" : "unknown AUX",
		e->type);
	if (e->fmt && (const char *)(&e->time + 1) <= end && e->time)
		fprintf(out, " time %" PRIu64 ".%09" PRIu64, e->time / 1000000000,
			e->time % 1000000000);
	else
		fputs(" time 0", out);
	if (e->fmt >= 2 && (const char *)(&e->vcpu + 1) <= end && e->machine_pid)
		fprintf(out, " machine_pid %d vcpu %d", (int)e->machine_pid, (int)e->vcpu);
	fprintf(out, " cpu %d pid %d tid %d ip %#" PRIx64 " code %u: %s\n", (int)e->cpu,
		(int)e->pid, (int)e->tid, e->ip, e->code, rt_perf_record_string(rec, msg));
}

static void thread_map_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_thread_map *t = (const void *)rec->hdr;
	uint64_t i, room = (t->hdr.size - sizeof(*t)) / sizeof(t->entries[0]);

	fprintf(out, " nr: %d thread%s: ", (int)t->nr, t->nr > 1 ? "s" : "");
	for (i = 0; i < t->nr && i < room; i++)
		fprintf(out, "%s%d", i ? ", " : "", (int)t->entries[i].pid);
	fputc('\n', out);
}

static void cpu_map_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_cpu_map *c = (const void *)rec->hdr;
	char text[CPUMAP_TEXT];

	if (rt_cpumap_text(rec, &c->type, text, sizeof(text)))
		fputs(": failed to get cpumap from event\n", out);
	else
		fprintf(out, ": %s\n", text);
}

static void update_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_event_update *u = (const void *)rec->hdr;
	char text[CPUMAP_TEXT];
	double scale = 0;

	fprintf(out, "\n... id:    %" PRIu64 "\n", u->id);
	switch (u->type) {
	case RT_PERF_EVENT_UPDATE_SCALE:
		if (u->hdr.size >= sizeof(*u) + sizeof(scale))
			memcpy(&scale, u->data, sizeof(scale));
		fprintf(out, "... scale: %f\n", scale);
		break;
	case RT_PERF_EVENT_UPDATE_UNIT:
		fprintf(out, "... unit:  %s\n", rt_perf_record_string(rec, u->data));
		break;
	case RT_PERF_EVENT_UPDATE_NAME:
		fprintf(out, "... name:  %s\n", rt_perf_record_string(rec, u->data));
		break;
	case RT_PERF_EVENT_UPDATE_CPUS:
		if (rt_cpumap_text(rec, u->data, text, sizeof(text)))
			fputs("... failed to get cpus\n", out);
		else
			fprintf(out, "... %s\n", text);
		break;
	default:
		fputs("... unknown type\n", out);
	}
}

static void time_conv_body(const struct rt_perf_record *rec, FILE *out)
{
	const struct rt_perf_record_time_conv *t = (const void *)rec->hdr;

	fprintf(out, "\n... Time Shift      %" PRIu64 "\n", t->time_shift);
	fprintf(out, "... Time Muliplier  %" PRIu64 "\n", t->time_mult);
	fprintf(out, "... Time Zero       %" PRIu64 "\n", t->time_zero);
	if (t->hdr.size >= sizeof(*t)) {
		fprintf(out, "... Time Cycles     %" PRIu64 "\n", t->time_cycles);
		fprintf(out, "... Time Mask       %#" PRIx64 "\n", t->time_mask);
		fprintf(out, "... Cap Time Zero   %d\n", t->cap_user_time_zero);
		fprintf(out, "... Cap Time Short  %d\n", t->cap_user_time_short);
	}
	fputs(": unhandled!\n", out);
}

static void end_line(const struct rt_perf_record *rec, FILE *out)
{
	fputc('\n', out);
}

static void unhandled(const struct rt_perf_record *rec, FILE *out)
{
	fputs(": unhandled!\n", out);
}

/* Types for which perf prints nothing, not even the end of the line, are absent. */
static void (*const bodies[RT_PERF_RECORD_MAX])(const struct rt_perf_record *rec, FILE *out) = {
	[RT_PERF_RECORD_MMAP] = mmap_body,
	[RT_PERF_RECORD_LOST] = lost_body,
	[RT_PERF_RECORD_COMM] = comm_body,
	[RT_PERF_RECORD_EXIT] = task_body,
	[RT_PERF_RECORD_FORK] = task_body,
	[RT_PERF_RECORD_READ] = read_body,
	[RT_PERF_RECORD_MMAP2] = mmap2_body,
	[RT_PERF_RECORD_AUX] = aux_body,
	[RT_PERF_RECORD_ITRACE_START] = itrace_body,
	[RT_PERF_RECORD_SWITCH] = switch_body,
	[RT_PERF_RECORD_SWITCH_CPU_WIDE] = switch_body,
	[RT_PERF_RECORD_NAMESPACES] = namespaces_body,
	[RT_PERF_RECORD_KSYMBOL] = ksymbol_body,
	[RT_PERF_RECORD_BPF_EVENT] = bpf_body,
	[RT_PERF_RECORD_CGROUP] = cgroup_body,
	[RT_PERF_RECORD_AUX_OUTPUT_HW_ID] = hw_id_body,
	[RT_PERF_RECORD_CALLCHAIN_DEFERRED] = deferred_body,
	[RT_PERF_RECORD_FINISHED_ROUND] = end_line,
	[RT_PERF_RECORD_ID_INDEX] = id_index_body,
	[RT_PERF_RECORD_AUXTRACE_INFO] = auxtrace_info_body,
	[RT_PERF_RECORD_AUXTRACE] = auxtrace_body,
	[RT_PERF_RECORD_AUXTRACE_ERROR] = auxtrace_error_body,
	[RT_PERF_RECORD_THREAD_MAP] = thread_map_body,
	[RT_PERF_RECORD_CPU_MAP] = cpu_map_body,
	[RT_PERF_RECORD_EVENT_UPDATE] = update_body,
	[RT_PERF_RECORD_TIME_CONV] = time_conv_body,
	[RT_PERF_RECORD_FINISHED_INIT] = unhandled,
};

void rt_dump_body(const struct rt_perf_record *rec, const struct rt_sample *s, const char *symbol,
		  FILE *out)
{
	uint32_t type = rec->hdr->type;

	if (type == RT_PERF_RECORD_TEXT_POKE)
		text_poke_body(rec, symbol, out);
	else if (type == RT_PERF_RECORD_LOST_SAMPLES)
		fprintf(out, ": id:%" PRIu64 ": lost samples :%" PRIu64 "\n", s ? s->id : 0,
			((const struct rt_perf_record_lost_samples *)rec->hdr)->lost);
	else if (type < RT_PERF_RECORD_MAX && bodies[type])
		bodies[type](rec, out);
}
