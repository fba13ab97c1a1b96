// SPDX-License-Identifier: GPL-2.0
/* The machine that was recorded: its kernel, modules and tasks. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "flight/internal.h"
#include "host/kallsyms.h"
#include "image/table.h"
#include "image/tasks.h"
#include "perfdata/write/synth.h"

#define KERNEL_NAME "[kernel.kallsyms]" /* perf's name for the kernel, in maps and build-ids */

/* --- the kernel ------------------------------------------------------------------ */

struct kernel_end {
	uint64_t text, stext, etext, edata;
};

/* The kernel's head, which some kernels leave out of their symbols, is shorter than a step of KASLR. */
#define HEAD_MAX (2U << 20)

static int look_at(void *arg, struct rt_kallsym *sym)
{
	struct kernel_end *k = arg;

	if (sym->module)
		return 1;
	if (!strcmp(sym->name, "_text"))
		k->text = sym->address;
	else if (!strcmp(sym->name, "_stext"))
		k->stext = sym->address;
	else if (!strcmp(sym->name, "_etext"))
		k->etext = sym->address;
	else if (!strcmp(sym->name, "_edata"))
		k->edata = sym->address;
	return 0;
}

static bool other_kernel(const struct kernel_end *k, uint64_t text)
{
	return k->text ? k->text != text : k->stext < text || k->stext - text >= HEAD_MAX;
}

/* The kernel's map ends where the next module begins, if nothing better is known. */
static uint64_t end_of_kernel(struct rt_flight *f, uint64_t text)
{
	struct rt_image_entries at = { 0 };
	const struct rt_anchor_module *m;
	uint64_t end = UINT64_MAX;

	while (rt_image_next_module(f->session, &at, &m))
		if (m->base > text && m->base < end)
			end = m->base;
	return end;
}

static int write_kernel(struct rt_flight *f, struct rt_err *err)
{
	const struct rt_anchor *a = f->session->anchor;
	struct rt_writer *w = f->recording.writer;
	struct kernel_end k = { 0 };
	struct rt_buildid id;
	uint64_t end;
	int ret = 0;

	if (!a)
		return 0;
	if (f->opt->kallsyms && rt_kallsyms_read(f->opt->kallsyms, look_at, &k) < 0)
		return rt_err_set(err, ENOENT, "cannot read kernel symbols from '%s'",
				  f->opt->kallsyms);
	if (f->opt->kallsyms && !k.text && !k.stext)
		return rt_err_set(err, EINVAL,
				  "'%s' has no addresses of the kernel: copy it as root",
				  f->opt->kallsyms);
	if (f->opt->kallsyms && a->text && other_kernel(&k, a->text))
		return rt_err_set(err, EINVAL,
				  "'%s' is of another kernel or boot: its text begins at 0x%" PRIx64
				  ", that of the dump at 0x%" PRIx64,
				  f->opt->kallsyms, k.text ? k.text : k.stext, (uint64_t)a->text);
	if (a->build_id_bytes && a->build_id_bytes <= RT_BUILD_ID_MAX) {
		rt_buildid_set(&id, a->build_id, a->build_id_bytes);
		ret = rt_writer_build_id(w, KERNEL_NAME, true, &id);
	}
	if (!ret && a->text) {
		end = k.edata > a->text ? k.edata :
		      k.etext > a->text ? k.etext :
					  end_of_kernel(f, a->text);
		ret = rt_writer_kernel_map(w, NULL, a->text, end - a->text, a->text,
					   KERNEL_NAME "_text");
	}
	return ret ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}

static int write_modules(struct rt_flight *f, struct rt_err *err)
{
	struct rt_writer *w = f->recording.writer;
	struct rt_image_entries at = { 0 };
	const struct rt_anchor_module *m;
	char name[RT_MODULE_NAME_LEN + 2];
	struct rt_buildid id;
	int ret = 0;

	while (!ret && rt_image_next_module(f->session, &at, &m)) {
		struct rt_writer_stamp when = { .time = m->came };

		f->found->modules++;
		if (!w)
			continue;
		snprintf(name, sizeof(name), "[%s]", m->name);
		if (m->build_id_bytes) {
			rt_buildid_set(&id, m->build_id, m->build_id_bytes);
			ret = rt_writer_build_id(w, name, true, &id);
		}
		if (!ret && m->base)
			ret = rt_writer_kernel_map(w, m->came ? &when : NULL, m->base, m->bytes, 0,
						   name);
	}
	return ret ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}

/* --- tasks ----------------------------------------------------------------------- */

static int write_task(void *arg, const struct rt_image_task *task)
{
	struct rt_flight *f = arg;
	int ret;

	f->found->tasks++;
	ret = rt_tasks_set(&f->recording.tasks, task->tid, task->pid, 0);
	if (ret || !f->recording.writer)
		return ret;
	if (task->tid != task->pid)
		ret = rt_writer_fork(f->recording.writer, NULL, task->pid, task->pid, task->tid,
				     task->pid);
	return ret ? ret :
		     rt_writer_comm(f->recording.writer, NULL, task->pid, task->tid, task->comm,
				    false);
}

/* This machine tells more than its memory: build-ids, mappings and the threads that exist. */
static int write_this_machine(struct rt_flight *f, struct rt_err *err)
{
	int ret = rt_synth_kernel(f->recording.writer, err);

	if (!ret)
		ret = rt_synth_tasks(f->recording.writer, 0, err);
	if (!ret && rt_tasks_census(&f->recording.tasks))
		ret = rt_err_set(err, ENOMEM, "cannot list the running tasks");
	f->found->tasks = rt_tasks_count(&f->recording.tasks);
	f->found->tasks_complete = true;
	return ret;
}

int rt_flight_write_machine(struct rt_flight *f, struct rt_err *err)
{
	int ret;

	if (f->opt->live)
		return write_this_machine(f, err);
	ret = f->recording.writer ? write_kernel(f, err) : 0;
	if (!ret)
		ret = write_modules(f, err);
	if (ret || !f->found->has_machine || f->opt->recovered)
		return ret;
	ret = rt_image_tasks(f->image, &f->found->machine, write_task, f,
			     &f->found->tasks_complete);
	return ret ? rt_err_set(err, -ret, "cannot write: %s", strerror(-ret)) : 0;
}
