// SPDX-License-Identifier: GPL-2.0
/* flight start - give a session to the module. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "agent/kept.h"
#include "agent/pins.h"
#include "base/size.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/flight.h"
#include "cmd/flight_boot.h"
#include "cmd/record_messages.h"
#include "cmd/record_options.h"
#include "flight/boot.h"
#include "flight/preset.h"
#include "host/memmap.h"
#include "record/kernel_env.h"
#include "record/ring_size.h"

#define DEFAULT_NAME   "flight"
#define LEAST_PER_CPU  (64U << 10)
#define BESIDE_PER_CPU (768U << 10)

static const char more[] =
	"The rings overwrite their oldest events, and nobody reads them: a flight costs only its events.\n"
	"It goes on when this program has ended, until 'ringtail flight stop'.  Until then the module\n"
	"cannot be unloaded.\n"
	"\n"
	"Examples:\n"
	"  ringtail flight start --preset crash           scheduling, interrupts, memory, locks, signals\n"
	"  ringtail flight start io -e 'block:*' --size 64M\n"
	"  ringtail flight snapshot io                    then: write perf.data, go on\n"
	"  ringtail flight extract vmcore                 after a crash, from the dump";

static const struct rt_usage usage = {
	.command = "flight start",
	.line = "[NAME] -e EVENT… [--size SIZE] | --preset crash",
	.about = "Record into the kernel's memory until 'flight stop', whatever ends meanwhile.",
	.more = more,
};

struct asked {
	struct rt_record_options record;
	const char *preset;
	bool quiet, recoverable, boot, sized;
};

/* SIZE is for all CPUs together. */
static int take_size(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct asked *a = o->priv;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct rt_size size;
	uint64_t each, ring;

	if (rt_size_parse(&size, value) || size.shift < 0 || size.number > UINT64_MAX >> size.shift)
		return rt_err_set(
			err, EINVAL,
			"--size takes bytes for all rings together, such as 64M or 1G, not '%s'",
			value);
	each = (size.number << size.shift) / (cpus > 0 ? cpus : 1);
	if (each < LEAST_PER_CPU)
		return rt_err_set(err, EINVAL,
				  "--size %s is too small for %ld CPUs: each needs %u KB", value,
				  cpus, LEAST_PER_CPU >> 10);
	if (each > (uint64_t)RT_SUBBUFS_MAX * RT_SUBBUF_BYTES_MAX)
		return rt_err_set(err, EINVAL,
				  "--size %s is too large: a CPU's ring has at most %u MB", value,
				  RT_SUBBUFS_MAX * (RT_SUBBUF_BYTES_MAX >> 20));
	for (ring = LEAST_PER_CPU; 2 * ring <= each;)
		ring *= 2;
	rt_ring_size_apply(ring, 0, &a->record.recording.rings);
	a->sized = true;
	return 0;
}

static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
{
	struct rt_record_options *r = &a->record;
	const struct rt_option options[] = {
		RT_OPTION_TAKE('e', "event", rt_record_take_event, r, "EVENT",
			       "record this event (repeatable), as 'ringtail record' takes it"),
		RT_OPTION_TAKE(0, "filter", rt_record_take_filter, r, "EXPR",
			       "record the event before it only if EXPR is true"),
		RT_OPTION_STRING(
			0, "preset", &a->preset, "NAME",
			"a list of events: crash; those that this kernel lacks are left out"),
		RT_OPTION_SWITCH('g', "stacks", &r->recording.stacks,
				 "record the kernel and user stacks"),
		RT_OPTION_SWITCH('d', "data", &r->recording.addresses,
				 "record the addresses of data: of page faults, of watches"),
		RT_OPTION_TAKE(
			0, "size", take_size, a, "SIZE",
			"memory of all rings together, such as 64M; each CPU's part is rounded "
			"down to a power of two (default: 8 MB per CPU, together at most 256 MB and 1/64 "
			"of memory)"),
		RT_OPTION_SWITCH(
			0, "recoverable", &a->recoverable,
			"in the memory of the module parameter recover=, where 'flight recover' finds it "
			"after a warm reboot (default size: as much as fits)"),
		RT_OPTION_SWITCH(0, "boot", &a->boot,
				 "also start it at each boot, by a file in " RT_FLIGHT_BOOT_DIR
				 " that 'flight boot' reads"),
		RT_OPTION_SWITCH('q', "quiet", &a->quiet, "do not say what was started"),
		RT_OPTION_END,
	};

	int left = rt_options_parse(options, &usage, argc, argv, 0, err), ret;

	if (left < 0 || left == RT_OPTIONS_HELP)
		return left;
	ret = rt_record_settle_events(r, err);
	return ret ? ret : left;
}

