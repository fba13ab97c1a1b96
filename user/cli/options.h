/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - the command line, the same for every command.
 *
 * A command describes its options in one table, which drives parsing, `--help` and the errors.  It
 * accepts what perf accepts: -x, -xVALUE, -x VALUE, clusters (-vG), --long, --long=VALUE, --long
 * VALUE, any unambiguous beginning of a long name, --no-long for switches, `--` to end the options.
 */
#ifndef RT_CLI_OPTIONS_H
#define RT_CLI_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"

struct rt_option;

/* Take one option's value; NULL if it has none.  0, or a negative errno and err. */
typedef int (*rt_option_take)(const struct rt_option *o, const char *value, bool off,
			      struct rt_err *err);

enum rt_option_kind {
	RT_OPT_END,
	RT_OPT_GROUP,  /* a heading in --help */
	RT_OPT_SWITCH, /* bool: on, or off by --no-NAME */
	RT_OPT_COUNT,  /* int: incremented each time */
	RT_OPT_STRING, /* const char * */
	RT_OPT_INT,    /* int */
	RT_OPT_UINT,   /* unsigned int */
	RT_OPT_TAKE,   /* `take` gets the value */
	RT_OPT_TAKE0,  /* `take` without a value */
	RT_OPT_MAYBE,  /* `take`; the value is optional: --name=value or -nvalue */
};

struct rt_option {
	enum rt_option_kind kind;
	char letter; /* 0: none */
	const char *name;
	void *value;
	const char *arg; /* the name of the value in --help */
	const char *help;
	rt_option_take take;
	void *priv;    /* for `take` */
	bool *present; /* set if the option was given; may be NULL */
};

#define RT_OPTION_GROUP(h)                        \
	{                                         \
		.kind = RT_OPT_GROUP, .help = (h) \
	}
#define RT_OPTION_SWITCH(l, n, v, h)                                                         \
	{                                                                                    \
		.kind = RT_OPT_SWITCH, .letter = (l), .name = (n), .value = (v), .help = (h) \
	}
#define RT_OPTION_COUNT(l, n, v, h)                                                         \
	{                                                                                   \
		.kind = RT_OPT_COUNT, .letter = (l), .name = (n), .value = (v), .help = (h) \
	}
#define RT_OPTION_STRING(l, n, v, a, h)                                                      \
	{                                                                                    \
		.kind = RT_OPT_STRING, .letter = (l), .name = (n), .value = (v), .arg = (a), \
		.help = (h)                                                                  \
	}
#define RT_OPTION_INT(l, n, v, a, h)                                                      \
	{                                                                                 \
		.kind = RT_OPT_INT, .letter = (l), .name = (n), .value = (v), .arg = (a), \
		.help = (h)                                                               \
	}
#define RT_OPTION_UINT(l, n, v, a, h)                                                      \
	{                                                                                  \
		.kind = RT_OPT_UINT, .letter = (l), .name = (n), .value = (v), .arg = (a), \
		.help = (h)                                                                \
	}
#define RT_OPTION_TAKE(l, n, f, p, a, h)                                                  \
	{                                                                                 \
		.kind = RT_OPT_TAKE, .letter = (l), .name = (n), .arg = (a), .help = (h), \
		.take = (f), .priv = (p)                                                  \
	}
#define RT_OPTION_TAKE0(l, n, f, p, h)                                                      \
	{                                                                                   \
		.kind = RT_OPT_TAKE0, .letter = (l), .name = (n), .help = (h), .take = (f), \
		.priv = (p)                                                                 \
	}
#define RT_OPTION_MAYBE(l, n, f, p, a, h)                                                  \
	{                                                                                  \
		.kind = RT_OPT_MAYBE, .letter = (l), .name = (n), .arg = (a), .help = (h), \
		.take = (f), .priv = (p)                                                   \
	}
#define RT_OPTION_END              \
	{                          \
		.kind = RT_OPT_END \
	}

/* Options of perf that ringtail does not have: names separated by blanks, letters, and why. */
struct rt_perf_lacks {
	const char *names; /* NULL: the end of the table */
	const char *letters, *because;
};

struct rt_usage {
	const char *command; /* "script" */
	const char *line;    /* "[OPTIONS]": what follows the name */
	const char *about;   /* one paragraph */
	const char *more;    /* examples and notes after the options; may be NULL */
	const struct rt_perf_lacks *perf_lacks; /* of perf's command of this name; may be NULL */
};

/* rt_options_parse() returns this after printing the help. */
#define RT_OPTIONS_HELP (-0x10000)

/* With this, the first word that is not an option ends the options (for `record COMMAND`). */
#define RT_OPTIONS_STOP_EARLY 1u

/*
 * Parse argv[1..argc-1].  Move words that are not options, in order, to argv[0..n-1] and return n;
 * RT_OPTIONS_HELP after --help; a negative errno with the sentence in err.
 */
int rt_options_parse(const struct rt_option *options, const struct rt_usage *usage, int argc,
		     char **argv, unsigned int flags, struct rt_err *err);

#endif
