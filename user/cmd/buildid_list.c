// SPDX-License-Identifier: GPL-2.0
/*
 * buildid-list - print the build-ids of the binaries in a recording, of a file, or of this kernel.
 */
#include <errno.h>
#include <stdio.h>

#include "cli/options.h"
#include "buildid/list.h"
#include "buildid/live.h"
#include "cli/message.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "symbols/elffile.h"

static const struct rt_usage usage = {
	.command = "buildid-list",
	.line = "[-i FILE] [-H] | -k | -m",
	.about =
		"List the build-ids in a perf.data file, of an ELF file, or of the running kernel.",
};

/*
 * Open a recording.  The table of build-ids is in the header; only if there is none, the records are
 * needed, and those of a raw recording only then.
 */
static int open_recording(const char *input, bool hits, struct rt_reader **r, struct rt_err *err)
{
	const struct rt_reader_options how = { .header = !hits };
	int ret = rt_reader_open(input, &how, r, err);

	if (ret || hits || rt_reader_is_pipe(*r) ||
	    rt_env_has(rt_reader_env(*r), RT_FEATURE_BUILD_ID))
		return ret;
	rt_reader_close(*r);
	return rt_reader_open(input, NULL, r, err);
}

/* List the build-ids of a perf.data file or any ELF file. */
static int list_file(const char *input, bool hits, struct rt_err *err)
{
	struct rt_buildid_list *list;
	struct rt_reader *r;
	struct rt_buildid id;
	char hex[RT_BUILDID_HEX];
	const char *warning;
	size_t i;
	int ret;

	if (input && !rt_buildid_of_file(&id, input)) {
		puts(rt_buildid_hex(&id, hex));
		return 0;
	}
	ret = open_recording(input, hits, &r, err);
	if (ret)
		return rt_input_suggest(input, ret, err);
	for (i = 0; (warning = rt_reader_warning(r, i)); i++)
		rt_warning("%s", warning);
	/* Instruction traces are not decoded, so the objects that they hit are unknown. */
	if (rt_env_has(rt_reader_env(r), RT_FEATURE_AUXTRACE))
		hits = false;
	else if (!rt_env_has(rt_reader_env(r), RT_FEATURE_BUILD_ID))
		hits = true;
	list = rt_buildid_list_new();
	if (!list || rt_buildid_list_header(list, rt_reader_env(r)))
		ret = rt_err_set(err, ENOMEM, "no memory to list build-ids");
	else if (hits)
		ret = rt_buildid_list_hits(list, r, err);
	if (list)
		rt_buildid_list_print(list, hits, stdout);
	rt_buildid_list_free(list);
	rt_reader_close(r);
	return ret;
}

int rt_cmd_buildid_list(int argc, char **argv)
{
	bool hits = false, kernel = false, maps = false, force = false;
	const char *input = NULL;
	const struct rt_option options[] = {
		RT_OPTION_STRING('i', "input", &input, "FILE",
				 "the recording or ELF file to read (default perf.data)"),
		RT_OPTION_SWITCH('H', "with-hits", &hits, "list only objects that samples hit"),
		RT_OPTION_SWITCH('k', "kernel", &kernel,
				 "print the build-id of the running kernel"),
		RT_OPTION_SWITCH('m', "kernel-maps", &maps,
				 "list the running kernel and its modules with their addresses"),
		RT_OPTION_SWITCH('f', "force", &force, "ignored: files of any owner are read"),
		RT_OPTION_END,
	};
	struct rt_err err;
	int ret;

	ret = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (ret > 0)
		ret = rt_err_set(&err, EINVAL,
				 "buildid-list takes no argument '%s'; name a file with -i",
				 argv[0]);
	if (ret) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	if (kernel)
		ret = rt_buildid_live_kernel(stdout, &err);
	else if (maps)
		ret = rt_buildid_live_maps(stdout, &err);
	else
		ret = list_file(input, hits, &err);
	if (ret)
		rt_err_print(&err);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}
