// SPDX-License-Identifier: GPL-2.0
#include "script/print/records.h"

#include <stdio.h>
#include <stdlib.h>

#include "script/dump/dump.h"

bool rt_records_shown(unsigned int show, uint32_t type)
{
	switch (type) {
	case RT_PERF_RECORD_COMM:
	case RT_PERF_RECORD_FORK:
	case RT_PERF_RECORD_EXIT:
		return show & RT_SHOW_TASKS;
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
		return show & RT_SHOW_MMAPS;
	case RT_PERF_RECORD_SWITCH:
	case RT_PERF_RECORD_SWITCH_CPU_WIDE:
		return show & RT_SHOW_SWITCHES;
	case RT_PERF_RECORD_NAMESPACES:
		return show & RT_SHOW_NAMESPACES;
	case RT_PERF_RECORD_CGROUP:
		return show & RT_SHOW_CGROUPS;
	case RT_PERF_RECORD_LOST:
		return show & RT_SHOW_LOST;
	case RT_PERF_RECORD_FINISHED_ROUND:
		return show & RT_SHOW_ROUNDS;
	case RT_PERF_RECORD_KSYMBOL:
		return show & (RT_SHOW_BPF | RT_SHOW_TEXT_POKES);
	case RT_PERF_RECORD_BPF_EVENT:
		return show & RT_SHOW_BPF;
	case RT_PERF_RECORD_TEXT_POKE:
		return show & RT_SHOW_TEXT_POKES;
	default:
		return false;
	}
}

void rt_records_task(const struct rt_perf_record *rec, int32_t *pid, int32_t *tid)
{
	const struct rt_perf_record_task *task = (const void *)rec->hdr;
	const struct rt_perf_record_comm *comm = (const void *)rec->hdr;

	switch (rec->hdr->type) {
	case RT_PERF_RECORD_FORK:
	case RT_PERF_RECORD_EXIT:
		if (rec->hdr->size >= sizeof(*task)) {
			*pid = (int32_t)task->pid;
			*tid = (int32_t)task->tid;
		}
		break;
	case RT_PERF_RECORD_COMM:
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
	case RT_PERF_RECORD_NAMESPACES:
		/* All of these begin with pid and tid. */
		if (rec->hdr->size >= sizeof(*comm)) {
			*pid = (int32_t)comm->pid;
			*tid = (int32_t)comm->tid;
		}
		break;
	default:
		break;
	}
}

char *rt_records_symbol(const struct rt_perf_record *rec, struct rt_kernel *kernel)
{
	const struct rt_perf_record_text_poke *r = (const void *)rec->hdr;
	struct rt_kernel_hit hit = { 0 };
	char *text;

	if (rec->hdr->type != RT_PERF_RECORD_TEXT_POKE || rec->hdr->size < sizeof(*r) || !kernel)
		return NULL;
	rt_kernel_find(kernel, r->addr, &hit);
	if (!hit.object || !hit.symbol ||
	    asprintf(&text, "%s+0x%llx", hit.symbol->name,
		     (unsigned long long)(hit.address - hit.symbol->start)) < 0)
		return NULL;
	return text;
}

void rt_records_print(const struct rt_perf_record *rec, const struct rt_sample *s,
		      const struct rt_perf_record_note *note, struct rt_kernel *kernel,
		      struct rt_text *out)
{
	const struct rt_perf_record_lost *lost = (const void *)rec->hdr;
	char *text = NULL, *symbol, causes[256];
	size_t len = 0;
	FILE *body;

	rt_text_lit(out, "PERF_RECORD_");
	rt_text_str(out, rt_perf_record_name(rec->hdr->type));
	switch (rec->hdr->type) {
	case RT_PERF_RECORD_LOST:
		if (rec->hdr->size >= sizeof(*lost))
			rt_text_printf(out, " lost %llu", (unsigned long long)lost->lost);
		if (note) {
			rt_note_causes(note->lost, causes, sizeof(causes));
			rt_text_printf(out, " (%s)", causes);
		}
		rt_text_char(out, '\n');
		return;
	case RT_PERF_RECORD_FINISHED_ROUND:
		rt_text_char(out, '\n');
		return;
	default:
		break;
	}
	body = open_memstream(&text, &len);
	if (!body)
		return;
	symbol = rt_records_symbol(rec, kernel);
	rt_dump_body(rec, s, symbol, body);
	free(symbol);
	if (!fclose(body))
		rt_text_put(out, text, len);
	free(text);
}
