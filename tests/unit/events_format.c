// SPDX-License-Identifier: GPL-2.0
/*
 * events_format.c - probes from the command line to the printed line: parsed, fetched, described in
 * the format of tracefs, and printed by libtraceevent, as perf does it.
 */
#include <event-parse.h>
#include <stdlib.h>
#include <trace-seq.h>

#include "events/spec.h"
#include "memory.h"
#include "tap.h"

#define ID 4711

static int find_symbol(void *data, const char *module, const char *symbol, uint64_t *start,
		       uint64_t *end)
{
	if (strcmp(symbol, "counter"))
		return -ENOENT;
	*start = KERNEL + 512;
	*end = *start + 8;
	return 0;
}

static struct rt_event_env env = { .arch = RT_ARCH_ARM64, .symbol = find_symbol };
static uint64_t regs[RT_REGISTERS_ARM64];
static const uint64_t entered[] = { 0, 1, 2, 3, 4, -5ULL };
static const struct rt_program_context context = {
	.regs = regs,
	.saved = entered,
	.ip = 0xffff800010203040,
	.caller = 0xffff800010aabbcc,
	.old_value = 0x11111111000000ff,
	.new_value = 0x1111111100000000,
	.addr = 0xffff000000000014,
	.rw = RT_ACCESS_WRITE,
	.watch = RT_WATCH_UNCERTAIN | RT_WATCH_NO_NEW,
};

static struct trace_seq line;

/* The raw data of the event as perf stores it: common fields, then ours. */
static uint32_t fetch(const struct rt_event_spec *spec, uint8_t *raw)
{
	struct rt_program_limits limits = { rt_register_count(env.arch), ~0U, 0, 6 };
	struct rt_program_error error;
	uint16_t type = ID;
	struct rt_code code;
	uint32_t size;

	if (rt_program_check(RT_PROGRAM_FETCH, spec->fetch.slots, spec->fetch.code, 0, &limits,
			     &code, &error))
		return 0;
	size = rt_fetch_size(&code, &context);
	memset(raw, 0, RT_FIELD_BASE);
	memcpy(raw, &type, 2);
	rt_fetch_run(&code, &context, raw + RT_FIELD_BASE, size);
	return size + RT_FIELD_BASE;
}

/* What perf would print for the probe TEXT firing now. */
static const char *print(const char *text)
{
	static uint64_t raw[RT_PROGRAM_RECORD_MAX / 8 + 1];
	struct tep_handle *tep = tep_alloc();
	struct rt_event_list list = { 0 };
	struct tep_record record = { .data = raw };
	struct rt_err err;
	char *format = NULL;

	trace_seq_reset(&line);
	if (rt_event_parse(&list, text, &env, &err)) {
		trace_seq_printf(&line, "not parsed: %s", err.text);
		goto out;
	}
	tep_register_function(tep, (char *)"vfs_read", 0xffff800010000000, NULL);
	tep_register_function(tep, (char *)"vfs_write", 0xffff800010000100, NULL);
	format = rt_event_format_text(&list.specs[0], ID);
	if (tep_parse_event(tep, format, strlen(format), list.specs[0].system)) {
		trace_seq_printf(&line, "format refused: %s", format);
		goto out;
	}
	record.size = fetch(&list.specs[0], (uint8_t *)raw);
	tep_print_event(tep, &line, &record, "%s: %s", TEP_PRINT_NAME, TEP_PRINT_INFO);
out:
	trace_seq_terminate(&line);
	free(format);
	rt_event_list_free(&list);
	tep_free(tep);
	return line.buffer;
}

