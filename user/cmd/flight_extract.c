// SPDX-License-Identifier: GPL-2.0
/* flight extract - from a memory dump into a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "cmd/flight_image.h"

static const char more[] =
	"DUMP is an ELF dump (/proc/vmcore, QEMU's dump-guest-memory), a compressed kdump of makedumpfile\n"
	"(zlib, lzo, snappy, zstd; several files of a split one), either of them flattened, a raw memory\n"
	"image, or /proc/kcore.  Neither symbols nor debuginfo are needed.\n"
	"\n"
	"Examples:\n"
	"  ringtail flight extract vmcore                 write perf.data\n"
	"  ringtail flight extract vmcore -n              only say what it holds\n"
	"  ringtail flight extract dump.1 dump.2 -o x     a split dump\n"
	"  ringtail script --kallsyms kallsyms            then: print it, with symbols";

static const struct rt_usage usage = {
	.command = "flight extract",
	.line = "DUMP… [-o FILE] [--kallsyms FILE]",
	.about =
		"Write the records that a crashed machine's memory dump holds into a perf.data file.",
	.more = more,
};

static int parse(struct rt_flight_asked *a, int argc, char **argv, struct rt_err *err)
{
	const struct rt_option options[] = {
		RT_OPTION_STRING('o', "output", &a->output, "FILE",
				 "write this file (default perf.data); further sessions in the dump "
				 "get FILE.2, FILE.3, …"),
		RT_OPTION_STRING(
			0, "kallsyms", &a->kallsyms, "FILE",
			"a copy of the crashed machine's /proc/kallsyms: the kernel's exact "
			"addresses"),
		RT_OPTION_UINT(0, "session", &a->session, "N",
			       "only the session that is listed as number N"),
		RT_OPTION_SWITCH('n', "dry-run", &a->dry_run,
				 "write nothing, only say what is there"),
		RT_OPTION_SWITCH('q', "quiet", &a->quiet, "do not say what was found"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int run(const struct rt_flight_asked *a, const char *const *dump, size_t dumps)
{
	struct rt_memory *memory;
	struct rt_image image;
	struct rt_err err;
	int ret;

	ret = rt_memory_open(dump, dumps, &memory, &err);
	if (ret) {
		rt_err_print(&err);
		return RT_EXIT_FAIL;
	}
	ret = rt_image_find(&image, memory, &err);
	if (!ret) {
		ret = rt_flight_image_write(&image, a, &err);
		rt_image_free(&image);
	}
	memory->ops->close(memory);
	if (ret)
		rt_err_print(&err);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}

int rt_flight_cmd_extract(int argc, char **argv)
{
	struct rt_flight_asked a = { .argc = argc + 2 };
	/* The words are moved while the options are parsed; the file keeps the line as typed. */
	char **words = malloc((argc + 1) * sizeof(*words));
	const char **typed = calloc(argc + 3, sizeof(*typed));
	struct rt_err err;
	int ret, status;

	if (!words || !typed) {
		free(words);
		free(typed);
		rt_error("out of memory");
		return RT_EXIT_FAIL;
	}
	memcpy(words, argv, (argc + 1) * sizeof(*words));
	typed[0] = "ringtail";
	typed[1] = "flight";
	memcpy(typed + 2, argv, argc * sizeof(*typed));
	a.argv = typed;
	ret = parse(&a, argc, words, &err);
	if (!ret)
		ret = rt_err_set(&err, EINVAL,
				 "flight extract needs a dump: ringtail flight extract DUMP");
	else if (ret > 0 && a.output && !strcmp(a.output, "-"))
		ret = rt_err_set(&err, EINVAL,
				 "flight extract writes a file, not to standard output");
	if (ret == RT_OPTIONS_HELP) {
		status = RT_EXIT_OK;
	} else if (ret < 0) {
		rt_err_print(&err);
		status = RT_EXIT_USAGE;
	} else {
		status = run(&a, (const char *const *)words, ret);
	}
	free(words);
	free(typed);
	return status;
}
