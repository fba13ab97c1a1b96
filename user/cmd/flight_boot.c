// SPDX-License-Identifier: GPL-2.0
/* flight boot - start the flights that begin at each boot; what the service and the initramfs run. */
#include "cmd/flight_boot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/pins.h"
#include "base/file.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "flight/boot.h"

#define SERVICE	    "ringtail-flight"
#define CMDLINE_MAX 65536

extern char **environ;

/* --- enabling ---------------------------------------------------------------------- */

/* Run a program without output; true if it succeeded. */
static bool run(const char *const *words)
{
	posix_spawn_file_actions_t files;
	int status = -1;
	pid_t pid;

	if (posix_spawn_file_actions_init(&files))
		return false;
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, words[0], &files, NULL, (char *const *)words, environ))
		status = -1;
	else
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	posix_spawn_file_actions_destroy(&files);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool rt_flight_boot_enable(void)
{
	static const char *const systemd[] = { "systemctl", "enable", SERVICE ".service", NULL };
	static const char *const debian[] = { "update-rc.d", SERVICE, "defaults", NULL };
	static const char *const redhat[] = { "chkconfig", "--add", SERVICE, NULL };

	if (rt_file_exists("/run/systemd/system"))
		return run(systemd);
	return rt_file_exists("/etc/init.d/" SERVICE) && (run(debian) || run(redhat));
}

/* --- starting ---------------------------------------------------------------------- */

static bool is_running(const char *name)
{
	struct rt_pinned pinned;
	struct rt_err ignored;
	int fd = rt_device_open(&ignored);
	bool found = false;
	uint32_t i;

	for (i = 0; fd >= 0 && !found && !rt_agent_pinned(fd, i, &pinned); i++)
		found = !strcmp(pinned.name, name);
	if (fd >= 0)
		close(fd);
	return found;
}

static int start(const struct rt_flight_boot *b)
{
	char **words = calloc(b->count + 2, sizeof(*words));
	int status;

	if (!words || b->error) {
		rt_error("%s", words ? b->error : "out of memory");
		free(words);
		return RT_EXIT_FAIL;
	}
	/* Parsing moves the words. */
	words[0] = (char *)"start";
	memcpy(words + 1, b->words, b->count * sizeof(*words));
	status = rt_flight_start(b->count + 1, words, b->name);
	free(words);
	if (status != RT_EXIT_OK)
		rt_error("flight boot: '%s' does not run", b->name);
	return status;
}

/* One that fails does not keep the others from starting. */
static int start_all(const struct rt_flight_boots *boots)
{
	int status = RT_EXIT_OK;
	size_t i;

	for (i = 0; !boots->off && i < boots->count; i++)
		if (is_running(boots->boot[i].name))
			printf("flight '%s' is running already\n", boots->boot[i].name);
		else if (start(&boots->boot[i]) != RT_EXIT_OK)
			status = RT_EXIT_FAIL;
	if (boots->off)
		puts("ringtail.flight=off: no flight is started");
	else if (!boots->count)
		puts("no flight is to be started at boot");
	return status;
}

static int read_all(struct rt_flight_boots *boots, const char *dir, const char *cmdline,
		    struct rt_err *err)
{
	char *line;
	size_t size;
	int ret = rt_file_read(cmdline, CMDLINE_MAX, &line, &size);

	if (ret)
		return rt_err_set(err, -ret, "cannot read '%s': %s", cmdline, strerror(-ret));
	ret = rt_flight_boot_line(boots, line, err);
	free(line);
	return ret ? ret : rt_flight_boot_files(boots, dir, err);
}

int rt_flight_cmd_boot(int argc, char **argv)
{
	static const struct rt_usage usage = {
		.command = "flight boot",
		.line = "",
		.about =
			"Start the flights of " RT_FLIGHT_BOOT_DIR
			" and of ringtail.flight= on the kernel's command line, except those that run.",
		.more = "The service ringtail-flight and the initramfs run it.  'ringtail flight start --boot' adds a\n"
			"flight, 'ringtail flight stop --boot' removes it.  ringtail.flight=off starts none;\n"
			"ringtail.flight=crash,size=64M starts a flight 'boot' with that preset.",
	};
	const char *dir = RT_FLIGHT_BOOT_DIR, *cmdline = "/proc/cmdline";
	const struct rt_option options[] = {
		RT_OPTION_STRING(0, "directory", &dir, "DIR",
				 "read the files of DIR instead of " RT_FLIGHT_BOOT_DIR),
		RT_OPTION_STRING(0, "cmdline", &cmdline, "FILE",
				 "read FILE instead of /proc/cmdline"),
		RT_OPTION_END,
	};
	struct rt_flight_boots boots = { 0 };
	struct rt_err err;
	int status, words = rt_options_parse(options, &usage, argc, argv, 0, &err);

	if (words == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (words > 0)
		words = rt_err_set(&err, EINVAL, "flight boot takes no argument '%s'", argv[0]);
	if (words < 0) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	status = RT_EXIT_FAIL;
	if (read_all(&boots, dir, cmdline, &err))
		rt_err_print(&err);
	else
		status = start_all(&boots);
	rt_flight_boots_free(&boots);
	return status;
}
