// SPDX-License-Identifier: GPL-2.0
/* Definitions with names become events with registers and offsets; wrong ones are refused. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "btf_build.h"
#include "probe/translate.h"
#include "tap.h"

static struct rt_event_env env;
static struct rt_probe_sources *sources;
static struct rt_translation translation;
static struct rt_err err;

static const char *translated(const char *text)
{
	rt_translation_free(&translation);
	err.text[0] = 0;
	if (rt_probe_translate(sources, text, &translation, &err))
		return err.text;
	return translation.list[0].text;
}

static void refused(const char *text, const char *why)
{
	const char *said = translated(text);

	if (!ok(!translation.count && strstr(said, why), "refused: %s", text))
		printf("# %s\n", said);
}

static void test_x86(void)
{
	env.arch = RT_ARCH_X86_64;
	is_str(translated("f n"), "kprobe:f n=%si:s32", "an int");
	is_str(translated("f six s b"), "kprobe:f six=%r9:u64 s=%r8:u16 b=%cx:u8", "widths");
	is_str(translated("f seven"), "kprobe:f seven=+8(%sp):s32", "a parameter on the stack");
	is_str(translated("f text"), "kprobe:f text=+0(%dx):string", "char *");
	is_str(translated("f o"), "kprobe:f o=%di:x64", "a pointer");
	is_str(translated("f o->a o->b"), "kprobe:f a=+8(%di):s64 b=+8(%di):u16",
	       "members of an anonymous union");
	is_str(translated("f o->next->name"), "kprobe:f name=+0(+0(%di)):string/16", "char[16]");
	is_str(translated("f o->next->low o->next->high o->next->odd"),
	       "kprobe:f low=+16(+0(%di)):sb3@0/8 high=+16(+0(%di)):sb5@3/8 "
	       "odd=+16(+0(%di)):b12@12/32",
	       "bitfields with their signs");
	is_str(translated("f o->in[2].name"), "kprobe:f name=+56(%di):string/16", "an element");
	is_str(translated("f x=o->next[1].odd"), "kprobe:f x=+36(+0(%di)):b12@12/32",
	       "an element behind a pointer");
	is_str(translated("f o->c"), "kprobe:f c=+96(%di):s32", "an enum");
	ok(translation.list[0].labels.count == 1 &&
		   !strcmp(translation.list[0].labels.list[0].names,
			   "{ 0x0, \"RED\" }, { 0x5, \"GREEN\" }, { 0xffffffff, \"NEVER\" }"),
	   "with its names");
	is_str(translated("f%return $retval"), "kretprobe:f retval=$retval:s64", "$retval");
	is_str(translated("f%return $retval n o->next->name text"),
	       "kretprobe:f retval=$retval:s64 n=$arg2:s32 name=+0(+0($arg1)):string/16 "
	       "text=+0($arg3):string",
	       "parameters at the return, as they were at the entry");
	is_str(translated("f n:x32 o->next->name:string"),
	       "kprobe:f n=%si:x32 name=+0(+0(%di)):string", "types as the user wants them");
	is_str(translated("f n n"), "kprobe:f n=%si:s32 n_1=%si:s32", "names are unique");
	is_str(translated("f %di a=+8(%si):u32 $comm c=$cpu"),
	       "kprobe:f %di a=+8(%si):u32 $comm c=$cpu", "registers stay as they are");
	is_str(translated("f $params"),
	       "kprobe:f o=%di:x64 n=%si:s32 text=+0(%dx):string b=%cx:u8 s=%r8:u16 six=%r9:u64 "
	       "seven=+8(%sp):s32",
	       "$params");
}

static void test_arm64(void)
{
	env.arch = RT_ARCH_ARM64;
	is_str(translated("f seven o->a"), "kprobe:f seven=%x6:s32 a=+8(%x0):s64",
	       "arm64 has more registers");
	is_str(translated("f%return seven"), "kretprobe:f seven=$arg7:s32", "also at the return");
	refused("f+2", "instructions begin at f+0x0 and f+0x4");
	is_str(translated("f+8 %x0"), "kprobe:f+0x8 %x0", "an offset");
	env.arch = RT_ARCH_X86_64;
}

static void test_points(void)
{
	is_str(translated("mine:g=f n"), "kprobe:f n=%si:s32", "a name");
	is_str(translation.list[0].system, "mine", "its group");
	is_str(translation.list[0].name, "g", "and the name");
	is_str(translated("0xffffffff81000000 %di"), "kprobe:0xffffffff81000000 %di", "an address");
	is_str(translated("ext4:ext4_sync_file"), "kprobe:ext4:ext4_sync_file", "a module");
	is_str(translated("read_write.c:vfs_read"), "kprobe:read_write.c:vfs_read",
	       "a source file");
}

static void test_refused(void)
{
	refused("", "a place is expected");
	refused("f+", "number");
	refused("f%retur", "not understood");
	refused("f nn", "has no parameter 'nn'");
	refused("f o->nxt", "struct outer has no member 'nxt'; did you mean 'next'");
	refused("f o.next", "'o' is a pointer, struct outer *: write o->next");
	refused("f o->in->name", "not a pointer");
	refused("f o->in[4].name", "has 4 elements, the last is [3]");
	refused("f o->in", "choose one: o->in[0]");
	refused("f n->x", "not a pointer");
	refused("f n.x", "has no members");
	refused("f n[1]", "neither an array nor a pointer");
	refused("f o->in[x]", "an element is [NUMBER]");
	refused("f o->", "a member is expected");
	refused("f o->next[99999999999999999999]", "an element is [NUMBER]");
	refused("f o->next[999999999]", "has no element 999999999");
	refused("f $retval", "write f%return");
	refused("f%return seven", "'seven' is not in a register when f is entered");
	refused("f%return $params", "is not saved for the return; record it at the entry");
	refused("f+4 n", "only debug information says where 'n' is");
	refused("nothing%return $retval", "returns nothing");
	refused("twice i", "several functions twice");
	refused("ff n", "BTF does not describe the function ff");
	refused("f @cpu_vra.next", "the type of the variable cpu_vra is not known");
	refused("a-b=f", "not understood");
	refused("f x=", "a value is missing");
}

int main(void)
{
	char path[] = "/tmp/probe-btf-XXXXXX";
	uint32_t types, strings;
	size_t size;
	char *data = btf_kernel(&size, &types, &strings);
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 1;
	close(fd);
	free(data);
	env.arch = RT_ARCH_X86_64;
	sources = rt_probe_sources_new(&env, path);
	test_x86();
	test_arm64();
	test_points();
	test_refused();
	rt_translation_free(&translation);
	rt_probe_sources_free(sources);
	unlink(path);
	return tap_done();
}
