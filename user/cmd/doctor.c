// SPDX-License-Identifier: GPL-2.0
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/message.h"
#include "base/json.h"
#include "cli/options.h"
#include "doctor/doctor.h"

static const char *const verdict_text[] = { "ok", "?", "note", "FAIL" };

static void print_text(const struct rt_finding *f)
{
	printf("  %-5s %-17s %s%s\n", verdict_text[f->verdict], f->name,
	       f->verdict == RT_VERDICT_UNCHECKED ? "not checked: " : "", f->text);
	if (*f->fix)
		printf("  %-5s %-17s -> %s\n", "", "", f->fix);
}

static void print_json(struct rt_json *j, const struct rt_finding *f)
{
	static const char *const word[] = { "ok", "not checked", "note", "fail" };

	rt_json_open(j, NULL, '{');
	rt_json_string(j, "check", f->name);
	rt_json_string(j, "verdict", word[f->verdict]);
	rt_json_string(j, "text", f->text);
	if (*f->fix)
		rt_json_string(j, "fix", f->fix);
	rt_json_close(j, '}');
}

static int examine(const char *root, const char *release, bool as_json)
{
	const struct rt_check *c;
	struct rt_doctor m;
	struct rt_json j;
	int problems = 0;

	rt_doctor_init(&m, root, release);
	rt_json_begin(&j, stdout);
	if (as_json) {
		rt_json_open(&j, NULL, '{');
		rt_json_string(&j, "version", RT_VERSION);
		rt_json_string(&j, "kernel", m.host.release);
		rt_json_open(&j, "checks", '[');
	} else {
		printf("ringtail %s on Linux %s\n\n", RT_VERSION, m.host.release);
	}
	for (c = rt_checks; c->name && !m.no_modules; c++) {
		struct rt_finding f = { .name = c->name };

		c->run(&m, &f);
		problems += f.verdict == RT_VERDICT_FAIL;
		if (as_json)
			print_json(&j, &f);
		else
			print_text(&f);
	}
	if (as_json) {
		rt_json_close(&j, ']');
		rt_json_bool(&j, "can_record", !problems);
		rt_json_close(&j, '}');
		putchar('\n');
	} else if (m.no_modules) {
		printf("\nRecording cannot work here; reading recordings does.\n");
	} else if (problems) {
		printf("\nRecording cannot work here: %d of the checks failed.\n", problems);
	} else {
		printf("\nRecording can work here.\n");
	}
	return problems ? RT_EXIT_FAIL : RT_EXIT_OK;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int rt_cmd_doctor(int argc, char **argv)
{
	static const struct rt_usage usage = {
		.command = "doctor",
		.line = "[OPTIONS]",
		.about =
			"Check what works on this machine, and print the command that fixes what does not.",
		.more = "The exit status is 0 only if recording can work.",
	};
	const char *root = "", *release = NULL;
	bool as_json = false;
	const struct rt_option table[] = {
		RT_OPTION_SWITCH(0, "json", &as_json, "print one JSON object instead of text"),
		RT_OPTION_STRING(0, "root", &root, "DIR", "examine another system, mounted at DIR"),
		RT_OPTION_STRING(0, "kernel", &release, "RELEASE",
				 "examine kernel RELEASE instead of the running one"),
		RT_OPTION_END,
	};
	struct rt_err err;
	int left;

	left = rt_options_parse(table, &usage, argc, argv, 0, &err);
	if (left == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (left > 0)
		left = rt_err_set(&err, EINVAL, "takes no argument such as '%s'", argv[0]);
	if (!left && strlen(root) > RT_HOST_ROOT_MAX)
		left = rt_err_set(&err, EINVAL, "the directory after --root is too long");
	if (!left && *root && !is_directory(root))
		left = rt_err_set(&err, ENOTDIR,
				  "--root %s is not a directory; give the root of a mounted system",
				  root);
	if (left < 0) {
		rt_error("doctor: %s", err.text);
		return RT_EXIT_USAGE;
	}
	return examine(root, release, as_json);
}
