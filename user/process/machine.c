// SPDX-License-Identifier: GPL-2.0
#include "process/machine.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_HUGETLB
#define MAP_HUGETLB 0x40000
#endif

#define KERNEL_NAME "[kernel.kallsyms]"

/* KSYMBOL records */
#define KSYMBOL_BPF	   1
#define KSYMBOL_UNREGISTER 1

uint16_t rt_machine_elf(const struct rt_env *env)
{
	static const struct {
		const char *arch;
		uint16_t elf;
	} table[] = {
		{ "aarch64", EM_AARCH64 }, { "x86_64", EM_X86_64 },   { "i386", EM_386 },
		{ "i586", EM_386 },	   { "i686", EM_386 },	      { "arm", EM_ARM },
		{ "ppc64le", EM_PPC64 },   { "ppc64", EM_PPC64 },     { "ppc", EM_PPC },
		{ "s390x", EM_S390 },	   { "riscv64", EM_RISCV },   { "mips", EM_MIPS },
		{ "mips64", EM_MIPS },	   { "sparc64", EM_SPARCV9 }, { "loongarch64", 258 },
	};
	size_t i, len;

	if (env && env->arch) {
		for (i = 0; i < sizeof(table) / sizeof(*table); i++)
			if (!strcmp(env->arch, table[i].arch))
				return table[i].elf;
		len = strlen("arm");
		if (!strncmp(env->arch, "arm", len) && env->arch[len] != '6')
			return EM_ARM;
		return EM_NONE;
	}
#if defined(__aarch64__)
	return EM_AARCH64;
#elif defined(__x86_64__)
	return EM_X86_64;
#else
	return EM_NONE;
#endif
}

