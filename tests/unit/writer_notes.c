// SPDX-License-Identifier: GPL-2.0
/* writer_notes.c - what a file says about itself: losses by cause, checkpoints, its end. */
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/read/reader.h"
#include "perfdata/write/writer.h"

static char path[64] = "/tmp/writer_notes.XXXXXX";
static struct rt_err err;

static struct rt_writer *begin(uint64_t checkpoint_ns)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID,
					 .checkpoint_ns = checkpoint_ns,
					 .sync = true };
	struct rt_writer_event e = {
		.name = "x",
		.attr = { .type = RT_TYPE_SOFTWARE, .sample_period = 1 },
	};
	struct rt_writer *w = NULL;

	if (rt_writer_open(path, &opt, &w, &err) || rt_writer_add(w, &e, &err) ||
	    rt_writer_begin(w, &err))
		printf("# %s\n", err.text);
	return w;
}

static int put_samples(struct rt_writer *w, unsigned from, unsigned count)
{
	struct rt_writer_sample s = { 0 };
	int ret = 0;

	for (; !ret && count; count--) {
		s.time = ++from;
		ret = rt_writer_sample(w, &s);
	}
	return ret;
}

/* Read the file back; keeps the reader's first warning in WARNING. */
static struct rt_notes notes;
static struct rt_reader_stats stats;
static char warning[512];

static void read_back(void)
{
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_err why;

	warning[0] = 0;
	memset(&stats, 0, sizeof(stats));
	rt_notes_free(&notes);
	memset(&notes, 0, sizeof(notes));
	if (rt_reader_open(path, NULL, &r, &why)) {
		printf("# %s\n", why.text);
		return;
	}
	if (rt_reader_warning(r, 0))
		snprintf(warning, sizeof(warning), "%s", rt_reader_warning(r, 0));
	while (rt_reader_next(r, &rec, &why) > 0)
		if (rt_note_is(rec.hdr))
			rt_notes_take(&notes, (const struct rt_perf_record_note *)rec.hdr);
	stats = *rt_reader_stats(r);
	rt_reader_close(r);
}

static void closed(void)
{
	const uint64_t lost[RT_NOTE_CAUSES] = { 7, 0, 2 };
	const struct rt_writer_stamp at = { .time = 11, .cpu = 3 };
	struct rt_writer *w = begin(1ULL << 60);
	char text[128];

	put_samples(w, 0, 10);
	ok(!rt_writer_lost_here(w, &at, lost), "a loss");
	put_samples(w, 10, 5);
	rt_writer_lost_sum(w, 0, 9);
	rt_writer_total(w, 15);
	ok(!rt_writer_close(w, &err), "closed");
	read_back();
	is_int(stats.by_type[RT_PERF_RECORD_SAMPLE], 15, "all samples");
	is_int(stats.lost, 9, "LOST has the sum");
	is_int(stats.lost_samples, 9, "LOST_SAMPLES as well");
	is_int(notes.lost_count, 1, "one note of a loss");
	ok(rt_notes_find(&notes, 3, 11) && !rt_notes_find(&notes, 2, 11), "found by CPU and time");
	rt_note_causes(notes.lost[0].lost, text, sizeof(text));
	is_str(text, "ring full: 7, recursion: 2", "with its causes");
	ok(notes.begun && notes.ended, "the file was closed");
	is_int(notes.last.samples, 15, "its end has the number of samples");
	is_int(notes.last.missing, 0, "of which none is missing");
	is_int(notes.last.lost[0] + notes.last.lost[2], 9, "and the losses by cause");
	is_str(warning, "", "nothing to complain of");
}

/* For how long an event was off; no reader that does not know it must think the file is not closed. */
static void off(void)
{
	struct rt_writer_stamp at = { .time = 3, .cpu = 1 };
	struct rt_writer *w = begin(1ULL << 60);
	char text[128];

	put_samples(w, 0, 2);
	ok(!rt_writer_off(w, &at, 0, 1500000, 2), "off on a CPU");
	ok(!rt_writer_off(w, &at, 0, 500000, 1), "and once more");
	at.cpu = 4;
	ok(!rt_writer_off(w, &at, 0, 250000, 1), "and on another");
	is_int(rt_writer_off(w, &at, 1, 1, 1), -EINVAL, "an event that is not in the file");
	rt_writer_total(w, 2);
	ok(!rt_writer_close(w, &err), "closed");
	read_back();
	ok(rt_notes_off(&notes, 0, text, sizeof(text)), "the file says it");
	is_str(text, "2.000 ms on CPU 1 (3 times), 0.250 ms on CPU 4 (1 time)",
	       "in all, for each CPU");
	ok(!rt_notes_off(&notes, 1, text, sizeof(text)), "not of another event");
	ok(rt_notes_off(&notes, 0, text, 20) && strlen(text) < 20, "text that is too long is cut");
	is_str(warning, "", "nothing to complain of");
	is_int(stats.lost, 0, "nothing is lost");
}

static void killed(void)
{
	struct rt_writer *w = begin(1);
	struct stat before, after;

	put_samples(w, 0, 10);
	ok(rt_writer_due(w), "a checkpoint is due");
	rt_writer_pending(w, 42);
	ok(!rt_writer_settle(w), "and made");
	stat(path, &before);
	ok(!rt_writer_due(w) && !rt_writer_settle(w), "nothing new: none is due");
	stat(path, &after);
	is_int(after.st_size, before.st_size, "and nothing is written");
	put_samples(w, 10, 5);
	rt_writer_abort(w);
	read_back();
	is_int(stats.by_type[RT_PERF_RECORD_SAMPLE], 10, "samples up to the checkpoint");
	ok(notes.begun && !notes.ended, "the file was not closed");
	ok(strstr(warning, path) &&
		   strstr(warning, "not closed cleanly, at least 42 events missing"),
	   "which is said with what was known to be missing: %s", warning);
}

/* The file may have 1,000,000 bytes. */
static void full(uint64_t checkpoint_ns)
{
	struct rlimit limit = { 1000000, RLIM_INFINITY }, none = { RLIM_INFINITY, RLIM_INFINITY };
	struct rt_writer *w = begin(checkpoint_ns);
	unsigned i;
	int ret = 0;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	for (i = 0; !ret && i < 1000; i++) {
		ret = put_samples(w, i * 100, 100);
		if (!ret)
			ret = rt_writer_settle(w);
	}
	is_int(ret, -EFBIG, "the disk is full");
	rt_writer_total(w, 200000);
	is_int(rt_writer_close(w, &err), -EFBIG, "closing says so");
	setrlimit(RLIMIT_FSIZE, &none);
	read_back();
	/* The writer gives back less than a twentieth of the bytes to make room for the end. */
	ok(stats.by_type[RT_PERF_RECORD_SAMPLE] > 950000 / 72, "what was written is kept (%llu)",
	   (unsigned long long)stats.by_type[RT_PERF_RECORD_SAMPLE]);
	ok(notes.ended, "the file has its end");
	is_int(notes.last.missing + stats.by_type[RT_PERF_RECORD_SAMPLE], 200000,
	       "missing and in the file are all");
	is_int(strtoull(err.text, NULL, 10), notes.last.missing, "the sentence has the number: %s",
	       err.text);
	ok(strstr(err.text, path) && strstr(warning, "are not in the file"), "and the file: %s",
	   warning);
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	closed();
	off();
	killed();
	full(1ULL << 60);
	full(1);
	rt_notes_free(&notes);
	unlink(path);
	return tap_done();
}
