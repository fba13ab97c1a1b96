// SPDX-License-Identifier: GPL-2.0
/* flight recover - what a flight of an earlier boot left in memory that survived a warm reboot. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/kept.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "cmd/flight_image.h"
#include "flight/recover.h"

static const char more[] =
	"The module must be loaded with recover=ADDRESS,SIZE, or recover=NAME of the kernel's reserve_mem= or of a node in\n"
	"/reserved-memory of the device tree, in both boots, and the flight must have been started with --recoverable.\n"
	"What was recovered stays there until the boot after the next one starts such a flight.\n"
	"\n"
	"Examples:\n"
	"  ringtail flight recover                        write perf.data\n"
	"  ringtail flight recover -n                     only say what is there";

static int open_module(struct rt_err *err)
{
	int fd = rt_device_open(err), ret;
	struct rt_info info;

	if (fd < 0)
		return fd;
	ret = rt_device_info(fd, &info, err);
	if (!ret)
		ret = rt_agent_kept_check(&info, err);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static void tell_boot(const struct rt_kept *kept)
{
	time_t when = kept->head.wall / 1000000000;
	char text[64] = "?";
	struct tm tm;
	int i;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fputs("boot ", stdout);
	for (i = 0; i < 4; i++)
		printf("%02x", kept->head.boot_id[i]);
	/* Where the range begins, of which this is one half. */
	printf(", which began to record at %s in the memory at 0x%llx; ", text,
	       kept->now_phys - kept->half * kept->head.bytes);
}

/* One half: 0, a negative errno, or 1 if it holds no rings. */
static int recover_half(unsigned int turn, const struct rt_flight_asked *a, struct rt_err *err)
{
	struct rt_memory *memory;
	struct rt_image image;
	struct rt_kept kept;
	int fd = open_module(err), ret;

	if (fd < 0)
		return fd;
	ret = rt_flight_recover(fd, turn, &kept, &memory, err);
	if (ret)
		return ret;
	ret = rt_image_find(&image, memory, err);
	if (!ret) {
		if (!image.sessions && !image.other_major) {
			ret = 1;
		} else {
			if (!a->quiet)
				tell_boot(&kept);
			ret = rt_flight_image_write(&image, a, err);
		}
		rt_image_free(&image);
	}
	memory->ops->close(memory);
	return ret;
}

static int recover(const struct rt_flight_asked *a, struct rt_err *err)
{
	int first = recover_half(0, a, err), ret;

	if (first <= 0)
		return first;
	/* The flights of the last boot were stopped; the one before may have left something. */
	ret = recover_half(1, a, err);
	if (ret == 1 || ret == -ENODATA)
		ret = rt_err_set(
			err, ENODATA,
			"the last boot that used this memory left no rings there: its flights were "
			"stopped before it ended");
	return ret;
}

int rt_flight_cmd_recover(int argc, char **argv)
{
	static const char *const line[] = { "ringtail", "flight", "recover" };
	static const struct rt_usage usage = {
		.command = "flight recover",
		.line = "[-o FILE]",
		.about =
			"After a warm reboot without a dump, write what the flights of the boot before it held into a "
			"perf.data file.",
		.more = more,
	};
	struct rt_flight_asked a = { .recovered = true, .argc = 3, .argv = line };
	const struct rt_option options[] = {
		RT_OPTION_STRING('o', "output", &a.output, "FILE",
				 "write this file (default perf.data); further flights get FILE.2, "
				 "FILE.3, …"),
		RT_OPTION_STRING(0, "kallsyms", &a.kallsyms, "FILE",
				 "a copy of /proc/kallsyms of the boot that ended"),
		RT_OPTION_UINT(0, "session", &a.session, "N",
			       "only the session that is listed as number N"),
		RT_OPTION_SWITCH('n', "dry-run", &a.dry_run,
				 "write nothing, only say what is there"),
		RT_OPTION_SWITCH('q', "quiet", &a.quiet, "do not say what was found"),
		RT_OPTION_END,
	};
	struct rt_err err;
	int words = rt_options_parse(options, &usage, argc, argv, 0, &err);

	if (words == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (words > 0)
		words = rt_err_set(&err, EINVAL, "flight recover takes no argument '%s'", argv[0]);
	else if (!words && a.output && !strcmp(a.output, "-"))
		words = rt_err_set(&err, EINVAL,
				   "flight recover writes a file, not to standard output");
	if (words < 0) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	if (!recover(&a, &err))
		return RT_EXIT_OK;
	rt_err_print(&err);
	return RT_EXIT_FAIL;
}
