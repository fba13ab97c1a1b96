// SPDX-License-Identifier: GPL-2.0
/* flight extract - from a memory dump into a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "flight/extract.h"

struct asked {
	const char *output, *kallsyms;
	unsigned int session;
	bool dry_run, quiet;
	int argc;
	const char *const *argv;
};

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

static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
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

/* --- what the dump holds ----------------------------------------------------------- */

static void tell_image(const struct rt_image *image)
{
	const struct rt_memory *m = image->memory;

	printf("%s: %" PRIu64 " pages", m->format, m->pages);
	if (m->missing)
		printf(", %" PRIu64 " missing", m->missing);
	printf("; %zu session%s\n", image->sessions, image->sessions == 1 ? "" : "s");
	if (image->damaged)
		printf("  %zu damaged or foreign structures passed over\n", image->damaged);
	if (image->left_out)
		printf("  %zu sub-buffers beyond the first %u left out\n", image->left_out,
		       RT_IMAGE_SUBBUFS_MAX);
}

static int refuse(const struct rt_image *image, const struct asked *a, struct rt_err *err)
{
	if (!image->sessions && image->other_major)
		return rt_err_set(
			err, EPROTONOSUPPORT,
			"the dump has rings of format %u.%u; this ringtail reads %u: use the ringtail of "
			"the machine that crashed",
			image->other_major, image->other_minor, RT_ABI_MAJOR);
	if (!image->sessions && image->memory->missing)
		return rt_err_set(err, ENODATA,
				  "no rings of ringtail in this dump, of which %" PRIu64
				  " pages are missing",
				  image->memory->missing);
	if (!image->sessions)
		return rt_err_set(err, ENODATA,
				  "no rings of ringtail in this dump: nothing was being recorded");
	if (a->session > image->sessions)
		return rt_err_set(err, EINVAL, "--session %u: the dump has %zu", a->session,
				  image->sessions);
	return 0;
}

/* --- extracting -------------------------------------------------------------------- */

static int extract_session(const struct rt_image *image, size_t number, const char *path,
			   const struct asked *a, struct rt_err *err)
{
	struct rt_flight_options opt = {
		.path = path,
		.kallsyms = a->kallsyms,
		.argc = a->argc,
		.argv = a->argv,
	};
	struct rt_flight_found found;
	int ret;

	ret = rt_flight_extract(image, &image->session[number], &opt, &found, err);
	if (!ret && !a->quiet) {
		printf("%zu: ", number + 1);
		rt_flight_print(image, &image->session[number], &found, stdout);
		if (path)
			printf("  written to %s: %" PRIu64 " samples\n", path, found.samples);
	}
	rt_flight_found_free(&found);
	return ret;
}

static int extract_all(const struct rt_image *image, const struct asked *a, struct rt_err *err)
{
	const char *output = a->output ? a->output : "perf.data";
	unsigned int written = 0;
	char path[4096];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < image->sessions; i++) {
		if (a->session && a->session != i + 1)
			continue;
		if (!written++)
			snprintf(path, sizeof(path), "%s", output);
		else
			snprintf(path, sizeof(path), "%s.%u", output, written);
		ret = extract_session(image, i, a->dry_run ? NULL : path, a, err);
	}
	return ret;
}

static int run(const struct asked *a, const char *const *dump, size_t dumps)
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
		if (!a->quiet)
			tell_image(&image);
		ret = refuse(&image, a, &err);
		if (!ret)
			ret = extract_all(&image, a, &err);
		rt_image_free(&image);
	}
	memory->ops->close(memory);
	if (ret)
		rt_err_print(&err);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}

int rt_flight_cmd_extract(int argc, char **argv)
{
	struct asked a = { .argc = argc + 2 };
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
