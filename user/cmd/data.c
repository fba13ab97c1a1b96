// SPDX-License-Identifier: GPL-2.0
/*
 * data - from a raw recording to a file that perf opens.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "raw/expand.h"

static const char more[] =
	"FILE is what 'ringtail record --raw' wrote.  The perf.data file is the one that 'ringtail record'\n"
	"would have written without --raw.  Other commands of ringtail read FILE as it is.\n"
	"\n"
	"Examples:\n"
	"  ringtail record --raw -o raw.data -e sched:* sleep 10\n"
	"  ringtail data raw.data -o perf.data\n"
	"  ringtail data raw.data -o - | perf script";

static const struct rt_perf_lacks lacks[] = {
	{ "to-ctf to-json tod all force", "",
	  "it converts raw recordings only; 'ringtail script --json' prints events for programs" },
	{ NULL, NULL, NULL },
};

static const struct rt_usage usage = {
	.command = "data",
	.line = "FILE [-o FILE]",
	.perf_lacks = lacks,
	.about = "Expand a raw recording into a perf.data file.",
	.more = more,
};

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/* The path without symbolic links; that of the directory if there is no such file.  NULL: not even that. */
static char *resolve(const char *path)
{
	char *found = realpath(path, NULL), *copy, *dir, *whole = NULL;
	const char *slash = strrchr(path, '/');

	if (found || errno != ENOENT)
		return found;
	copy = strndup(slash ? path : ".", slash ? slash - path + 1 : 1);
	dir = copy ? realpath(copy, NULL) : NULL;
	if (dir && asprintf(&whole, "%s/%s", dir, slash ? slash + 1 : path) < 0)
		whole = NULL;
	free(copy);
	free(dir);
	return whole;
}

/*
 * Whether the input is OUTPUT.old, to which an existing output would be renamed.  One that does not exist may
 * when the recording is expanded.
 */
static bool replaces(const char *from, const char *to)
{
	char *input = realpath(from, NULL), *output = resolve(to);
	size_t size = output ? strlen(output) : 0;
	struct stat st;
	bool same;

	same = input && output && !strncmp(input, output, size) && !strcmp(input + size, ".old") &&
	       (stat(output, &st) || (S_ISREG(st.st_mode) && st.st_size));
	free(input);
	free(output);
	return same;
}

static int expand(const char *from, const char *to, bool quiet, struct rt_err *err)
{
	struct rt_raw_found found;
	char complaint[RT_ERR_LEN];
	int ret;

	if (replaces(from, to))
		return rt_err_set(
			err, EEXIST,
			"%s would be replaced by an existing %s, which is kept under that name: "
			"write another file with -o",
			from, to);
	ret = rt_raw_expand(from, to, quiet ? NULL : stderr, &found, err);
	if (ret)
		return ret == -ENOENT && !is_file(from) ? rt_input_suggest(from, ret, err) : ret;
	if (rt_raw_complaint(&found, from, complaint, sizeof(complaint)))
		rt_warning("data: %s", complaint);
	if (found.missing)
		rt_warning("data: %" PRIu64 " events of %s are not in %s", found.missing, from, to);
	if (!quiet)
		fprintf(stderr, "[ ringtail: %" PRIu64 " events expanded; %" PRIu64 " KB to %s ]\n",
			found.samples, (found.bytes + 1023) >> 10, to);
	return 0;
}

int rt_cmd_data(int argc, char **argv)
{
	const char *input = NULL, *output = "perf.data";
	bool quiet = false;
	const struct rt_option options[] = {
		RT_OPTION_STRING('o', "output", &output, "FILE",
				 "write this file (default perf.data); '-' is standard output"),
		RT_OPTION_STRING('i', "input", &input, "FILE", "the raw recording"),
		RT_OPTION_SWITCH('q', "quiet", &quiet, "do not say what was written"),
		RT_OPTION_END,
	};
	struct rt_err err;
	int ret;

	ret = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (ret > 0 && !strcmp(argv[0], "convert") && !is_file("convert"))
		ret = rt_err_set(&err, EINVAL,
				 "perf data converts recordings; ringtail data expands raw ones: "
				 "ringtail data FILE -o perf.data ('ringtail script --json' prints "
				 "events for programs)");
	if (ret > 0 && !input) {
		input = argv[0];
		memmove(argv, argv + 1, --ret * sizeof(*argv));
	}
	if (ret > 0)
		ret = rt_err_set(&err, EINVAL, "data takes one recording; '%s' is one too many",
				 argv[0]);
	else if (!ret && !input)
		ret = rt_err_set(&err, EINVAL,
				 "data needs a raw recording: ringtail data FILE -o perf.data");
	else if (!ret && !*output)
		ret = rt_err_set(&err, EINVAL, "-o takes the name of a file");
	else if (!ret && !strcmp(input, "-"))
		ret = rt_err_set(&err, EINVAL,
				 "data reads a raw recording from a file, not from a pipe");
	else if (!ret && !strcmp(output, "-") && isatty(STDOUT_FILENO))
		ret = rt_err_set(&err, EINVAL,
				 "-o - writes to standard output, which is a terminal: "
				 "pipe it into a program");
	if (ret) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	ret = expand(input, output, quiet, &err);
	if (ret)
		rt_error("data: %s", err.text);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}
