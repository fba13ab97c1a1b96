// SPDX-License-Identifier: GPL-2.0
/*
 * 4.9: aa6a5f3cb2b2 "perf, bpf: add perf events core support for BPF_PROG_TYPE_PERF_EVENT
 * programs"; only with CONFIG_BPF_SYSCALL.
 * The alternative, RT_HAVE_ORIG_OVERFLOW_HANDLER, needs the older layout of struct perf_event.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/filter.h>
#include <linux/perf_event.h>

static unsigned int run(const void *context, const struct bpf_insn *insn)
{
	const struct bpf_perf_event_data_kern *data = context;

	return data->event->overflow_handler_context != NULL;
}

static struct bpf_prog prog = { .type = BPF_PROG_TYPE_PERF_EVENT, .bpf_func = run };

void rt_probe(struct perf_event *event);
void rt_probe(struct perf_event *event)
{
	event->prog = &prog;
}
