// SPDX-License-Identifier: GPL-2.0
/* Whether an offset in a function is the beginning of an instruction. */
#include <errno.h>
#include <stdlib.h>

#include "arch/x86_length.h"
#include "host/kcore.h"
#include "probe/job.h"

enum { CODE_MAX = 1 << 20 };

static int refuse(struct rt_probe_job *j, uint64_t before, uint64_t after)
{
	const char *f = j->def->function;

	return rt_err_set(j->err, EINVAL,
			  "%s+0x%llx is in the middle of an instruction; instructions begin at "
			  "%s+0x%llx and %s+0x%llx",
			  f, (unsigned long long)j->def->offset, f, (unsigned long long)before, f,
			  (unsigned long long)after);
}

/* Decode from the beginning of the function, of which SIZE bytes are at CODE. */
static int decode(struct rt_probe_job *j, const uint8_t *code, uint64_t size)
{
	uint64_t at = 0;
	unsigned int length;

	while (at < j->def->offset) {
		length = rt_x86_length(code + at, size - at, true);
		/* What cannot be decoded is the kernel's to judge. */
		if (!length)
			return 0;
		if (at + length > j->def->offset)
			return refuse(j, at, at + length);
		at += length;
	}
	return 0;
}

static int check_x86(struct rt_probe_job *j, const struct rt_ksym *sym)
{
	uint64_t size = sym->end - sym->start;
	uint8_t *code;
	int ret = 0;

	if (!sym->start || size > CODE_MAX || j->def->offset >= size)
		return 0;
	code = malloc(size);
	if (!code)
		return rt_err_set(j->err, ENOMEM, "out of memory");
	if (!rt_kcore_read(NULL, sym->start, code, size))
		ret = decode(j, code, size);
	free(code);
	return ret;
}

int rt_probe_check_offset(struct rt_probe_job *j)
{
	const struct rt_event_env *env = rt_probe_sources_env(j->sources);
	struct rt_ksyms *k = env->ksyms ? env->ksyms(env->data) : NULL;
	struct rt_ksym_list list;
	int ret = 0;

	if (!j->def->function)
		return 0;
	if (env->arch == RT_ARCH_ARM64)
		return j->def->offset % 4 ?
			       refuse(j, j->def->offset & ~3ULL, (j->def->offset & ~3ULL) + 4) :
			       0;
	if (!k || !rt_probe_sources_running(j->sources))
		return 0;
	if (rt_ksyms_find(k, j->def->module, j->def->function, RT_KSYMS_TEXT, &list))
		return rt_err_set(j->err, ENOMEM, "out of memory");
	/* Of several functions, the kernel checks each. */
	if (list.count == 1)
		ret = check_x86(j, list.list[0]);
	rt_ksym_list_free(&list);
	return ret;
}
