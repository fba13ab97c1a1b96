// SPDX-License-Identifier: GPL-2.0
/*
 * libunwind.c - unwind a sample of this machine's architecture with libunwind.
 *
 * libunwind asks for memory, registers and the table of unwind entries of the object that contains
 * an ip.  Its remote interface does the rest and caches what it learned by ip for each address
 * space.
 */
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <libunwind.h>

#include "symbols/unwind/codefile.h"
#include "symbols/unwind/internal.h"

/* libunwind exports this for users like us, but declares it in none of its headers. */
extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
					      unw_dyn_info_t *di, unw_proc_info_t *pi,
					      int need_unwind_info, void *arg);
/* Weak: for some architectures distributions build libunwind without it. */
extern int UNW_OBJ(dwarf_find_debug_frame)(int found, unw_dyn_info_t *di, unw_word_t ip,
					   unw_word_t segbase, const char *path, unw_word_t start,
					   unw_word_t end) __attribute__((weak));

/*
 * perf's code for "there is no table".  With "no entry" libunwind would go on by the frame pointer,
 * which leads nowhere at an invalid address.
 */
#define NO_TABLE (-EINVAL)

#define PERF_PAGE 4096 /* perf aligns the start of an object to this */

struct space {
	uint64_t number, used;
	unw_addr_space_t as; /* NULL: free */
};

struct rt_unwind_native {
	struct space space[RT_UNWIND_SPACES];
	uint64_t clock;
	/* of the current sample */
	const struct rt_unwind_arch *arch;
	const struct rt_unwind_sample *sample;
	/* The last object found, with its bias: samples ask for the same one repeatedly. */
	struct rt_unwind_map map;
	const struct rt_codefile *code;
	uint64_t bias;
};

bool rt_unwind_native_can(const struct rt_unwind_arch *arch)
{
#if defined(__aarch64__)
	return arch->machine == EM_AARCH64;
#elif defined(__x86_64__)
	return arch->machine == EM_X86_64;
#else
	return false;
#endif
}

/* Convert libunwind's register number to the number in the sample's mask. */
static int mask_number(int reg)
{
#if defined(__aarch64__)
	return reg <= 32 ? reg : -1;
#elif defined(__x86_64__)
	static const int8_t numbers[] = {
		0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8
	};

	return reg < (int)sizeof(numbers) ? numbers[reg] : -1;
#else
	return -1;
#endif
}

/* ---- what libunwind asks --------------------------------------------------------- */

static bool find_code(struct rt_unwind_native *n, uint64_t addr)
{
	if (n->code && addr >= n->map.start && addr < n->map.end)
		return true;
	n->code = NULL;
	if (!n->sample->map(n->sample->map_arg, addr, &n->map))
		return false;
	n->code = rt_codefile_of(n->map.object);
	if (n->code)
		n->bias = rt_codefile_bias(n->code, addr, n->map.start, n->map.pgoff);
	return n->code != NULL;
}

/*
 * perf 6.1 takes the lowest mapping of an object as its start, even if that mapping is left from
 * before an exec or is not the start.  perf then finds no entries, or wrong ones.
 */
static uint64_t table_bias(const struct rt_unwind_native *n)
{
	const struct rt_unwind_sample *s = n->sample;

	if (!s->as_perf || !s->lowest || !n->code->segments)
		return n->bias;
	return s->lowest(s->map_arg, n->map.object) -
	       (n->code->first_vaddr & ~(uint64_t)(PERF_PAGE - 1));
}

static int search_eh_frame(struct rt_unwind_native *n, unw_addr_space_t as, unw_word_t ip,
			   unw_proc_info_t *pi, int need_unwind_info)
{
	unw_dyn_info_t di;

	if (!n->code->has_frame_hdr)
		return NO_TABLE;
	memset(&di, 0, sizeof(di));
	di.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	di.start_ip = n->map.start;
	di.end_ip = n->map.end;
	di.u.rti.segbase = table_bias(n) + n->code->frame_hdr_vaddr;
	di.u.rti.table_data = table_bias(n) + n->code->frame_table_vaddr;
	di.u.rti.table_len = n->code->frame_count * 2 * sizeof(int32_t) / sizeof(unw_word_t);
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need_unwind_info, n);
}

/* libunwind keeps one list of files for this, without a lock. */
static pthread_mutex_t debug_frame_lock = PTHREAD_MUTEX_INITIALIZER;

