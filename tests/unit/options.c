// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/options.h"
#include "tap.h"

static bool inline_, verbose_given, compat;
static int level, count;
static unsigned int depth;
static const char *input, *taken;
static struct rt_err err;

static int take(const struct rt_option *o, const char *value, bool off, struct rt_err *e)
{
	if (value && !strcmp(value, "bad"))
		return rt_err_set(e, EINVAL, "'%s' is bad", value);
	taken = value ? value : off ? "(off)" : "(none)";
	return 0;
}

static const struct rt_option options[] = {
	RT_OPTION_STRING('i', "input", &input, "FILE", "the file"),
	RT_OPTION_SWITCH(0, "inline", &inline_, "inlined frames"),
	RT_OPTION_SWITCH('c', "compat", &compat, "as perf"),
	RT_OPTION_COUNT('v', "verbose", &level, "say more"),
	RT_OPTION_UINT(0, "max-stack", &depth, "N", "frames"),
	RT_OPTION_INT('n', "count", &count, "N,…",
		      "how many of those things that fill a line of the help and go on in the next"),
	RT_OPTION_TAKE('F', "fields", take, NULL, "LIST", "fields"),
	RT_OPTION_MAYBE('g', "graph", take, NULL, "KIND", "graphs"),
	RT_OPTION_END,
};

static const struct rt_perf_lacks lacks[] = {
	{ "dlarg itrace", "", "it decodes nothing" },
	{ "verbose", "sl", "it is silent" },
	{ NULL, NULL, NULL },
};

static const struct rt_usage usage = {
	"script", "[OPTIONS]", "Prints.", NULL, .perf_lacks = lacks,
};

static char *words[16];

static int parse(unsigned int flags, const char *line)
{
	static char copy[256];
	int n = 0;
	char *w, *save = NULL;

	inline_ = compat = verbose_given = false;
	level = count = 0;
	depth = 0;
	input = taken = NULL;
	err.text[0] = 0;
	snprintf(copy, sizeof(copy), "script %s", line);
	for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	words[n] = NULL;
	return rt_options_parse(options, &usage, n, words, flags, &err);
}

static char help_text[4096];

/* Store the output of --help in help_text. */
static int help(const char *line)
{
	FILE *file = tmpfile();
	int saved = dup(1), ret;

	fflush(stdout);
	dup2(fileno(file), 1);
	ret = parse(0, line);
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	rewind(file);
	help_text[fread(help_text, 1, sizeof(help_text) - 1, file)] = 0;
	fclose(file);
	return ret;
}

int main(void)
{
	is_int(parse(0, "-i a.data --max-stack=5 -vvc"), 0, "letters, clusters, long with =");
	is_str(input, "a.data", "value in the next word");
	is_int(depth, 5, "value after =");
	ok(level == 2 && compat, "a cluster");
	is_int(parse(0, "-ib.data --max-st 0x10 -n-3"), 0, "joined values, a beginning of a name");
	ok(!strcmp(input, "b.data") && depth == 16 && count == -3, "and their values");
	is_int(parse(0, "--inline --no-inline"), 0, "a negated switch");
	ok(!inline_, "is off");
	is_int(parse(0, "--no-inl"), 0, "a beginning of a negated switch");
	is_int(parse(0, "one -v two -- -v"), 3, "other words are kept");
	ok(!strcmp(words[0], "one") && !strcmp(words[1], "two") && !strcmp(words[2], "-v"),
	   "in order, and -- ends the options");
	is_int(parse(RT_OPTIONS_STOP_EARLY, "-v ls -v"), 2, "the first word may end the options");
	is_int(level, 1, "what follows is not ours");
	is_int(parse(0, "--graph"), 0, "an optional value left out");
	is_str(taken, "(none)", "is NULL");
	is_int(parse(0, "--graph=x"), 0, "an optional value given");
	is_str(taken, "x", "arrives");
	is_int(parse(0, "-gy"), 0, "an optional value after the letter");
	is_str(taken, "y", "arrives too");

	is_int(parse(0, "-i"), -EINVAL, "a missing value");
	is_str(err.text, "'--input' wants a value: --input FILE", "is said so");
	is_int(parse(0, "--in x"), -EINVAL, "an ambiguous beginning");
	is_str(err.text, "'--in' could be '--input' or '--inline'; write more of it", "is said so");
	is_int(parse(0, "--compta"), -EINVAL, "a misspelled option");
	is_str(err.text, "there is no option '--compta'; did you mean '--compat'?", "is corrected");
	is_int(parse(0, "--nothing-like-it"), -EINVAL, "an unknown option");
	is_str(err.text,
	       "there is no option '--nothing-like-it'; 'ringtail script --help' lists them",
	       "is said so");
	is_int(parse(0, "--itrace=i1"), -EINVAL, "an option that only perf has");
	is_str(err.text,
	       "perf script has '--itrace'; ringtail does not, because it decodes nothing",
	       "is said to be perf's");
	is_int(parse(0, "--no-itrace"), -EINVAL, "and its opposite");
	ok(strstr(err.text, "perf script has '--no-itrace'"), "is, too");
	is_int(parse(0, "-s x"), -EINVAL, "a letter that only perf has");
	is_str(err.text, "perf script has '-s'; ringtail does not, because it is silent",
	       "is said to be perf's");
	is_int(parse(0, "-z"), -EINVAL, "an unknown letter");
	is_int(parse(0, "--inline=1"), -EINVAL, "a value for a switch");
	is_int(parse(0, "--max-stack -1"), -EINVAL, "a negative count");
	is_int(parse(0, "--count 99999999999"), -EINVAL, "a number too big");
	is_int(parse(0, "--count 5x"), -EINVAL, "no number");
	is_int(parse(0, "-F bad"), -EINVAL, "an error of the option's own");
	is_str(err.text, "'bad' is bad", "is passed on");
	is_int(help("--help"), RT_OPTIONS_HELP, "--help");
	ok(strstr(help_text, "Prints.\n\n  -i, --input FILE            the file\n"),
	   "a blank line before options that have no heading");
	ok(strstr(help_text, "  -n, --count N,…             how many"), "columns, not bytes");
	ok(strstr(help_text, "\n                              ") && !strstr(help_text, " \n"),
	   "long lines are wrapped, without a blank at their end");
	is_int(help("-h"), RT_OPTIONS_HELP, "-h");
	return tap_done();
}
