// SPDX-License-Identifier: GPL-2.0
/* raw_limit.c - a raw recording in files of limited size: together they hold every event once. */
#define RAW_SUBBUFS 16
#include "raw_rig.h"

enum { LIMIT = 12000, HAPPEN = 9000 };

static struct rt_recording r;
static u64 samples, files, largest, complaints, turned, left;

/* What the complete file holds. */
static void count_file(void)
{
	struct seen seen;

	complaints += expand_and_look(path, &seen) || seen.complaint || seen.backwards;
	samples += seen.samples;
	files++;
}

/* As --switch-output does it: end the file, in which some room is left, and begin another. */
static int change_files(void)
{
	u64 bytes;
	int ret;

	r.limit = rt_writer_stats(r.writer)->bytes + BYTES;
	ret = rt_pieces_settle(&r, true, &err);
	bytes = rt_writer_stats(r.writer)->bytes;
	largest = bytes > largest ? bytes : largest;
	ret = rt_writer_close(r.writer, &err) || ret;
	count_file();
	unlink(path);
	ret = open_file(&r) || ret;
	r.limit = LIMIT;
	turned++;
	return ret;
}

static int write_all(void)
{
	int ret, rounds = 0, cpu;

	do {
		ret = rt_pieces_sweep(&r, UINT64_MAX);
		if (ret >= 0)
			ret = rt_pieces_settle(&r, false, &err);
		if (ret >= 0 && rt_recording_left(&r) <= 0)
			ret = change_files();
	} while (ret >= 0 && r.more && rounds++ < 1000);
	for (cpu = 0; cpu < CPUS; cpu++)
		left += rt_cpuring_backlog(&r.session.events[cpu]);
	return ret;
}

int main(void)
{
	u32 step, each;
	int fd = mkstemp(path), ret;

	close(fd);
	unlink(path);
	ret = begin(&r, true);
	r.limit = LIMIT;
	/* Up to a full ring between two visits, and some that settle in the middle of a sub-buffer. */
	for (step = 0; !ret && step < HAPPEN; step += each) {
		for (each = 0; each < 20 + step % 1500 && step + each < HAPPEN; each++) {
			if ((step + each) % 100 == 0)
				fork_one(7 + (step + each) / 100);
			happen(step + each);
		}
		if (step % 2)
			r.marked_at = 0;
		ret = write_all();
	}
	r.limit = 0;
	ok(ret >= 0, "sweeps, and another file when one is full");
	/* The last one has all the rest; end() takes it for the only one, from which most is missing. */
	change_files();
	is_int(end(&r, true), 0, "the last file is closed");
	is_int(left, 0, "which go on until no complete sub-buffer is left");
	ok(turned > 3, "there are several (%llu)", (unsigned long long)files);
	ok(largest <= LIMIT + 3 * BYTES, "none is much larger than its limit (%llu)",
	   (unsigned long long)largest);
	is_int(samples, HAPPEN, "every event is in one of them");
	is_int(complaints, 0, "each can be read alone");
	unlink(path);
	return tap_done();
}
