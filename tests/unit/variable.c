// SPDX-License-Identifier: GPL-2.0
/*
 * variable.c - find variables of the kernel and its modules that /proc/kallsyms does not list, in
 * the files of a test machine: a relocatable module, and a vmlinux that runs at another address
 * than it was linked for.
 */
#include <errno.h>
#include <stdlib.h>

#include "symbols/kernel/variable.h"
#include "symbols_build.h"
#include "tap.h"

#define REL "1.2.3-test"

static const struct rt_host source = { "root", REL };

static int find(const char *module, const char *name, uint64_t *address, struct rt_err *why)
{
	*address = 0;
	why->text[0] = '\0';
	return rt_variable_find(&source, module, name, address, why);
}

static void make_machine(void)
{
	ok(shell("mkdir -p root/proc root/sys/kernel root/sys/module/play_one/sections "
		 "root/sys/module/play_one/notes root/sys/module/away/sections "
		 "root/lib/modules/" REL "/extra root/usr/lib/debug/boot"),
	   "a machine");
	write_text("root/proc/modules", "play_one 16384 0 - Live 0x0000000000000000\n"
					"away 16384 0 - Live 0x0000000000000000\n");
	write_text("root/proc/kallsyms", "ffffffff91000000 T _stext\n");
	write_text("root/sys/module/play_one/sections/.data", "0xffffffffc0001000\n");
	write_text("root/sys/module/play_one/sections/.bss", "0xffffffffc0002000\n");
	write_text("play.c",
		   "static int first __attribute__((used)) = 1;\n"
		   "static int second __attribute__((used)) = 2;\n"
		   "static long cleared __attribute__((used, aligned(64)));\n"
		   "__attribute__((section(\".data..percpu\"), used)) static int each = 1;\n"
		   "__attribute__((section(\".init.data\"), used)) static int gone = 1;\n");
	/* Linked again, as modules are, so that it has a build-id. */
	ok(shell("gcc -c -fno-pic play.c -o play.o && ld -r --build-id=sha1 play.o -o play-one.ko && "
		 "objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags "
		 ".note.gnu.build-id=alloc play-one.ko root/sys/module/play_one/notes/.note.gnu.build-id && "
		 "xz -k play-one.ko && cp play-one.ko.xz root/lib/modules/" REL "/extra/"),
	   "a module, packed");
	write_text("kernel.c", "int variable = 1, _start;\nstatic int twice = 1;\n"
			       "int *use(void);\nint *use(void) { return &twice; }\n"
			       "void _stext(void);\nvoid _stext(void) {}\n");
	write_text("more.c",
		   "static int twice = 1;\nint *used(void);\nint *used(void) { return &twice; }\n");
	ok(shell("gcc -c -O1 -ffreestanding -fno-pic kernel.c more.c && "
		 "ld --build-id=sha1 -Ttext=0x401000 kernel.o more.o -o vmlinux && "
		 "objcopy -O binary --only-section=.note.gnu.build-id vmlinux root/sys/kernel/notes"),
	   "a kernel");
}

static uint64_t linked_at(const char *name)
{
	char command[128], line[128] = "";
	FILE *in;

	snprintf(command, sizeof(command), "nm vmlinux | sed -n 's/ . %s$//p'", name);
	in = popen(command, "r");
	if (!in || !fgets(line, sizeof(line), in))
		line[0] = '\0';
	if (in)
		pclose(in);
	return strtoull(line, NULL, 16);
}

int main(void)
{
	struct rt_err why;
	uint64_t at;

	scratch_make();
	make_machine();

	is_int(find("play_one", "first", &at, &why), 0, "a variable of a module");
	ok(at == 0xffffffffc0001000 || at == 0xffffffffc0001004, "in its section");
	is_int(find(NULL, "second", &at, &why), 0, "without the module's name");
	ok(at == 0xffffffffc0001000 || at == 0xffffffffc0001004, "in its section");
	is_int(find("play_one", "cleared", &at, &why), 0, "one that is cleared at first");
	ok(at == 0xffffffffc0002000, "in its section");
	is_int(find("play_one", "each", &at, &why), -EDOM, "one of each CPU is none");
	is_int(find("play_one", "gone", &at, &why), -ENOENT, "one whose section is gone");
	is_str(why.text, "", "for which no file is missing");
	is_int(find("away", "first", &at, &why), -ENOENT, "a module without a file");
	ok(strstr(why.text, "no file of the loaded module away") != NULL, "is named: %s", why.text);

	is_int(find(NULL, "variable", &at, &why), -ENOENT, "the kernel's own, without a vmlinux");
	ok(strstr(why.text, "no vmlinux with symbols for this kernel, build-id ") != NULL,
	   "says so: %s", why.text);
	ok(strstr(why.text, "ringtail doctor") != NULL, "and who tells where to get it");
	ok(shell("cp vmlinux root/usr/lib/debug/boot/vmlinux-" REL), "with it");
	is_int(find(NULL, "variable", &at, &why), 0, "it is found");
	ok(at == linked_at("variable") - linked_at("_stext") + 0xffffffff91000000,
	   "where the kernel runs");
	is_int(find(NULL, "twice", &at, &why), -ENOTUNIQ, "one of two is none");

	ok(shell("ld --build-id=0x1234 -Ttext=0x401000 kernel.o more.o -o root/usr/lib/debug/boot/vmlinux-" REL),
	   "the vmlinux of another kernel");
	is_int(find(NULL, "variable", &at, &why), -ENOENT, "is not believed");
	ok(shell("ld -r --build-id=0x1234 play.o -o root/lib/modules/" REL "/extra/play-one.ko && "
		 "rm root/lib/modules/" REL "/extra/*.xz"),
	   "nor is the file of another build");
	is_int(find("play_one", "first", &at, &why), -ENOENT, "of a module");

	write_text("root/sys/module/play_one/sections/.data", "0x0000000000000000\n");
	ok(shell("cp play-one.ko root/lib/modules/" REL "/extra/"), "where addresses are hidden");
	is_int(find("play_one", "first", &at, &why), -EACCES, "that is said");
	return tap_done();
}