int rt_machine_open(struct rt_machine *m, struct rt_symbols *symbols, const struct rt_env *env,
		    struct rt_err *err)
{
	memset(m, 0, sizeof(*m));
	m->symbols = symbols;
	m->env = env;
	m->threads = rt_threads_new();
	if (!m->threads || rt_threads_comm(m->threads, 0, 0, "swapper")) {
		rt_machine_close(m);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	return 0;
}

void rt_machine_close(struct rt_machine *m)
{
	rt_cgroups_free(&m->cgroups);
	rt_threads_free(m->threads);
	m->threads = NULL;
}

static bool of_kernel(const struct rt_perf_record *rec)
{
	unsigned int mode = rec->hdr->misc & RT_MISC_CPUMODE_MASK;

	return mode == RT_MISC_KERNEL || mode == RT_MISC_GUEST_KERNEL;
}

bool rt_machine_changes_kernel(const struct rt_perf_record *rec)
{
	switch (rec->hdr->type) {
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
		return of_kernel(rec);
	case RT_PERF_RECORD_KSYMBOL:
		return true;
	default:
		return false;
	}
}

/* What both kinds of MMAP record contain. */
struct mapping {
	int32_t pid, tid;
	uint64_t start, len, pgoff;
	uint32_t prot, flags;
	const char *filename;
	struct rt_buildid buildid;
	uint64_t file; /* identifies the file, whatever its name; 0: unknown */
};

static bool take_mmap(const struct rt_perf_record *rec, struct mapping *m)
{
	const struct rt_perf_record_mmap *r = (const void *)rec->hdr;

	if (rec->hdr->size < sizeof(*r))
		return false;
	m->pid = (int32_t)r->pid;
	m->tid = (int32_t)r->tid;
	m->start = r->start;
	m->len = r->len;
	m->pgoff = r->pgoff;
	m->prot = rec->hdr->misc & RT_MISC_MMAP_DATA ? 0 : PROT_EXEC;
	m->filename = rt_perf_record_string(rec, r->filename);
	return true;
}

/* Device and inode, or the build-id in their place. */
static uint64_t file_of(const struct rt_perf_record_mmap2 *r)
{
	uint64_t h = 14695981039346656037ULL;

	if (!r->maj && !r->min && !r->ino && !r->ino_generation)
		return 0;
	h = (h ^ ((uint64_t)r->maj << 32 | r->min)) * 1099511628211ULL;
	h = (h ^ h >> 29 ^ r->ino) * 1099511628211ULL;
	h = (h ^ h >> 29 ^ r->ino_generation) * 1099511628211ULL;
	return h ? h : 1;
}

static bool take_mmap2(const struct rt_perf_record *rec, struct mapping *m)
{
	const struct rt_perf_record_mmap2 *r = (const void *)rec->hdr;

	if (rec->hdr->size < sizeof(*r))
		return false;
	m->pid = (int32_t)r->pid;
	m->tid = (int32_t)r->tid;
	m->start = r->start;
	m->len = r->len;
	m->pgoff = r->pgoff;
	m->prot = r->prot;
	m->flags = r->flags;
	m->file = file_of(r);
	m->filename = rt_perf_record_string(rec, r->filename);
	if (rec->hdr->misc & RT_MISC_MMAP_BUILD_ID)
		rt_buildid_set(&m->buildid, r->build_id,
			       r->build_id_size <= RT_BUILDID_MAX ? r->build_id_size :
								    RT_BUILDID_MAX);
	return true;
}

/* If the record has no build-id, the table in the header may have one. */
static void header_buildid(const struct rt_machine *m, const char *filename, struct rt_buildid *id)
{
	const struct rt_buildid *known;

	if (id->len)
		return;
	known = rt_env_build_id(m->env, filename);
	if (known)
		rt_buildid_set(id, known->data, known->len);
}

static int kernel_mapping(struct rt_machine *m, struct mapping *map)
{
	const size_t len = strlen(KERNEL_NAME);
	bool is_kernel = !strncmp(map->filename, KERNEL_NAME, len - 1);

	if (!is_kernel && map->filename[0] != '/' && map->filename[0] != '[')
		return 0; /* x86's entry trampolines: their code is part of the kernel's text */
	m->kernel_changes++;
	if (!m->kernel) {
		m->kernel = rt_kernel_new(m->symbols, KERNEL_NAME, rt_machine_elf(m->env),
					  m->env->os_release);
		if (!m->kernel)
			return -ENOMEM;
	}
	if (!is_kernel) {
		header_buildid(m, map->filename, &map->buildid);
		return rt_kernel_add_module(m->kernel, map->filename, map->start,
					    map->start + map->len,
					    map->buildid.len ? &map->buildid : NULL);
	}
	header_buildid(m, KERNEL_NAME, &map->buildid);
	if (map->buildid.len)
		rt_kernel_set_buildid(m->kernel, &map->buildid);
	rt_kernel_set_text(m->kernel, strlen(map->filename) > len ? map->filename + len : "",
			   map->pgoff, map->start, map->start + map->len);
	return 0;
}

static int user_mapping(struct rt_machine *m, struct mapping *map)
{
	struct rt_thread *th = rt_threads_get(m->threads, map->pid, map->tid);
	struct rt_object_key key = {
		.filename = map->filename,
		.pid = map->pid,
		.exec = map->prot & PROT_EXEC,
		.hugetlb = map->flags & MAP_HUGETLB,
		.file = m->files_apart ? map->file : 0,
	};
	struct rt_map entry;

	if (!th)
		return -ENOMEM;
	header_buildid(m, map->filename, &map->buildid);
	if (map->buildid.len)
		key.buildid = &map->buildid;
	entry.start = map->start;
	entry.end = map->start + map->len;
	entry.object = rt_object_get(m->symbols, &key);
	entry.pgoff = rt_object_kind(entry.object) == RT_OBJECT_VDSO ? 0 : map->pgoff;
	return rt_maps_insert(&th->space->maps, &entry);
}

static int apply_mapping(struct rt_machine *m, const struct rt_perf_record *rec)
{
	struct mapping map;

	memset(&map, 0, sizeof(map));
	if (!(rec->hdr->type == RT_PERF_RECORD_MMAP ? take_mmap(rec, &map) : take_mmap2(rec, &map)))
		return 0;
	return of_kernel(rec) ? kernel_mapping(m, &map) : user_mapping(m, &map);
}

static int apply_ksymbol(struct rt_machine *m, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_ksymbol *r = (const void *)rec->hdr;

	if (rec->hdr->size < sizeof(*r) || !m->kernel)
		return 0;
	m->kernel_changes++;
	if (r->flags & KSYMBOL_UNREGISTER) {
		rt_kernel_del_symbol(m->kernel, r->addr);
		return 0;
	}
	return rt_kernel_add_symbol(m->kernel, rt_perf_record_string(rec, r->name), r->addr, r->len,
				    r->ksym_type == KSYMBOL_BPF);
}

int rt_machine_apply(struct rt_machine *m, const struct rt_perf_record *rec, struct rt_err *err)
{
	const struct rt_perf_record_task *task = (const void *)rec->hdr;
	const struct rt_perf_record_comm *comm = (const void *)rec->hdr;
	const struct rt_perf_record_cgroup *cgroup = (const void *)rec->hdr;
	int ret = 0;

	switch (rec->hdr->type) {
	case RT_PERF_RECORD_COMM:
		if (rec->hdr->size >= sizeof(*comm))
			ret = rt_threads_comm(m->threads, (int32_t)comm->pid, (int32_t)comm->tid,
					      rt_perf_record_string(rec, comm->comm));
		break;
	case RT_PERF_RECORD_FORK:
		if (rec->hdr->size >= sizeof(*task))
			ret = rt_threads_fork(m->threads, (int32_t)task->pid, (int32_t)task->tid,
					      (int32_t)task->ppid, (int32_t)task->ptid,
					      !(rec->hdr->misc & RT_MISC_FORK_EXEC));
		break;
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
		ret = apply_mapping(m, rec);
		break;
	case RT_PERF_RECORD_KSYMBOL:
		ret = apply_ksymbol(m, rec);
		break;
	case RT_PERF_RECORD_CGROUP:
		if (rec->hdr->size >= sizeof(*cgroup))
			ret = rt_cgroups_add(&m->cgroups, cgroup->id,
					     rt_perf_record_string(rec, cgroup->path));
		break;
	default:
		break;
	}
	return ret ? rt_err_set(err, ret < 0 ? -ret : ret, "out of memory") : 0;
}