static void lines(void)
{
	is_str(print("kprobe:tcp_sendmsg"), "tcp_sendmsg: (ffff800010203040)", "the address alone");
	is_str(print("kprobe:tcp_sendmsg size=%x2"), "tcp_sendmsg: (ffff800010203040) size=0x28",
	       "a register");
	is_str(print("kprobe:f %x2 b=%x2"), "f: (ffff800010203040) arg1=0x28 b=0x28",
	       "a value without a name");
	is_str(print("kprobe:tcp_sendmsg size=%w2:u32 neg=%x3:s64 n32=%x3:s32 n16=%x3:s16 n8=%x3:s8 u=%x3:u64"),
	       "tcp_sendmsg: (ffff800010203040) size=40 neg=-22 n32=-22 n16=-22 n8=-22 "
	       "u=18446744073709551594",
	       "decimal, signed and not");
	is_str(print("kprobe:f a=%x3:x8 b=%x3:x16 c=%x3:x32 d=%x3:x64"),
	       "f: (ffff800010203040) a=0xea b=0xffea c=0xffffffea d=0xffffffffffffffea",
	       "hexadecimal of every size");
	is_str(print("kprobe:f f=%x2:f32 d=%x2:f64"), "f: (ffff800010203040) f=0x28 d=0x28",
	       "floating point: libtraceevent shows the bits");
	is_str(print("kprobe:f p=%x2:be16 q=%x2:be32 r=%x2:be64 a=+0(%x1):be16[2] n=%x3:be64"),
	       "f: (ffff800010203040) p=10240 q=671088640 r=2882303761517117440 a={12133,29795} "
	       "n=16933534598913064959",
	       "big-endian numbers");
	is_str(print("kretprobe:vfs_read ret=$retval"),
	       "vfs_read__return: (ffff800010203040 <- ffff800010aabbcc) ret=-14",
	       "a return value is signed");
	is_str(print("kretprobe:vfs_read $retval:x64"),
	       "vfs_read__return: (ffff800010203040 <- ffff800010aabbcc) arg1=0xfffffffffffffff2",
	       "unless asked for otherwise");
	is_str(print("kretprobe:vfs_read $retval size=$arg3 six=$arg6:s32"),
	       "vfs_read__return: (ffff800010203040 <- ffff800010aabbcc) arg1=-14 size=0x2 six=-5",
	       "arguments as they were at the entry");
	is_str(print("kprobe:do_open path=+0(%x1):string flags=%x2:x32"),
	       "do_open: (ffff800010203040) path=\"/etc/passwd\" flags=0x28", "a string");
	is_str(print("kprobe:do_open flags=%x2:x32 path=+u0(+0(%x4)):string u=+0(+0(%x4)):ustring"),
	       "do_open: (ffff800010203040) flags=0x28 path=\"user\" u=\"user\"", "a user string");
	is_str(print("kprobe:f a=+16(%x1):u32[3] b=%x2:b3@3/8 c=%x5:char d=+0(%x1):char[4]"),
	       "f: (ffff800010203040) a={1,2,4294967295} b=5 c='A' d=\"/etc\"",
	       "an array, a bitfield, characters");
	is_str(print("kprobe:f a=@counter b=@counter+4:u8 c=@0xffff800000000200:x16"),
	       "f: (ffff800010203040) a=0x1122334455667788 b=68 c=0x7788", "memory at a symbol");
	is_str(print("kprobe:f i=\\10 j=\\-1:s32 sp=$stack s=$stack1 comm=$comm"),
	       "f: (ffff800010203040) i=0xa j=-1 sp=0xffff800000000300 s=0x5 comm=\"worker/1:2\"",
	       "immediates, the stack, the task's name");
	is_str(print("kprobe:f a1=$arg1:s64 a3=$arg3"), "f: (ffff800010203040) a1=-14 a3=0x28",
	       "arguments by number");
	is_str(print("kprobe:f to=%x7:symbol"), "f: (ffff800010203040) to=vfs_read+0x24",
	       "a symbol");
	is_str(print("mem:0xffff000000000010/4:w"),
	       "mem_ffff000000000010: (ffff800010203040) "
	       "addr=0xffff000000000014 len=4 rw=w old=0xff new=0x0 flags=uncertain|new-unknown",
	       "old and new value of a watch");
}

