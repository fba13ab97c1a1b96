// SPDX-License-Identifier: GPL-2.0
#include "record/status.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "record/losses.h"

#define SECOND 1000000000ull

enum { COLUMNS = 80 }; /* of a terminal that does not say */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

void rt_status_begin(struct rt_status *s, FILE *stream)
{
	memset(s, 0, sizeof(*s));
	if (!stream || !isatty(fileno(stream)))
		return;
	s->terminal = stream;
	s->began = s->shown = now();
}

/* A line that wraps could not be erased. */
static unsigned int columns(FILE *terminal)
{
	struct winsize size;

	if (ioctl(fileno(terminal), TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS;
	return size.ws_col;
}

/* ", 0 lost" or ", lost: 12 ring full, 3 recursion". */
static void print_lost(FILE *out, const struct rt_losses *losses)
{
	bool any = false;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		if (!losses->told[i])
			continue;
		fprintf(out, "%s%" PRIu64 " %s", any ? ", " : ", lost: ", losses->told[i],
			rt_losses_cause(i));
		any = true;
	}
	if (!any)
		fputs(", 0 lost", out);
}

void rt_status_update(struct rt_status *s, const struct rt_recording *r)
{
	const struct rt_writer_stats *stats;
	uint64_t samples, t;
	char line[512] = "";
	FILE *out;

	if (!s->terminal)
		return;
	t = now();
	if (t - s->shown < SECOND)
		return;
	stats = rt_writer_stats(r->writer);
	samples = r->samples_before + stats->samples;
	out = fmemopen(line, sizeof(line), "w");
	if (!out)
		return;
	fprintf(out, "%" PRIu64 " s, %.0f events/s, %.1f MB", (uint64_t)((t - s->began) / SECOND),
		(double)(samples - s->samples) * SECOND / (t - s->shown),
		(double)(r->bytes_before + stats->bytes) / 1e6);
	print_lost(out, &r->losses);
	fclose(out);
	line[sizeof(line) - 1] = 0;
	fprintf(s->terminal, "\r\033[K%.*s", (int)columns(s->terminal) - 1, line);
	fflush(s->terminal);
	s->shown = t;
	s->samples = samples;
	s->visible = true;
}

void rt_status_hide(struct rt_status *s)
{
	if (s->visible) {
		fputs("\r\033[K", s->terminal);
		fflush(s->terminal);
	}
	s->visible = false;
}
