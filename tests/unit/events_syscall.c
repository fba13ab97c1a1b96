// SPDX-License-Identifier: GPL-2.0
/*
 * Events of system calls: from the kernel's format to the bytes of the record.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "events/spec.h"
#include "events/syscall.h"
#include "memory.h"
#include "tap.h"

#define COMMON                                                                         \
	"name: x\nID: 1\nformat:\n"                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                   \
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"

#define OPENAT                                                                    \
	COMMON "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"               \
	       "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n" \
	       "\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"             \
	       "\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n"

static uint64_t regs[RT_REGISTERS_ARM64], raw[64];
static struct rt_event_spec spec;

static void forget(void)
{
	rt_field_list_free(&spec.fields);
	rt_program_text_free(&spec.fetch);
	memset(&spec, 0, sizeof(spec));
}

/* Lay out, check as the module does, and run.  Returns the number of bytes, or 0. */
static uint32_t run(const char *name, const char *format, enum rt_arch arch, struct rt_err *err)
{
	const struct rt_program_context context = { .regs = regs, .ip = 257 };
	struct rt_program_limits limits = { rt_register_count(arch), ~0U, 0 };
	struct rt_program_error error;
	struct rt_code code;
	uint32_t size;

	forget();
	spec.kind = RT_SPEC_TRACEPOINT;
	spec.system = (char *)"syscalls";
	spec.name = (char *)name;
	memset(raw, 0xff, sizeof(raw));
	if (rt_syscall_lay_out(&spec, format, arch, err) ||
	    rt_program_check(RT_PROGRAM_FETCH, spec.fetch.slots, spec.fetch.code, 0, &limits, &code,
			     &error))
		return 0;
	size = rt_fetch_size(&code, &context);
	rt_fetch_run(&code, &context, (char *)raw + RT_FIELD_BASE, size);
	return size + RT_FIELD_BASE;
}

static void registers_named(enum rt_arch arch, const char *const *names, unsigned int count)
{
	struct rt_register_slot r;
	unsigned int i;

	memset(regs, 0x77, sizeof(regs));
	for (i = 0; i < count; i++)
		if (!rt_register_find(arch, names[i], &r))
			regs[r.slot] = 100 + i;
}

static void test_enter(void)
{
	static const char *const x86[] = { "di", "si", "dx", "r10" };
	static const char *const arm[] = { "x0", "x1", "x2", "x3" };
	struct rt_err err;
	int i;

	registers_named(RT_ARCH_X86_64, x86, 4);
	is_int(run("sys_enter_openat", OPENAT, RT_ARCH_X86_64, &err), 48, "as long as the format");
	is_int(raw[1], 257, "the number, and nothing behind it");
	for (i = 0; i < 4; i++)
		is_int(raw[2 + i], 100 + i, "argument %d of x86_64", i);
	registers_named(RT_ARCH_ARM64, arm, 4);
	is_int(run("sys_enter_openat", OPENAT, RT_ARCH_ARM64, &err), 48, "arm64: as long");
	for (i = 0; i < 4; i++)
		is_int(raw[2 + i], 100 + i, "argument %d of arm64", i);
}

static void test_exit(void)
{
	struct rt_err err;

	regs[0] = -2;
	is_int(run("sys_exit_openat", COMMON "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n",
		   RT_ARCH_ARM64, &err),
	       24, "an exit");
	is_int(raw[2], -2, "what it returns");
}

static void test_filter(void)
{
	const struct rt_program_context context = { .regs = regs, .ip = 257 };
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, 0 };
	struct rt_event_env env = { .arch = RT_ARCH_ARM64 };
	struct rt_program_text filter = { 0 };
	struct rt_program_error error;
	struct rt_code code;
	struct rt_err err;

	run("sys_enter_openat", OPENAT, RT_ARCH_ARM64, &err);
	ok(!rt_event_filter("flags & 0x40 && dfd == 7", &spec.fields, &spec, &env, &filter, &err),
	   "a filter over arguments");
	limits.fixed = spec.fields.fixed;
	ok(!rt_program_check(RT_PROGRAM_FILTER, filter.slots, filter.code, filter.text, &limits,
			     &code, &error) &&
		   code.early,
	   "needs no record");
	regs[0] = 7;
	regs[2] = 0x240;
	ok(rt_filter_run(&code, &context, NULL, 0), "it holds");
	regs[2] = 0x201;
	ok(!rt_filter_run(&code, &context, NULL, 0), "it does not");
	rt_program_text_free(&filter);
}

/* Newer kernels describe what the arguments point to. */
static void test_text(void)
{
	static const char *const format =
		OPENAT "\tfield:__data_loc char[] __filename_val;\toffset:48;\tsize:4;\tsigned:0;\n"
		       "\tfield:__data_loc u8[] __mode_val;\toffset:52;\tsize:4;\tsigned:0;\n";
	struct rt_err err;
	uint32_t size, where, empty;

	regs[1] = 8;
	size = run("sys_enter_openat", format, RT_ARCH_ARM64, &err);
	memcpy(&where, (char *)raw + 48, 4);
	memcpy(&empty, (char *)raw + 52, 4);
	is_int(size, 56 + sizeof("(fault)"), "with a text that cannot be read");
	is_int(where, sizeof("(fault)") << 16 | 56, "it says where it is");
	is_str((char *)raw + 56, "(fault)", "and that it is none");
	is_int(empty >> 16, 0, "other data is empty");
	strcpy((char *)user_memory, "/etc/passwd");
	regs[1] = USER;
	run("sys_enter_openat", format, RT_ARCH_ARM64, &err);
	is_str((char *)raw + 56, "/etc/passwd", "a text that can be read");
}

static void test_refused(void)
{
	struct rt_err err;

	is_int(run("sys_enter_openat",
		   OPENAT "\tfield:long a;\toffset:48;\tsize:8;\tsigned:0;\n"
			  "\tfield:long b;\toffset:56;\tsize:8;\tsigned:0;\n"
			  "\tfield:long c;\toffset:64;\tsize:8;\tsigned:0;\n",
		   RT_ARCH_ARM64, &err),
	       0, "seven arguments are refused");
	ok(strstr(err.text, "sys_enter_openat"), "by name: %s", err.text);
}

/* The number that the program itself has for an event. */
static int number(const char *system, const char *name)
{
	spec.kind = RT_SPEC_TRACEPOINT;
	spec.system = (char *)system;
	spec.name = (char *)name;
	return rt_syscall_number(&spec);
}

static void test_number(void)
{
	forget();
	is_int(number("syscalls", "sys_enter_openat"), SYS_openat, "the number of a call");
	is_int(number("syscalls", "sys_exit_read"), SYS_read, "of an exit; it may be 0");
	is_int(number("syscalls", "sys_enter_newuname"), SYS_uname,
	       "of a call whose function has another name");
	is_int(number("syscalls", "sys_enter_sendfile64"), SYS_sendfile, "of another one");
	is_int(number("syscalls", "sys_enter_opena"), -ENOENT, "none of the beginning of a name");
	is_int(number("syscalls", "sys_enter_"), -ENOENT, "none without a name");
	is_int(number("raw_syscalls", "sys_enter_openat"), -ENOENT, "none of another system");
	memset(&spec, 0, sizeof(spec));
}

int main(void)
{
	memory_begin();
	test_number();
	test_enter();
	test_exit();
	test_filter();
	test_text();
	test_refused();
	forget();
	return tap_done();
}
