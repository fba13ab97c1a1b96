// SPDX-License-Identifier: GPL-2.0
/*
 * What ADD, ENABLE and DISABLE of many events of one kind take:
 *
 * many-events KIND COUNT <PLACES
 *
 * A line of PLACES is a place: for kprobe, kretprobe and tracepoint a NAME (`function+offset` for a
 * kprobe), for perf the number of a tracepoint, for uprobe `PATH OFFSET`, for syscall a number; for
 * counter the number of a software counter.  The events go to the places in turn; a place that is
 * refused is left out.
 *
 * The result is a line `KIND COUNT ADD ENABLE DISABLE CLOSE`, in microseconds of CLOCK_MONOTONIC, with the
 * number of events that were added.  Under -icount a microsecond is a thousand instructions.
 */
#include <time.h>

#include "limits.h"

#define PLACES_MAX 8192

static const struct {
	const char *name;
	uint32_t kind;
} kinds[] = {
	{ "kprobe", RT_KIND_KPROBE },	      { "kretprobe", RT_KIND_KRETPROBE },
	{ "tracepoint", RT_KIND_TRACEPOINT }, { "perf", RT_KIND_TRACEPOINT_PERF },
	{ "syscall", RT_KIND_SYSCALL_ENTER }, { "uprobe", RT_KIND_UPROBE },
	{ "counter", RT_KIND_PMU },
};

static char places[PLACES_MAX][300];
static uint32_t place_count;

static const struct rt_insn fetch[] = {
	{ .op = RT_OP_CONTEXT, .arg = RT_CONTEXT_PID },
	{ .op = RT_OP_STORE, .size = 8, .offset = RT_FIELD_BASE },
	{ .op = RT_OP_RETURN },
};

static void read_places(void)
{
	while (place_count < PLACES_MAX && fgets(places[place_count], sizeof(*places), stdin)) {
		places[place_count][strcspn(places[place_count], "\n")] = 0;
		place_count += places[place_count][0] != 0;
	}
	if (!place_count)
		die("no places");
}

/* False: the place is of no use. */
static int describe(uint32_t kind, char *place, struct rt_event_add *event)
{
	static char path[300];
	unsigned long long offset;
	char *plus;
	static int file = -1;

	memset(event, 0, sizeof(*event));
	event->kind = kind;
	switch (kind) {
	case RT_KIND_KPROBE:
	case RT_KIND_KRETPROBE:
		plus = strchr(place, '+');
		if (plus) {
			event->probe.offset = strtoull(plus + 1, NULL, 0);
			*plus = 0;
		}
		event->name = (uintptr_t)place;
		event->fetch.slots = (uintptr_t)fetch;
		event->fetch.code = sizeof(fetch) / sizeof(*fetch);
		break;
	case RT_KIND_TRACEPOINT:
		event->name = (uintptr_t)place;
		break;
	case RT_KIND_TRACEPOINT_PERF:
		event->tracepoint.number = atoi(place);
		break;
	case RT_KIND_SYSCALL_ENTER:
		event->syscall.number = atoi(place);
		break;
	case RT_KIND_UPROBE:
		if (sscanf(place, "%299s %lli", path, (long long *)&offset) != 2)
			return 0;
		if (file < 0)
			file = open(path, O_RDONLY | O_CLOEXEC);
		event->uprobe.file = file;
		event->uprobe.offset = offset;
		break;
	case RT_KIND_PMU:
		event->counter.type = 1; /* PERF_TYPE_SOFTWARE */
		event->counter.config = atoi(place);
		event->counter.period = 1;
		break;
	}
	return 1;
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static uint32_t add_all(uint32_t kind, uint32_t count)
{
	uint32_t added = 0, tried, refused = 0;
	struct rt_event_add event;
	char place[300];

	for (tried = 0; added < count && tried < count + place_count; tried++) {
		strcpy(place, places[tried % place_count]);
		if (!describe(kind, place, &event))
			continue;
		if (!add(&event)) {
			added++;
			continue;
		}
		if (!refused++)
			fprintf(stderr, "%s: %s, reason %u, detail %llu\n",
				places[tried % place_count], strerror(errno), event.refusal.reason,
				(unsigned long long)event.refusal.detail);
	}
	return added;
}

/* Events that COUNTS calls not armed although the session is. */
static int lenient(void)
{
	struct rt_switch onoff = { .size = sizeof(onoff),
				   .value = RT_ENABLE_LENIENT | RT_ENABLE_HELD };

	if (ioctl(fd, RT_IOC_ENABLE, &onoff)) {
		fprintf(stderr, "ENABLE: %s, reason %u, detail %llu\n", strerror(errno),
			onoff.refusal.reason, (unsigned long long)onoff.refusal.detail);
		exit(1);
	}
	return onoff.left_out;
}

int main(int argc, char **argv)
{
	struct rt_switch off = { .size = sizeof(off) };
	long long t[5];
	uint32_t added, kind = 0;
	size_t i;
	int left_out;

	for (i = 0; argc == 3 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			kind = kinds[i].kind;
	if (!kind) {
		fprintf(stderr, "usage: many-events KIND COUNT <PLACES\n");
		return 2;
	}
	read_places();
	open_session();
	t[0] = now();
	added = add_all(kind, atoi(argv[2]));
	t[1] = now();
	left_out = lenient();
	t[2] = now();
	if (ioctl(fd, RT_IOC_DISABLE, &off))
		die("DISABLE");
	t[3] = now();
	close(fd);
	t[4] = now();
	printf("%s %u %lld %lld %lld %lld\n", argv[1], added - left_out, t[1] - t[0], t[2] - t[1],
	       t[3] - t[2], t[4] - t[3]);
	return 0;
}
