// SPDX-License-Identifier: GPL-2.0
/*
 * raw_damage.c - a raw recording that was cut, damaged or not closed gives what it holds, in the
 * order of time, and says what is missing or wrong.
 */
#include "raw_rig.h"

#include <sys/stat.h>

#include "raw/walk.h"

static u8 *image;
static size_t image_size;
static struct seen whole;
static char hurt[64];
static int hurt_fd;

static void load(void)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	fstat(fd, &st);
	image_size = st.st_size;
	image = malloc(image_size);
	if (read(fd, image, image_size) != (ssize_t)image_size)
		abort();
	close(fd);
	expand_and_look(path, &whole);
}

static void put_hurt(const u8 *bytes, size_t size)
{
	if (ftruncate(hurt_fd, size) || pwrite(hurt_fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

/* Expand these bytes; count what must not happen. */
static u64 try(const u8 *bytes, size_t size, bool cut, u64 *opened)
{
	struct seen seen;
	struct seen again = { 0 };
	char name[64];
	int fd, ret;

	put_hurt(bytes, size);
	err.text[0] = 0;
	ret = expand(hurt, &fd, &seen);
	seen.samples = seen.found.samples;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ++*opened % 8 == 0)
		look(name, &again);
	close(fd);
	if (ret)
		return !err.text[0];
	/* Nothing is damaged in what is left of a file that was cut. */
	if (cut && seen.found.damages)
		return 1;
	/* Bytes inside a record may be wrong unseen, but no event goes unseen. */
	return seen.samples > whole.samples ||
	       ((seen.samples < whole.samples || cut) && !seen.complaint);
}

/* Cut at each record and piece, and in the middle of it. */
static void cuts(void)
{
	u64 wrong = 0, fewer = 0, opened = 0, before = 0, tries = 0;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	int fd = open(path, O_RDONLY);
	size_t last = 0;

	ok(!rt_raw_walk_open(&w, fd, 0, path, &err), "the file is mapped");
	w.at = image_size; /* find where the records begin by the header's offset */
	memcpy(&w.at, image + offsetof(struct rt_file_header, data), sizeof(w.at));
	while (rt_raw_walk_next(&w, &item)) {
		if (w.closed)
			break;
		wrong += try(image, item.offset, true, &opened);
		wrong += try(image, (item.offset + w.at) / 2, true, &opened);
		tries += 2;
		/* The pieces in front of the cut are there. */
		if (item.hdr->type == RT_RAW_RECORD_PIECE) {
			put_hurt(image, w.at);
			before += ((const struct rt_raw_piece *)item.hdr)->records;
			fewer += expand_and_look(hurt, &seen) || seen.samples != before;
			last = before;
		}
	}
	close(fd);
	is_int(wrong, 0, "%llu cuts: each is told of", (unsigned long long)tries);
	/* Without the first checkpoint there is no telling what was recorded. */
	ok(opened >= tries - 6, "%llu of these files open", (unsigned long long)opened);
	is_int(fewer, 0, "with all events of the pieces in front of the cut");
	is_int(last, whole.samples, "up to the last one");
	for (last = 0; last < w.at; last += 997)
		wrong += try(image, last, true, &opened);
	rt_raw_walk_close(&w);
	is_int(wrong, 0, "the same at any offset");
}

static void flips(void)
{
	u8 *copy = malloc(image_size);
	u64 wrong = 0, opened = 0, tries = 0;
	size_t at;

	for (at = 0; at < image_size; at += at < 128 ? 3 : 127, tries++) {
		memcpy(copy, image, image_size);
		copy[at] ^= 1 << at % 8;
		wrong += try(copy, image_size, false, &opened);
	}
	for (at = 0; at + sizeof(struct rt_perf_record_note) <= image_size; at += 8) {
		const struct rt_perf_record_note *note = (const void *)(image + at);

		if (note->magic != RT_NOTE_MAGIC)
			continue;
		memcpy(copy, image, image_size);
		((struct rt_perf_record_note *)(copy + at))->kind ^= RT_NOTE_SO_FAR ^ RT_NOTE_END;
		wrong += try(copy, image_size, false, &opened);
		tries++;
	}
	for (at = 0; at + 8 < image_size; at += 8 * 101, tries++) {
		memcpy(copy, image, image_size);
		memset(copy + at, at % 3 ? 0xff : 0, 8);
		wrong += try(copy, image_size, false, &opened);
	}
	for (at = 64; at + 700 < image_size; at += 1999, tries++) {
		memcpy(copy, image, image_size);
		memset(copy + at, 0, 700);
		wrong += try(copy, image_size, false, &opened);
	}
	free(copy);
	is_int(wrong, 0, "%llu damaged files, %llu can be read: no event is missing in silence",
	       (unsigned long long)tries, (unsigned long long)opened);
	ok(opened > tries / 2, "most can be read");
}

/* What is behind damage is found again. */
static void holes(void)
{
	u8 *copy = malloc(image_size);
	struct seen seen;
	size_t middle = image_size / 2 & ~(size_t)7;

	memcpy(copy, image, image_size);
	memset(copy + middle, 0xa5, 5000);
	put_hurt(copy, image_size);
	ok(!expand_and_look(hurt, &seen), "a hole of 5000 bytes in the middle");
	ok(seen.samples < whole.samples && seen.samples > whole.samples / 2,
	   "%llu of %llu events are left, in front of it and behind it",
	   (unsigned long long)seen.samples, (unsigned long long)whole.samples);
	is_int(seen.found.missing, whole.samples - seen.samples,
	       "the others are counted as missing");
	ok(seen.found.closed, "the end is found");
	free(copy);
}

/* Not closed: what was written behind the last checkpoint, or not even settled, is there. */
static void killed(void)
{
	struct seen seen;

	ok(!record_killed() && !expand_and_look(path, &seen), "a recorder that was killed");
	is_int(seen.samples, STEPS, "has everything up to its last write");
	ok(!seen.found.closed && seen.complaint, "and says that it was not closed");
}

/* Walk through the records of the image. */
static void walk_image(struct rt_raw_walk *w)
{
	int fd = open(path, O_RDONLY);

	if (rt_raw_walk_open(w, fd, 0, path, &err))
		abort();
	close(fd);
	memcpy(&w->at, image + offsetof(struct rt_file_header, data), sizeof(w->at));
}

/* Where the time of a record is that is no piece and has one; NULL: not in this one. */
static uint64_t *time_of(u8 *copy, const struct rt_raw_item *item)
{
	struct rt_perf_record_note *note = (void *)(copy + item->offset);
	uint64_t *time = (void *)(copy + item->offset + item->hdr->size - 3 * sizeof(u64));

	if (rt_note_is(item->hdr))
		return note->kind == RT_NOTE_BEGIN ? NULL : &note->time;
	if (item->hdr->type != RT_PERF_RECORD_FORK)
		return NULL;
	return *time ? time : NULL;
}

/* Each of these times is wrong once: only this record is in the wrong place, and this is told. */
static void times(bool storm, const char *what)
{
	static const u64 wrong[] = { 1, 5000000000000000000ULL, ~0ULL - 1 };
	u64 tries = 0, fewer = 0, disorder = 0, untold = 0, late = 0, strangers = 0;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	u8 *copy;
	int i;

	begins_at = 1000000000000ULL;
	unlink(path);
	ok(!record(true, storm, true), "%s, with tasks and checkpoints", what);
	begins_at = 1000;
	load();
	copy = malloc(image_size);
	walk_image(&w);
	while (rt_raw_walk_next(&w, &item)) {
		for (i = 0; time_of(image, &item) && i < 3; i++, tries++) {
			memcpy(copy, image, image_size);
			*time_of(copy, &item) = wrong[i];
			put_hurt(copy, image_size);
			fewer += expand_and_look(hurt, &seen) || seen.plain != whole.plain ||
				 seen.lost != whole.lost || !seen.found.closed;
			strangers += seen.at_home != whole.at_home;
			disorder += seen.backwards;
			late += seen.newest > whole.newest;
			/* Losses may be told late, and nothing depends on the time of other notes. */
			untold += (i || !rt_note_is(item.hdr)) && !seen.found.damages &&
				  (!rt_note_is(item.hdr) ||
				   ((const struct rt_perf_record_note *)item.hdr)->kind ==
					   RT_NOTE_LOST);
		}
	}
	rt_raw_walk_close(&w);
	ok(tries > 50, "%llu of their times are wrong", (unsigned long long)tries);
	is_int(fewer, 0, "all records are there");
	is_int(disorder, 0, "in the order of time");
	is_int(strangers, 0, "with the processes of all threads");
	is_int(late, 0, "which does not end later");
	is_int(untold, 0, "and each is told of");
	free(copy);
	free(image);
}

enum { PIECE_RECORDS = BYTES / 8 };

static unsigned int records_of(const struct rt_raw_item *item, struct rt_record *rec)
{
	const struct rt_raw_piece *p = (const void *)item->hdr;
	struct rt_subbuf_reader r = { .word = item->bytes,
				      .words = item->size / RT_WORD,
				      .at = p->from ? 0 : RT_SUBBUF_HEAD_WORDS,
				      .start = p->start };
	unsigned int n = 0;

	while (n < PIECE_RECORDS && rt_subbuf_next(&r, &rec[n]))
		n++;
	return n;
}

/*
 * Both CPUs are read in time.  Then nobody reads for a while, so that pieces are long.  Then a CPU has nothing
 * for several rounds.
 */
static int record_phases(void)
{
	enum { IN_TIME = 60, UNREAD = 310, ALONE = 370 };
	struct rt_recording r;
	int ret = begin(&r, true);
	u32 step;

	for (step = 0; !ret && step < ALONE; step++) {
		happen(step < UNREAD ? step : 3 * step + 1);
		if (step % 20 == 0 && (step < IN_TIME || step >= UNREAD))
			ret = sweep(&r, true);
	}
	happen(3 * ALONE);
	return end(&r, true) || ret;
}

enum { EARLY, AMONG, LATE, ABSOLUTE, KINDS };

/* The word with a record's time, in nanoseconds after the start of its sub-buffer. */
static u32 wrong_time(const struct rt_raw_piece *p, int kind)
{
	switch (kind) {
	case EARLY:
		return 0;
	case AMONG:
		return p->last - p->start;
	case LATE:
		return RT_RECORD_TIME_EXT - 1;
	default: /* 64 bits in the payload are the time */
		return RT_RECORD_TIME_EXT;
	}
}

struct piece_damage {
	u64 tries, fewer, disorder, late, wrongly;
	u64 reached[CPUS]; /* by the pieces in front of this one */
};

/* Expand the image, in which PLACES times are wrong. */
static void look_at_damage(struct piece_damage *d, int kind, unsigned int places)
{
	struct seen seen;

	d->tries++;
	put_hurt(image, image_size);
	d->fewer += expand_and_look(hurt, &seen) || seen.lost != whole.lost ||
		    (kind != ABSOLUTE && seen.plain != whole.plain) ||
		    seen.samples + seen.found.missing != whole.samples;
	d->disorder += seen.backwards;
	d->late += seen.newest > whole.newest;
	d->wrongly += seen.found.damages != places;
}

/* Where the time of a record is that lies in this walk. */
static u32 *word_of(const struct rt_raw_walk *w, const struct rt_record *rec)
{
	return (u32 *)(image + ((const u8 *)rec->payload - w->map)) - 1;
}

/* Damage the time of record I of N in each way that is not in order, and together with the next one's. */
static void hurt_time(struct piece_damage *d, const struct rt_raw_walk *w,
		      const struct rt_raw_piece *p, const struct rt_record *rec, unsigned int i,
		      unsigned int n)
{
	const u64 before = i ? rec[i - 1].time : d->reached[p->cpu];
	const u64 behind = i + 1 < n ? rec[i + 1].time : p->last;
	u32 *word = word_of(w, &rec[i]), *next = word_of(w, &rec[i + (i + 1 < n)]);
	const u32 right = *word, next_right = *next;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		*word = wrong_time(p, kind);
		if (kind == ABSOLUTE || p->start + *word < before || p->start + *word > behind)
			look_at_damage(d, kind, 1);
	}
	*word = *next = wrong_time(p, LATE);
	look_at_damage(d, LATE, 1 + (next > word));
	*next = next_right;
	*word = right;
}

/* The same for records inside pieces. */
static void piece_times(void)
{
	static struct rt_record rec[PIECE_RECORDS];
	struct piece_damage d = { 0 };
	const struct rt_raw_piece *p;
	struct rt_raw_item item;
	struct rt_raw_walk w;
	unsigned int n, i;

	begins_at = 1000000000000ULL;
	unlink(path);
	ok(!record_phases(), "the times of records inside pieces");
	begins_at = 1000;
	in_file_order = true;
	load();
	is_int(whole.backwards, 0, "which are in order in the expanded file");
	walk_image(&w);
	while (rt_raw_walk_next(&w, &item)) {
		if (item.hdr->type != RT_RAW_RECORD_PIECE)
			continue;
		p = (const void *)item.hdr;
		n = records_of(&item, rec);
		/* The expander reads as many at a time. */
		for (i = 0; i < n; i++)
			if (!i || i == n - 1 || i % RT_CPURING_AHEAD == RT_CPURING_AHEAD - 2)
				hurt_time(&d, &w, p, rec, i, n);
		d.reached[p->cpu] = p->last;
	}
	rt_raw_walk_close(&w);
	in_file_order = false;
	ok(d.tries > 60, "%llu of them are wrong", (unsigned long long)d.tries);
	is_int(d.fewer, 0, "all events are there");
	is_int(d.disorder, 0, "in the order of time");
	is_int(d.late, 0, "which does not end later");
	is_int(d.wrongly, 0, "each is told of, and no other");
	free(image);
}

/* The first SIZE bytes of the recording: how many build-ids come out, and what is said of them. */
static void build_ids_of(size_t size, u64 count, const char *want, const char *what)
{
	char name[64], text[512] = "";
	struct rt_reader *made;
	struct seen seen;
	int fd, ret;

	ok(!truncate(path, size), "%s", what);
	ret = expand(path, &fd, &seen);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (ok(!ret && !rt_reader_open(name, NULL, &made, &err), "it can be expanded")) {
		is_int(rt_reader_env(made)->build_id_count, count, "its build-ids");
		rt_reader_close(made);
	}
	ret = rt_raw_complaint(&seen.found, path, text, sizeof(text));
	ok(want ? ret && strstr(text, want) : !ret, "it says: %s", ret ? text : "nothing");
	close(fd);
}

/* Build-ids that became known while it was recorded, and less and less of the file. */
static void build_ids(void)
{
	struct rt_recording r;
	struct rt_file_header header;
	size_t size[3], i;
	struct stat st;
	int ret, fd;

	unlink(path);
	ret = begin(&r, true) || rt_writer_publish(r.writer, &err);
	for (i = 0; i < 3; i++) {
		if (i)
			add_build_id(&r, i == 1 ? "/bin/one" : "/bin/two");
		happen(i);
		ret |= sweep(&r, true) || stat(path, &st);
		size[i] = st.st_size;
	}
	ret |= end(&r, true) || stat(path, &st);
	fd = open(path, O_RDONLY);
	ret |= read(fd, &header, sizeof(header)) != sizeof(header);
	close(fd);
	ok(!ret, "a recording with build-ids");
	build_ids_of(st.st_size, 2, NULL, "the whole file");
	build_ids_of(header.data.offset + header.data.size, 2,
		     "some build-ids of programs and libraries may be missing",
		     "without what follows the records");
	build_ids_of(size[1], 1, "some build-ids of programs and libraries may be missing",
		     "up to the first checkpoint that had one");
	build_ids_of(size[0], 0, "the build-ids of programs and libraries are missing",
		     "up to the one before");
}

int main(void)
{
	close(mkstemp(path));
	hurt_fd = memfd_create("hurt", MFD_CLOEXEC);
	snprintf(hurt, sizeof(hurt), "/proc/self/fd/%d", hurt_fd);
	unlink(path);
	if (record(true, false, true))
		abort();
	load();
	cuts();
	flips();
	holes();
	free(image);
	killed();
	times(true, "a recording with losses");
	times(false, "one without");
	piece_times();
	build_ids();
	close(hurt_fd);
	unlink(path);
	return tap_done();
}