/* --- the preset -------------------------------------------------------------------- */

/* An event of a preset is like one of a glob: if it cannot be recorded, it is left out by name. */
static int join_preset(struct rt_event_list *list, size_t from, const char *preset)
{
	char *text;

	for (; from < list->count; from++) {
		if (asprintf(&text, "--preset %s", preset) < 0)
			return -ENOMEM;
		free(list->specs[from].text);
		list->specs[from].text = text;
		list->specs[from].globbed = true;
	}
	return 0;
}

static int add_preset(struct asked *a, struct rt_err *err)
{
	const char *const *event = rt_flight_preset(a->preset);
	size_t before = a->record.list.count;
	struct rt_err why;

	if (!event)
		return rt_err_set(err, EINVAL, "there is no preset '%s'; there is 'crash'",
				  a->preset);
	for (; *event; event++)
		if (rt_record_add_event(&a->record, *event, &why) && !a->quiet)
			rt_warning("flight start: --preset %s: left out: %s", a->preset, why.text);
	if (join_preset(&a->record.list, before, a->preset))
		return rt_err_set(err, ENOMEM, "out of memory");
	if (a->record.list.count == before)
		return rt_err_set(err, EOPNOTSUPP, "none of the events of --preset %s exists here",
				  a->preset);
	return 0;
}

/* --- starting ---------------------------------------------------------------------- */

/* The name last: a program that is killed before leaves nothing, one that is killed later a flight. */
static int begin(struct rt_recording *r, const char *name, struct rt_err *err)
{
	int ret = rt_recording_arm(r, err);

	if (!ret)
		ret = rt_agent_session_start(&r->session, 0, err);
	return ret ? ret : rt_agent_pin(r->session.fd, name, err);
}

/* The module's memory for --recoverable. */
static int look_at_kept(struct rt_kept *kept, struct rt_err *err)
{
	int fd = rt_device_open(err), ret;
	struct rt_info info;

	if (fd < 0)
		return fd;
	ret = rt_device_info(fd, &info, err);
	if (!ret)
		ret = rt_agent_kept_check(&info, err);
	if (!ret)
		ret = rt_agent_kept(fd, 0, kept, err);
	close(fd);
	return ret;
}

/*
 * The module refuses memory that the kernel uses, but it does not know what else is not free: the tables of
 * firmware, a device's registers.  Firmware's map does, where there is one.
 */
static int check_is_ram(const struct rt_kept *kept, struct rt_err *err)
{
	uint64_t last = kept->now_phys + 2 * kept->length - 1;
	struct rt_memmap_gap gap;
	char is[128];
	int ret = rt_host_memmap_ram(NULL, kept->now_phys, last, &gap);

	if (!ret || ret == -ENOENT)
		return 0;
	if (ret != -ERANGE)
		return rt_err_set(err, EIO,
				  "cannot read " RT_HOST_MEMMAP
				  ": it tells whether recover= is memory");
	if (*gap.type)
		snprintf(is, sizeof(is), "'%s'", gap.type);
	else
		snprintf(is, sizeof(is), "no memory");
	return rt_err_set(err, ENODEV,
			  "recover= has 0x%" PRIx64 " to 0x%" PRIx64
			  ", and firmware's map calls 0x%" PRIx64 " to 0x%" PRIx64
			  " %s: load the module with a range of 'System RAM' of " RT_HOST_MEMMAP,
			  (uint64_t)kept->now_phys, last, gap.start, gap.last, is);
}

/* As much as fits into the memory that the next boot leaves alone. */
static void size_recoverable(const struct rt_kept *kept, struct rt_rings *rings)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t each, ring = LEAST_PER_CPU;

	/* Beside a ring: its spare sub-buffer, states, the side-band; for all of them the tables. */
	each = kept->room / (cpus > 0 ? cpus : 1);
	while (2 * ring + BESIDE_PER_CPU <= each &&
	       2 * ring <= (uint64_t)RT_SUBBUFS_MAX * RT_SUBBUF_BYTES_MAX)
		ring *= 2;
	rt_ring_size_apply(ring, 0, rings);
}

static int prepare_recoverable(const struct asked *a, struct rt_rings *rings, struct rt_err *err)
{
	struct rt_kept kept;
	int ret = look_at_kept(&kept, err);

	if (!ret)
		ret = check_is_ram(&kept, err);
	if (ret)
		return ret;
	rings->flags |= RT_RINGS_KEPT;
	if (!a->sized)
		size_recoverable(&kept, rings);
	return 0;
}

