// SPDX-License-Identifier: GPL-2.0
/*
 * symbols_foreign.c - a stack of another architecture: libdw unwinds x86-64 code with known unwind
 * entries and with registers and stack bytes made to match.
 */
#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>

#include "symbols/unwind/unwind.h"
#include "symbols_build.h"
#include "tap.h"

#define BASE  0x7f0000000000ULL
#define STACK 0x7ffc00001000ULL

/* Three functions, each with a frame of its own size; `back_*` are return addresses. */
static const char code_s[] =
	".text\n"
	".globl first\n.type first,@function\nfirst: .cfi_startproc\n"
	"sub $24,%rsp\n.cfi_adjust_cfa_offset 24\ncall second\n.globl back_first\nback_first: nop\n"
	"add $24,%rsp\n.cfi_adjust_cfa_offset -24\nret\n.cfi_endproc\n.size first,.-first\n"
	".globl second\n.type second,@function\nsecond: .cfi_startproc\n"
	"push %rbx\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbx,-16\n"
	"push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbp,-24\n"
	"call third\n.globl back_second\nback_second: pop %rbp\npop %rbx\nret\n.cfi_endproc\n"
	".size second,.-second\n"
	".globl third\n.type third,@function\nthird: .cfi_startproc\n"
	"push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp,-16\n"
	"mov %rsp,%rbp\n.cfi_def_cfa_register %rbp\nsub $64,%rsp\n"
	".globl sampled\nsampled: nop\nleave\nret\n.cfi_endproc\n.size third,.-third\n"
	".section .note.GNU-stack,\"\",@progbits\n";

static struct rt_object *object;

static bool find_map(void *arg, uint64_t addr, struct rt_unwind_map *map)
{
	if (addr < BASE || addr >= BASE + 0x100000)
		return false;
	*map = (struct rt_unwind_map){ BASE, BASE + 0x100000, 0, object };
	return true;
}

static uint64_t address_of(const char *name)
{
	char command[128], line[64] = "0";
	FILE *f;

	snprintf(command, sizeof(command), "nm code.so | awk '$3 == \"%s\" { print $1 }'", name);
	f = popen(command, "r");
	if (!fgets(line, sizeof(line), f))
		line[0] = '0';
	pclose(f);
	return BASE + strtoull(line, NULL, 16);
}

int main(void)
{
	/* third keeps rbp and 64 bytes, second rbp and rbx, first 24 bytes */
	uint64_t stack[32] = { 0 }, regs[9], ips[8];
	struct rt_symbols_options opt = { .home = scratch };
	struct rt_symbols *syms;
	struct rt_unwinder *u;
	struct rt_unwind_sample s = { .machine = EM_X86_64,
				      .abi = PERF_SAMPLE_REGS_ABI_64,
				      .regs_mask = 0x1ff, /* ax bx cx dx si di bp sp ip */
				      .regs = regs,
				      .stack = stack,
				      .stack_len = sizeof(stack),
				      .map = find_map };
	char path[128];
	int n;

#if defined(__x86_64__)
	printf("1..0 # SKIP x86-64 is not foreign here\n");
	return 0;
#endif
	scratch_make();
	write_text("code.s", code_s);
	if (!shell("for cc in x86_64-linux-gnu-gcc x86_64-linux-gnu-gcc-12; do "
		   "$cc -shared -nostdlib -Wl,-z,noseparate-code -o code.so code.s 2>/dev/null && "
		   "exit 0; done; exit 1")) {
		printf("1..0 # SKIP no compiler for x86-64 on this machine\n");
		return 0;
	}
	syms = rt_symbols_open(&opt, NULL);
	snprintf(path, sizeof(path), "%s/code.so", scratch);
	object = rt_object_get_kind(syms, RT_OBJECT_USER, path, NULL);

	stack[8] = 0x1234;		      /* third's saved rbp */
	stack[9] = address_of("back_second"); /* return into second */
	stack[10] = 0x5678;		      /* second's saved rbp */
	stack[11] = 0x9abc;		      /* and rbx */
	stack[12] = address_of("back_first"); /* return into first */
	memset(regs, 0, sizeof(regs));
	regs[6] = STACK + 64;
	regs[7] = STACK;
	regs[8] = address_of("sampled");

	u = rt_unwinder_new(syms, RT_UNWIND_BEST);
	ok(rt_unwinder_can(u, EM_X86_64, PERF_SAMPLE_REGS_ABI_64), "x86-64 can be unwound here");
	n = rt_unwind(u, &s, ips, 3);
	is_int(n, 3, "three frames");
	ok(n > 0 && ips[0] == address_of("sampled"), "the sampled instruction");
	ok(n > 1 && ips[1] == address_of("back_second") - 1, "its caller, in the call");
	ok(n > 2 && ips[2] == address_of("back_first") - 1, "and the caller of that");
	rt_unwinder_free(u);
	u = rt_unwinder_new(syms, RT_UNWIND_LIBUNWIND);
	is_int(rt_unwind(u, &s, ips, 3), -ENOTSUP, "which libunwind alone does not do");
	rt_unwinder_free(u);
	rt_symbols_close(syms);
	return tap_done();
}
