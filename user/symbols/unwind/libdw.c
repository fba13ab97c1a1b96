// SPDX-License-Identifier: GPL-2.0
/*
 * libdw.c - unwind a sample of any architecture with libdw.
 *
 * A Dwfl holds the objects of one address space; they are reported when ips and addresses refer to
 * them.  libdw then walks from the registers of the sample.
 */
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbols/unwind/codefile.h"
#include "symbols/unwind/internal.h"

/* libdw identifies a thread by a number; any will do. */
#define THREAD 1

struct space {
	uint64_t number, used;
	Dwfl *dwfl; /* NULL: free */
	bool attached;
	struct rt_unwind_dw *owner;
};

struct rt_unwind_dw {
	struct space space[RT_UNWIND_SPACES];
	uint64_t clock;
	/* of the current sample */
	const struct rt_unwind_arch *arch;
	const struct rt_unwind_sample *sample;
	struct space *at;
	uint64_t *ips;
	unsigned int count, max;
};

/* The vdso is not a file, but libdw needs one, which it closes. */
static int as_file(const struct rt_codefile *code)
{
	int fd = syscall(SYS_memfd_create, "vdso", 1 /* MFD_CLOEXEC */);

	if (fd >= 0 && write(fd, code->bytes, code->size) != (ssize_t)code->size) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Find the module that contains addr; report it if necessary. */
static Dwfl_Module *find_module(struct rt_unwind_dw *d, uint64_t addr)
{
	Dwfl_Module *module = dwfl_addrmodule(d->at->dwfl, addr);
	const struct rt_codefile *code;
	struct rt_unwind_map map;
	int fd = -1;

	if (module || !d->sample->map(d->sample->map_arg, addr, &map))
		return module;
	code = rt_codefile_of(map.object);
	if (!code || !code->elf.elf)
		return NULL;
	if (!code->path && (fd = as_file(code)) < 0)
		return NULL;
	dwfl_report_begin_add(d->at->dwfl);
	/* A file with fixed addresses stays where its headers say. */
	dwfl_report_elf(d->at->dwfl, rt_object_name(map.object), code->path, -1,
			code->elf.ehdr.e_type == ET_EXEC ?
				0 :
				rt_codefile_bias(code, addr, map.start, map.pgoff),
			false);
	dwfl_report_end(d->at->dwfl, NULL, NULL);
	return dwfl_addrmodule(d->at->dwfl, addr);
}

static struct rt_unwind_dw *owner_of(void *arg)
{
	return ((struct space *)arg)->owner;
}

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return THREAD;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	struct rt_unwind_dw *d = owner_of(arg);
	uint32_t half;

	if (d->arch->word == 8)
		return rt_unwind_memory(d->arch, d->sample, addr, result);
	if (!rt_unwind_memory(d->arch, d->sample, addr, &half))
		return false;
	*result = half;
	return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *arg)
{
	struct rt_unwind_dw *d = owner_of(arg);
	uint64_t value;
	int i;

	for (i = 0; i < d->arch->dwarf_regs; i++) {
		Dwarf_Word word;

		if (d->arch->dwarf[i] < 0 || !rt_unwind_reg(d->sample, d->arch->dwarf[i], &value))
			continue;
		word = value;
		dwfl_thread_state_registers(thread, i, 1, &word);
	}
	if (!rt_unwind_reg(d->sample, d->arch->pc, &value))
		return false;
	dwfl_thread_state_register_pc(thread, value);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_initial_registers,
};

/*
 * Unwind entries are in the file itself; libdw's own function would ask servers over the network.
 */
static int no_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = no_debuginfo,
	.find_elf = dwfl_build_id_find_elf,
	.section_address = dwfl_offline_section_address,
};

static struct space *space_of(struct rt_unwind_dw *d, uint64_t number)
{
	struct space *s = NULL, *oldest = &d->space[0];
	size_t i;

	for (i = 0; i < RT_UNWIND_SPACES && !s; i++) {
		if (d->space[i].dwfl && d->space[i].number == number)
			s = &d->space[i];
		else if (d->space[i].used < oldest->used)
			oldest = &d->space[i];
	}
	if (!s) {
		s = oldest;
		dwfl_end(s->dwfl);
		s->dwfl = dwfl_begin(&callbacks);
		s->number = number;
		s->attached = false;
		s->owner = d;
	}
	s->used = ++d->clock;
	return s->dwfl ? s : NULL;
}

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct rt_unwind_dw *d = arg;
	bool activation;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	/* Report the caller's module before libdw looks for its entry. */
	find_module(d, pc);
	if (!dwfl_frame_pc(frame, &pc, &activation))
		return DWARF_CB_ABORT;
	if (d->count && !activation)
		pc--;
	d->ips[d->count++] = pc;
	return d->count < d->max ? DWARF_CB_OK : DWARF_CB_ABORT;
}

struct rt_unwind_dw *rt_unwind_dw_new(void)
{
	return calloc(1, sizeof(struct rt_unwind_dw));
}

void rt_unwind_dw_free(struct rt_unwind_dw *d)
{
	size_t i;

	for (i = 0; d && i < RT_UNWIND_SPACES; i++)
		dwfl_end(d->space[i].dwfl);
	free(d);
}

int rt_unwind_dw(struct rt_unwind_dw *d, const struct rt_unwind_arch *arch,
		 const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max)
{
	Dwfl_Module *module;
	Dwarf_Addr bias;
	Elf *elf;

	d->arch = arch;
	d->sample = sample;
	d->at = space_of(d, sample->space);
	d->ips = ips;
	d->count = 0;
	d->max = max;
	if (!d->at)
		return 0;
	/* libdw learns the architecture from the first object. */
	module = find_module(d, ips[0]);
	elf = module && !d->at->attached ? dwfl_module_getelf(module, &bias) : NULL;
	if (elf)
		d->at->attached =
			dwfl_attach_state(d->at->dwfl, elf, THREAD, &thread_callbacks, d->at);
	if (d->at->attached)
		dwfl_getthread_frames(d->at->dwfl, THREAD, add_frame, d);
	/* Even if nothing is mapped there, the sampled ip is known. */
	return d->count ? d->count : 1;
}
