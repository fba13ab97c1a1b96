// SPDX-License-Identifier: GPL-2.0
/* flight status, snapshot, stop - flights that run on this machine. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/pins.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "flight/boot.h"
#include "flight/extract.h"
#include "flight/live.h"

/* --- which flight ------------------------------------------------------------------ */

static int open_module(struct rt_err *err)
{
	int fd = rt_device_open(err), ret;
	struct rt_info info;

	if (fd < 0)
		return fd;
	ret = rt_device_info(fd, &info, err);
	if (!ret)
		ret = rt_agent_pins_check(&info, err);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Without a name: the only flight that runs. */
static int choose(int fd, const char *name, struct rt_pinned *chosen, struct rt_err *err)
{
	struct rt_pinned other;
	uint32_t i;

	for (i = 0; !rt_agent_pinned(fd, i, chosen); i++)
		if (name && !strcmp(name, chosen->name))
			return 0;
		else if (!name && rt_agent_pinned(fd, i + 1, &other) == -ENOENT && !i)
			return 0;
	if (!i)
		return rt_err_set(err, ENOENT,
				  "no flight is running; 'ringtail flight start' begins one");
	if (!name)
		return rt_err_set(
			err, EINVAL,
			"%u flights are running: say which; 'ringtail flight status' lists them",
			i);
	return rt_err_set(
		err, ENOENT,
		"no flight '%s' is running; 'ringtail flight status' lists those that are", name);
}

/* The words of a command that takes at most one name: their number, or an exit status + 1, negative. */
static int parse(const struct rt_option *options, const struct rt_usage *usage, int argc,
		 char **argv)
{
	struct rt_err err;
	int words = rt_options_parse(options, usage, argc, argv, 0, &err);

	if (words == RT_OPTIONS_HELP)
		return -1 - RT_EXIT_OK;
	if (words > 1)
		words = rt_err_set(&err, EINVAL, "%s takes one name, not %d", usage->command,
				   words);
	if (words >= 0)
		return words;
	rt_err_print(&err);
	return -1 - RT_EXIT_USAGE;
}

static int fail(const struct rt_err *err)
{
	rt_err_print(err);
	return RT_EXIT_FAIL;
}

/* --- status ------------------------------------------------------------------------ */

static int tell(int fd, const struct rt_pinned *pinned, struct rt_err *err)
{
	int file = rt_agent_adopt(fd, pinned->name, err), ret;
	struct rt_flight_state state;

	if (file < 0)
		return file == -ENOENT ? 0 : file; /* it was stopped just now */
	ret = rt_flight_state(file, pinned, &state, err);
	close(file);
	if (!ret)
		rt_flight_print_state(&state, stdout);
	return ret;
}

int rt_flight_cmd_status(int argc, char **argv)
{
	static const struct rt_usage usage = {
		.command = "flight status",
		.line = "[NAME]",
		.about =
			"List the flights that run: who started each, what it has recorded, and how far "
			"back its rings reach.",
	};
	const struct rt_option options[] = { RT_OPTION_END };
	int words = parse(options, &usage, argc, argv), fd, ret = 0;
	struct rt_pinned pinned;
	struct rt_err err;
	uint32_t i;

	if (words < 0)
		return -1 - words;
	fd = open_module(&err);
	if (fd < 0)
		return fail(&err);
	if (words) {
		ret = choose(fd, argv[0], &pinned, &err);
		if (!ret)
			ret = tell(fd, &pinned, &err);
	}
	for (i = 0; !words && !ret && !rt_agent_pinned(fd, i, &pinned); i++)
		ret = tell(fd, &pinned, &err);
	if (!words && !i)
		puts("no flight is running");
	close(fd);
	return ret ? fail(&err) : RT_EXIT_OK;
}

/* --- snapshot ---------------------------------------------------------------------- */

static int write_file(struct rt_memory *memory, const struct rt_flight_options *opt, bool quiet,
		      struct rt_err *err)
{
	struct rt_flight_found found;
	struct rt_image image;
	int ret = rt_image_find(&image, memory, err);

	if (ret)
		return ret;
	if (image.sessions != 1) {
		rt_image_free(&image);
		return rt_err_set(err, ENODATA,
				  "the module gave no rings that this ringtail reads");
	}
	ret = rt_flight_extract(&image, &image.session[0], opt, &found, err);
	if (!ret && !quiet) {
		rt_flight_print(&image, &image.session[0], &found, stdout);
		printf("  written to %s: %" PRIu64 " samples\n", opt->path, found.samples);
	}
	rt_flight_found_free(&found);
	rt_image_free(&image);
	return ret;
}

static int snapshot(const char *name, const struct rt_flight_options *opt, bool quiet,
		    struct rt_err *err)
{
	struct rt_memory *memory;
	struct rt_pinned pinned;
	int fd = open_module(err), file, ret;

	if (fd < 0)
		return fd;
	ret = choose(fd, name, &pinned, err);
	file = ret ? ret : rt_agent_adopt(fd, pinned.name, err);
	close(fd);
	if (file < 0)
		return file;
	ret = rt_flight_capture(file, opt->path, &memory, err);
	/* Whatever happens from here on, the flight can be stopped. */
	close(file);
	if (ret)
		return ret;
	ret = write_file(memory, opt, quiet, err);
	memory->ops->close(memory);
	return ret;
}

int rt_flight_cmd_snapshot(int argc, char **argv)
{
	static const struct rt_usage usage = {
		.command = "flight snapshot",
		.line = "[NAME] [-o FILE]",
		.about =
			"Write what a flight holds at this moment into a perf.data file.  The flight goes on.",
	};
	static const char *const line[] = { "ringtail", "flight", "snapshot" };
	struct rt_flight_options opt = {
		.path = "perf.data", .live = true, .argc = 3, .argv = line
	};
	bool quiet = false;
	const struct rt_option options[] = {
		RT_OPTION_STRING('o', "output", &opt.path, "FILE",
				 "write this file (default perf.data)"),
		RT_OPTION_SWITCH('q', "quiet", &quiet, "do not say what was found"),
		RT_OPTION_END,
	};
	int words = parse(options, &usage, argc, argv);
	struct rt_err err;

	if (words < 0)
		return -1 - words;
	if (!strcmp(opt.path, "-")) {
		rt_error("flight snapshot writes a file, not to standard output");
		return RT_EXIT_USAGE;
	}
	return snapshot(words ? argv[0] : NULL, &opt, quiet, &err) ? fail(&err) : RT_EXIT_OK;
}

/* --- stop -------------------------------------------------------------------------- */

static int stop(const char *name, struct rt_pinned *pinned, struct rt_err *err)
{
	int fd = open_module(err), ret;

	if (fd < 0)
		return fd;
	ret = choose(fd, name, pinned, err);
	if (!ret)
		ret = rt_agent_unpin(fd, pinned->name, err);
	close(fd);
	return ret;
}

int rt_flight_cmd_stop(int argc, char **argv)
{
	static const struct rt_usage usage = {
		.command = "flight stop",
		.line = "[NAME] [--boot]",
		.about =
			"End a flight and free its rings.  What they hold is lost: 'flight snapshot' before "
			"it keeps that.",
	};
	bool quiet = false, boot = false;
	const struct rt_option options[] = {
		RT_OPTION_SWITCH(0, "boot", &boot, "also do not start it at boot any more"),
		RT_OPTION_SWITCH('q', "quiet", &quiet, "do not say what was ended"),
		RT_OPTION_END,
	};
	int words = parse(options, &usage, argc, argv), ret, gone;
	struct rt_pinned pinned;
	const char *name;
	struct rt_err err;

	if (words < 0)
		return -1 - words;
	ret = stop(words ? argv[0] : NULL, &pinned, &err);
	name = words ? argv[0] : ret ? NULL : pinned.name;
	/* One that does not run now may still be one that begins at boot. */
	if (boot && name && !strchr(name, '/') && (!ret || ret == -ENOENT)) {
		gone = rt_flight_boot_forget(RT_FLIGHT_BOOT_DIR, name);
		if (!gone && !quiet)
			printf("flight '%s' does not start at boot any more\n", name);
		if (!gone && ret)
			return RT_EXIT_OK;
		if (gone && !ret)
			ret = rt_err_set(&err, -gone,
					 "flight '%s' has ended; cannot remove " RT_FLIGHT_BOOT_DIR
					 "/%s: %s",
					 name, name, strerror(-gone));
	}
	if (ret)
		return fail(&err);
	if (!quiet)
		printf("flight '%s' has ended\n", pinned.name);
	return RT_EXIT_OK;
}