static int start(struct asked *a, const char *name, struct rt_err *err)
{
	struct rt_record_options *opt = &a->record;
	struct rt_recording r;
	struct rt_err ignored;
	int ret;

	opt->recording.rings.mode = RT_MODE_OVERWRITE;
	opt->recording.rings.flags = RT_RINGS_SIDE_OVERWRITE;
	if (a->recoverable) {
		ret = prepare_recoverable(a, &opt->recording.rings, err);
		if (ret)
			return ret;
	}
	ret = rt_recording_open(&r, &opt->list, opt->filters, &opt->env, &opt->recording, err);
	if (ret)
		return ret;
	ret = begin(&r, name, err);
	if (!ret && !a->quiet) {
		rt_tell_instead("flight start", &r, &opt->list);
		rt_tell_left_out("flight start", &opt->list);
		rt_tell_perf("flight start", &r);
		printf("flight '%s' records %zu event%s; 'ringtail flight snapshot %s' writes what it has, "
		       "'ringtail flight stop %s' ends it\n",
		       name, r.count - r.session.left_out, r.count == 1 ? "" : "s", name, name);
	}
	rt_recording_close(&r, &ignored);
	return ret;
}

/* --- at each boot ------------------------------------------------------------------ */

/* The words as typed, without --boot. */
static int keep(const struct asked *a, const char *name, int argc, char **argv, struct rt_err *err)
{
	const char **words = calloc(argc, sizeof(*words));
	size_t count = 0;
	int i, ret;

	if (!words)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--boot"))
			words[count++] = argv[i];
	ret = rt_flight_boot_keep(RT_FLIGHT_BOOT_DIR, name, words, count, err);
	free(words);
	if (ret)
		return ret;
	if (!rt_flight_boot_enable())
		rt_warning(
			"flight start: " RT_FLIGHT_BOOT_DIR
			"/%s is written, but the service ringtail-flight could not be enabled: see "
			"that something runs 'ringtail flight boot' at boot",
			name);
	else if (!a->quiet)
		printf("it also starts at each boot (" RT_FLIGHT_BOOT_DIR
		       "/%s); to have it in the initramfs: update-initramfs -u, or dracut -f\n",
		       name);
	return 0;
}

static int check(const struct asked *a, int words, struct rt_err *err)
{
	size_t i;

	/* Such events need a program that reads the formats of new tracepoints at once. */
	for (i = 0; i < a->record.list.count; i++)
		if (a->record.list.specs[i].later)
			return rt_err_set(
				err, EINVAL,
				"'%s': tracepoints of modules that load later need 'ringtail "
				"record', which stays",
				a->record.list.specs[i].text);
	if (words > 1)
		return rt_err_set(
			err, EINVAL,
			"a flight has one name and runs no command, but there are %d words; "
			"start the command by itself: -p PID follows it, and 'ringtail "
			"record' runs one",
			words);
	if (!a->record.list.count && !a->preset)
		return rt_err_set(err, EINVAL, "which events? -e EVENT, or --preset crash");
	return 0;
}

/* The name of the flight: typed, or that of its file, or the usual one. */
static int choose_name(const char **name, const char *typed, const char *file, struct rt_err *err)
{
	if (typed && file && strcmp(typed, file))
		return rt_err_set(
			err, EINVAL,
			"the file of flight '%s' names a flight '%s': take that line out, or "
			"rename the file",
			file, typed);
	*name = typed ? typed : file ? file : DEFAULT_NAME;
	return 0;
}

int rt_flight_start(int argc, char **argv, const char *file)
{
	struct asked a = { 0 };
	/* The words are moved while the options are parsed. */
	char **typed = calloc(argc + 1, sizeof(*typed));
	int words, ret, status = RT_EXIT_USAGE;
	const char *name = DEFAULT_NAME;
	struct rt_err err;

	if (!typed || rt_kernel_env(&a.record.env)) {
		free(typed);
		rt_error("out of memory");
		return RT_EXIT_FAIL;
	}
	memcpy(typed, argv, argc * sizeof(*typed));
	words = parse(&a, argc, argv, &err);
	ret = words < 0 ? words : check(&a, words, &err);
	if (!ret)
		ret = choose_name(&name, words ? argv[0] : NULL, file, &err);
	if (!ret && a.preset)
		ret = add_preset(&a, &err);
	if (words == RT_OPTIONS_HELP) {
		status = RT_EXIT_OK;
	} else if (!ret) {
		ret = start(&a, name, &err);
		if (!ret && a.boot)
			ret = keep(&a, name, argc, typed, &err);
		status = ret ? RT_EXIT_FAIL : RT_EXIT_OK;
	}
	if (status != RT_EXIT_OK)
		rt_error("flight start: %s", err.text);
	rt_record_options_free(&a.record);
	free(typed);
	return status;
}

int rt_flight_cmd_start(int argc, char **argv)
{
	return rt_flight_start(argc, argv, NULL);
}