static void faults(void)
{
	is_str(print("kprobe:f a=+0(%x6) b=%x2"), "f: (ffff800010203040) a=0x0 b=0x28 (fault: a)",
	       "a number that could not be read");
	is_str(print("kprobe:f a=+0(%x6):u16[2] b=+0(+8(%x6)):s8 c=+0(%x1):u8"),
	       "f: (ffff800010203040) a={0,0} b=0 c=47 (fault: a) (fault: b)", "two of three");
	is_str(print("kprobe:f s=+0(%x6):string t=+0(%x1):string n=+0(%x6):x8"),
	       "f: (ffff800010203040) s=\"(fault)\" t=\"/etc/passwd\" n=0x0 (fault: n)",
	       "a string says it itself");
}

/* The other architecture has other registers, but prints the same lines. */
static void x86(void)
{
	uint64_t saved[RT_REGISTERS_ARM64];

	memcpy(saved, regs, sizeof(regs));
	env.arch = RT_ARCH_X86_64;
	regs[12] = 0x1234567890; /* dx */
	regs[10] = -2ULL;	 /* ax */
	regs[19] = KERNEL + 768; /* sp */
	regs[18] = 0x246;	 /* flags */
	regs[14] = 77;		 /* di */
	is_str(print("kprobe:f a=%dx b=%rdx c=%edx d=%flags e=$arg1 f=$stack1"),
	       "f: (ffff800010203040) a=0x1234567890 b=0x1234567890 c=0x34567890 d=0x246 e=0x4d "
	       "f=0x5",
	       "registers of x86_64, in both styles");
	is_str(print("kretprobe:f $retval"),
	       "f__return: (ffff800010203040 <- ffff800010aabbcc) "
	       "arg1=-2",
	       "its return value");
	env.arch = RT_ARCH_ARM64;
	memcpy(regs, saved, sizeof(regs));
}

/* Our own parser reads the formats that we write. */
static void back(void)
{
	struct rt_event_list list = { 0 };
	struct rt_field_list fields;
	struct rt_err err;
	char *format;
	size_t i, same = 0;

	if (!ok(!rt_event_parse(
			&list, "kprobe:f a=%x0 b=+0(%x1):string c=$comm d=%x0:s16 e=+0(%x0):u32[3]",
			&env, &err),
		"a probe"))
		return;
	format = rt_event_format_text(&list.specs[0], ID);
	if (ok(!rt_field_list_parse(&fields, format, &err), "its format is read back")) {
		is_int(fields.count, list.specs[0].fields.count, "with all fields");
		for (i = 0; i < fields.count; i++) {
			const struct rt_field *a = &fields.fields[i],
					      *b = &list.specs[0].fields.fields[i];

			same += !strcmp(a->name, b->name) && a->offset == b->offset &&
				a->size == b->size && a->is_signed == b->is_signed &&
				a->is_string == b->is_string && a->dynamic == b->dynamic &&
				a->count == b->count;
		}
		is_int(same, fields.count, "as they were");
		is_int(fields.fixed, list.specs[0].fields.fixed, "and where they end");
		rt_field_list_free(&fields);
	}
	ok(rt_field_list_parse(&fields, "format:\n\tfield:int x;\tsize:4;\n", &err) == -EINVAL &&
		   strstr(err.text, "not understood: field:int x;"),
	   "a broken format is an error that shows the line");
	free(format);
	rt_event_list_free(&list);
}

int main(void)
{
	uint64_t pointer = USER + 8, counter = 0x1122334455667788, five = 5;

	trace_seq_init(&line);
	memory_begin();
	regs[0] = -14ULL;
	regs[1] = KERNEL + 32;
	regs[2] = 0x28;
	regs[3] = -22ULL;
	regs[4] = KERNEL + 256;
	regs[5] = 'A';
	regs[6] = KERNEL_HOLE;
	regs[7] = 0xffff800010000024;
	regs[31] = KERNEL + 768;
	strcpy((char *)kernel_memory + 32, "/etc/passwd");
	memcpy(kernel_memory + 48, "\1\0\0\0\2\0\0\0\xff\xff\xff\xff", 12);
	memcpy(kernel_memory + 256, &pointer, 8);
	memcpy(kernel_memory + 512, &counter, 8);
	memcpy(kernel_memory + 776, &five, 8);
	strcpy((char *)user_memory + 8, "user");
	lines();
	faults();
	x86();
	back();
	trace_seq_destroy(&line);
	return tap_done();
}