static int search_debug_frame(struct rt_unwind_native *n, unw_addr_space_t as, unw_word_t ip,
			      unw_proc_info_t *pi, int need_unwind_info)
{
	const char *file = rt_object_symbol_file(n->map.object);
	struct rt_unwind_map map = n->map;
	unw_dyn_info_t di;
	int found;

	if (!file || !n->code->elf.elf || !UNW_OBJ(dwarf_find_debug_frame))
		return NO_TABLE;
	memset(&di, 0, sizeof(di));
	pthread_mutex_lock(&debug_frame_lock);
	found = UNW_OBJ(dwarf_find_debug_frame)(0, &di, ip,
						n->code->elf.ehdr.e_type == ET_EXEC ? 0 : n->bias,
						file, map.start, map.end);
	pthread_mutex_unlock(&debug_frame_lock);
	if (!found)
		return NO_TABLE;
	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &di, pi, need_unwind_info, n);
}

static bool has_debug_frame(const struct rt_codefile *code)
{
	GElf_Shdr shdr;

	return code->elf.elf && rt_elf_section(&code->elf, ".debug_frame", &shdr, NULL);
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi,
			  int need_unwind_info, void *arg)
{
	struct rt_unwind_native *n = arg;
	int ret;

	if (!find_code(n, ip))
		return NO_TABLE;
	ret = search_eh_frame(n, as, ip, pi, need_unwind_info);
	if (ret < 0 && find_code(n, ip) && has_debug_frame(n->code)) {
		int again = search_debug_frame(n, as, ip, pi, need_unwind_info);

		if (again != NO_TABLE)
			ret = again;
	}
	return ret;
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *addr, void *arg)
{
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write, void *arg)
{
	struct rt_unwind_native *n = arg;
	struct rt_unwind_map map;

	*value = 0;
	if (write || rt_unwind_memory(n->arch, n->sample, addr, value))
		return 0;
	/*
	 * perf cannot read where no mapping was recorded.  So it cannot use the unwind entry of a
	 * function with a personality routine (in C++, or with a cleanup): the routine's address
	 * lies in the data.  If a mapping has no readable file, perf assumes zeros.
	 */
	if (n->sample->as_perf)
		return n->sample->map(n->sample->map_arg, addr, &map) ? 0 : -UNW_EUNSPEC;
	/* Unwind entries may lie in a part of the file whose mapping was not recorded. */
	if (n->code && rt_codefile_read(n->code, addr - n->bias, value, sizeof(*value)))
		return 0;
	return -UNW_EUNSPEC;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
		      void *arg)
{
	struct rt_unwind_native *n = arg;
	int number = reg >= 0 ? mask_number(reg) : -1;
	uint64_t got;

	if (write)
		return 0;
	if (number < 0 || !rt_unwind_reg(n->sample, number, &got))
		return -UNW_EBADREG;
	*value = got;
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *arg)
{
	return -UNW_EINVAL;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t addr, char *name, size_t size,
			 unw_word_t *offset, void *arg)
{
	return -UNW_EINVAL;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
	.get_proc_name = get_proc_name,
};

/* ---- address spaces ----------------------------------------------------------------- */

static unw_addr_space_t space_of(struct rt_unwind_native *n, uint64_t number)
{
	struct space *s = NULL, *oldest = &n->space[0];
	size_t i;

	for (i = 0; i < RT_UNWIND_SPACES && !s; i++) {
		if (n->space[i].as && n->space[i].number == number)
			s = &n->space[i];
		else if (n->space[i].used < oldest->used)
			oldest = &n->space[i];
	}
	if (!s) {
		s = oldest;
		if (s->as)
			unw_destroy_addr_space(s->as);
		s->as = unw_create_addr_space(&accessors, 0);
		s->number = number;
		if (s->as)
			unw_set_caching_policy(s->as, UNW_CACHE_GLOBAL);
	}
	s->used = ++n->clock;
	return s->as;
}

struct rt_unwind_native *rt_unwind_native_new(void)
{
	return calloc(1, sizeof(struct rt_unwind_native));
}

void rt_unwind_native_free(struct rt_unwind_native *n)
{
	size_t i;

	for (i = 0; n && i < RT_UNWIND_SPACES; i++)
		if (n->space[i].as)
			unw_destroy_addr_space(n->space[i].as);
	free(n);
}

int rt_unwind_native(struct rt_unwind_native *n, const struct rt_unwind_arch *arch,
		     const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max)
{
	unw_addr_space_t as = space_of(n, sample->space);
	unw_cursor_t cursor;
	unsigned int count = 1;
	unw_word_t ip;

	n->arch = arch;
	n->sample = sample;
	n->code = NULL;
	if (!as || unw_init_remote(&cursor, as, n))
		return 0;
	while (count < max && unw_step(&cursor) > 0) {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip))
			break;
		/* perf prints the end of a stack, a caller of 0, as a frame at -1. */
		if (!ip && !sample->as_perf)
			break;
		/* Return addresses point behind the call; interrupted ones do not. */
		if (unw_is_signal_frame(&cursor) <= 0)
			ip--;
		ips[count++] = ip;
	}
	return count;
}
