// SPDX-License-Identifier: GPL-2.0
/* probe - define probes by the names of functions and variables, and say what can be probed. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/probe_actions.h"
#include "cmd/probe_context.h"
#include "types/debuginfod.h"

static const struct rt_usage usage = {
	.command = "probe",
	.line = "[--add] 'DEFINITION'… | --del GLOB | -l | -L LINES | -V POINT | -F [GLOB…] | --check FILE",
	.about = "Define probes by the names of functions, parameters and members. Nothing in the "
		 "kernel changes until 'ringtail record' uses a probe.",
	.more = "DEFINITION is [[GROUP:]NAME=]POINT [VALUE…].\n"
		"POINT is FUNCTION, FUNCTION%return, FUNCTION+0xOFFSET, FUNCTION:LINE, 'FUNCTION;PATTERN',\n"
		"FILE.c:LINE, MODULE:FUNCTION, PATH.ko:FUNCTION, FILE.c:FUNCTION or 0xADDRESS.\n"
		"VALUE is [NAME=]VARIABLE, a->b.c[2], $retval, $retval->member, $params, $vars, $comm, $cpu,\n"
		"@SYMBOL, or a register, memory and a type as in 'record -e kprobe:…'.\n"
		"A function is probed at all copies that the compiler made of it, also inlined ones, if debug\n"
		"information is here; FUNCTION+0 is its own entry alone.\n"
		"At the entry of a kernel function the names come from the kernel's BTF; lines, offsets,\n"
		"local variables, inlined functions and programs need debug information (DWARF).\n"
		"\n"
		"  ringtail probe 'tcp_sendmsg size sk->__sk_common.skc_dport'\n"
		"  ringtail record -e probe:tcp_sendmsg -a -- sleep 1\n"
		"  ringtail record -e 'probe:vfs_read%return $retval' -a -- sleep 1",
};

enum { BTF_MAGIC = 0xeb9f };

struct options {
	struct rt_probe_words add, del, vars, lines;
	bool list, dry_run, tracefs, functions, externs;
	const char *module, *program, *check, *kernel, *source;
};

static int take_word(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	return rt_probe_words_add(o->priv, value) ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

/* Words without an option are one definition. */
static int take_rest(struct options *opt, int count, char **words, struct rt_err *err)
{
	struct rt_text text;
	int i, ret;

	if (!count)
		return 0;
	rt_text_init(&text);
	for (i = 0; i < count; i++) {
		rt_text_str(&text, i ? " " : "");
		rt_text_str(&text, words[i]);
	}
	rt_text_char(&text, 0);
	ret = text.failed || rt_probe_words_add(&opt->add, text.base) ? -ENOMEM : 0;
	rt_text_free(&text);
	return ret ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

static int check(const struct options *opt, struct rt_err *err)
{
	int actions = !!opt->add.count + !!opt->del.count + opt->list + !!opt->vars.count +
		      !!opt->lines.count + opt->functions + !!opt->check;

	if (!actions)
		return rt_err_set(
			err, EINVAL,
			"what is to be done? give a definition such as 'vfs_read count', or "
			"--del, -l, -L, -V, -F, --check; see 'ringtail probe --help'");
	if (actions > 1)
		return rt_err_set(
			err, EINVAL,
			"a definition, --del, -l, -L, -V, -F and --check exclude each other: "
			"give one");
	if ((opt->dry_run || opt->tracefs) && !opt->add.count)
		return rt_err_set(err, EINVAL, "-n and -D show a definition: give one");
	if (opt->kernel &&
	    (opt->list || opt->del.count || (opt->add.count && !opt->dry_run && !opt->tracefs)))
		return rt_err_set(err, EINVAL, "-k goes with -n, -D, -L, -V, -F or --check");
	if (opt->kernel && opt->functions && (opt->module || opt->program))
		return rt_err_set(err, EINVAL, "-F takes one of -k, -m and -x");
	if (opt->source && !opt->lines.count && !opt->dry_run && !opt->tracefs)
		return rt_err_set(err, EINVAL, "--source goes with -L, -n or -D");
	if (opt->check && (opt->module || opt->program))
		return rt_err_set(
			err, EINVAL,
			"--check takes definitions that name their modules: leave -m and -x out");
	if (opt->module && (opt->list || opt->del.count))
		return rt_err_set(err, EINVAL, "-m goes with a definition, -L, -V or -F");
	if (opt->program && (opt->list || opt->del.count || opt->module))
		return rt_err_set(err, EINVAL,
				  "-x goes with a definition, -L, -V or -F, not with -m");
	if (opt->externs && !opt->vars.count)
		return rt_err_set(err, EINVAL, "--externs goes with -V");
	if (opt->program && !strchr(opt->program, '/'))
		return rt_err_set(err, EINVAL, "-x takes a path: ./%s or /usr/bin/%s", opt->program,
				  opt->program);
	return 0;
}

static int run(const struct options *opt, int count, char **words, struct rt_err *err)
{
	const char *where = opt->program ? opt->program : opt->module;

	if (opt->check)
		return rt_probe_do_check(opt->check, opt->kernel, err);
	if (opt->functions)
		return rt_probe_do_functions(opt->kernel ? opt->kernel : where, count, words, err);
	if (opt->list)
		return rt_probe_do_list(err);
	if (opt->del.count)
		return rt_probe_do_del(&opt->del, err);
	if (opt->vars.count)
		return rt_probe_do_variables(&opt->vars, where, opt->kernel, opt->externs, err);
	if (opt->lines.count)
		return rt_probe_do_lines(&opt->lines, where, opt->kernel, err);
	if (opt->dry_run || opt->tracefs)
		return rt_probe_do_show(&opt->add, where, opt->kernel, opt->tracefs, err);
	return rt_probe_do_add(&opt->add, where, err);
}

/* The absolute path.  /proc/PID/root leads to another root, of which realpath() would forget that it is one. */
static bool find_program(const char *path, char out[PATH_MAX])
{
	if (strncmp(path, "/proc/", 6))
		return realpath(path, out);
	if (access(path, R_OK) || strlen(path) >= PATH_MAX)
		return false;
	strcpy(out, path);
	return true;
}

/* Another kernel's file: ELF, or the types of sysfs alone. */
static int check_kernel(const char *path, struct rt_err *err)
{
	static const unsigned char elf[] = { 0x7f, 'E', 'L', 'F' };
	unsigned char head[4] = { 0 };
	FILE *file = fopen(path, "re");
	uint16_t btf;
	size_t got;

	if (!file)
		return rt_err_set(err, errno, "%s: %s", path, strerror(errno));
	got = fread(head, 1, sizeof(head), file);
	fclose(file);
	memcpy(&btf, head, sizeof(btf));
	if (got == sizeof(head) && (!memcmp(head, elf, sizeof(elf)) || btf == BTF_MAGIC))
		return 0;
	return rt_err_set(err, EINVAL,
			  "%s is neither a vmlinux (an ELF file, not the compressed vmlinuz) nor a "
			  "file of BTF",
			  path);
}

int rt_cmd_probe(int argc, char **argv)
{
	struct options opt = { .list = false };
	const struct rt_option options[] = {
		RT_OPTION_TAKE('a', "add", take_word, &opt.add, "DEFINITION",
			       "keep a definition; '--add' may be left out"),
		RT_OPTION_TAKE('d', "del", take_word, &opt.del, "GLOB",
			       "remove the definitions [GROUP:]NAME that match"),
		RT_OPTION_SWITCH('l', "list", &opt.list,
				 "list the definitions, and those of tracefs"),
		RT_OPTION_SWITCH('n', "dry-run", &opt.dry_run,
				 "show the address, the code there and the program; keep nothing"),
		RT_OPTION_SWITCH(
			'D', "definition", &opt.tracefs,
			"print the definition as tracefs' kprobe_events takes it; keep nothing"),
		RT_OPTION_TAKE('L', "line", take_word, &opt.lines, "LINES",
			       "show the source with the lines that can be probed: FUNCTION, "
			       "FUNCTION:FIRST-LAST or FILE:FIRST-LAST"),
		RT_OPTION_TAKE('V', "vars", take_word, &opt.vars, "POINT",
			       "list the variables that can be recorded there, and where they are"),
		RT_OPTION_SWITCH(0, "externs", &opt.externs,
				 "-V: also the variables of the source file"),
		RT_OPTION_SWITCH('F', "funcs", &opt.functions,
				 "list functions; the words that follow are globs"),
		RT_OPTION_STRING(0, "check", &opt.check, "FILE",
				 "say which of the definitions in FILE, one a line, work"),
		RT_OPTION_STRING(
			'k', "vmlinux", &opt.kernel, "FILE",
			"-n, -D, -L, -V, -F, --check: of another kernel: its vmlinux or its BTF"),
		RT_OPTION_STRING('s', "source", &opt.source, "DIR",
				 "-L, -n, -D: source files are below this directory"),
		RT_OPTION_STRING('m', "module", &opt.module, "MODULE",
				 "the functions of a module, by its name or its .ko file"),
		RT_OPTION_STRING('x', "exec", &opt.program, "PATH",
				 "the functions of a program or library"),
		RT_OPTION_END,
	};
	char program[PATH_MAX], kernel[PATH_MAX];
	struct rt_err err;
	int left, status;

	left = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (left == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (left >= 0 && !opt.functions && take_rest(&opt, left, argv, &err))
		left = -ENOMEM;
	if (left >= 0 && check(&opt, &err))
		left = -EINVAL;
	/* A kept definition is used from other directories. */
	if (left >= 0 && opt.program && !find_program(opt.program, program))
		left = rt_err_set(&err, errno, "%s: %s", opt.program, strerror(errno));
	else if (opt.program)
		opt.program = program;
	if (left >= 0 && opt.kernel && !realpath(opt.kernel, kernel))
		left = rt_err_set(&err, errno, "%s: %s", opt.kernel, strerror(errno));
	else if (opt.kernel)
		opt.kernel = kernel;
	if (left >= 0 && opt.kernel && check_kernel(kernel, &err))
		left = -EINVAL;
	rt_probe_context_source(opt.source);
	rt_debuginfod_show_on(isatty(STDERR_FILENO) ? stderr : NULL);
	if (left < 0)
		status = RT_EXIT_USAGE;
	else
		status = run(&opt, left, argv, &err) ? RT_EXIT_FAIL : RT_EXIT_OK;
	if (status != RT_EXIT_OK)
		rt_error("probe: %s", err.text);
	rt_probe_words_free(&opt.add);
	rt_probe_words_free(&opt.del);
	rt_probe_words_free(&opt.vars);
	rt_probe_words_free(&opt.lines);
	return status;
}
