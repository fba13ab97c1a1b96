// SPDX-License-Identifier: GPL-2.0
/*
 * raw_expand.c - a raw recording expands to what the ordinary one of the same rings holds.
 * raw_damage.c has those that were cut or damaged.
 *
 *	raw_expand			the test
 *	raw_expand DIRECTORY		leave raw recordings there: seeds for the fuzzer
 */
#include "raw_rig.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "raw/walk.h"

static void same(bool storm, const char *what)
{
	struct seen ordinary = { 0 }, raw;

	unlink(path);
	ok(!record(false, storm, true) && !look(path, &ordinary), "%s: an ordinary recording",
	   what);
	unlink(path);
	ok(!record(true, storm, true), "%s: a raw one", what);
	ok(look(path, &raw) && strstr(err.text, "raw recording"), "is refused as it is: %s",
	   err.text);
	if (!ok(!expand_and_look(path, &raw), "and can be expanded"))
		printf("# %s\n", err.text);
	is_int(raw.samples, ordinary.samples, "the same samples");
	is_int(raw.plain, ordinary.plain, "the same number of records");
	ok(raw.checksum == ordinary.checksum, "with the same bytes, in the same order");
	is_int(raw.lost, ordinary.lost, "the same losses");
	is_int(raw.backwards, 0, "in the order of time");
	ok(!raw.complaint, "and nothing to complain of");
	ok(storm ? raw.lost > 0 : raw.samples == STEPS, "as many as happened");
}

/*
 * Losses in front of a sub-buffer that holds nothing for a long time but records that a filter
 * cancels: other CPUs have written much later events meanwhile.
 */
static void late_losses(void)
{
	struct rt_recording r;
	struct seen seen;
	u32 *rec, step;

	unlink(path);
	begin(&r, true);
	rt_writer_publish(r.writer, &err);
	for (step = 0; step < STEPS; step += 3) /* all on one CPU */
		happen(step);
	sweep(&r, true);
	rec = rt_ring_reserve(&rigs[1].ring, 1, 24);
	rt_ring_cancel(&rigs[1].ring, rec);
	for (step = 1; step < 16; step += 3) {
		happen(step);
		sweep(&r, true);
	}
	happen(0);
	ok(!end(&r, true) && !expand_and_look(path, &seen), "losses that are told late");
	ok(seen.lost > 0, "%llu of them", (unsigned long long)seen.lost);
	is_int(seen.backwards, 0, "have their place in the order of time");
}

/* The number of CPUs that the expanded file has, if only the side-band is of the last one. */
static void cpus(void)
{
	struct rt_host_description one;
	struct rt_recording r;
	struct rt_reader *made;
	struct seen seen;
	char name[64];
	int fd = -1, ret;

	rt_host_describe(&one);
	one.cpus_avail = one.cpus_online = 1;
	machine = &one;
	unlink(path);
	begin(&r, true);
	happen(1);
	fork_one(9);
	ret = end(&r, true) || expand(path, &fd, &seen);
	machine = NULL;
	rt_host_description_free(&one);
	ok(!ret, "a CPU that came later");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ok(!rt_reader_open(name, NULL, &made, &err), "is expanded")) {
		is_int(rt_reader_env(made)->cpus_avail, 2, "and is counted");
		rt_reader_close(made);
	}
	close(fd);
}

/* A tracepoint with a name of the user's has it in the stream, too. */
static void names(void)
{
	struct rt_perf_record rec;
	struct rt_reader *stream;
	struct seen seen;
	int saved, fd, ret;
	FILE *file = tmpfile();
	char name[64];

	alias = "mine";
	unlink(path);
	ret = record(true, false, true);
	alias = NULL;
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	ret = ret || rt_raw_expand(path, "-", NULL, &seen.found, &err);
	fd = dup(STDOUT_FILENO);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	ok(!ret, "an event with another name goes to a pipe");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!ret && ok(!rt_reader_open(name, NULL, &stream, &err), "which can be read")) {
		while (rt_reader_next(stream, &rec, &err) > 0)
			;
		name[0] = 0;
		if (rt_reader_events(stream)->count)
			snprintf(name, sizeof(name), "%s",
				 rt_perf_event_name(rt_reader_events(stream)->list[0]));
		ok(!strcmp(name, "mine"), "it is called '%s'", name);
		rt_reader_close(stream);
	}
	close(fd);
	fclose(file);
}

/* The number of samples in front of a task's name of before the recording; ~0: there is none. */
static u64 samples_before(const char *file, const char *comm)
{
	const struct rt_perf_record_comm *task;
	struct rt_perf_record rec;
	struct rt_reader *r;
	u64 n = 0, found = ~0ULL;

	if (rt_reader_open(file, NULL, &r, &err))
		return found;
	while (rt_reader_next(r, &rec, &err) > 0) {
		task = (const void *)rec.hdr;
		n += rec.hdr->type == RT_PERF_RECORD_SAMPLE;
		if (rec.hdr->type == RT_PERF_RECORD_COMM && !strcmp(task->comm, comm))
			found = n;
	}
	rt_reader_close(r);
	return found;
}

/* The tasks are listed again when a recording goes on: what happened before has their names of before. */
static void paused(void)
{
	struct rt_recording r;
	struct seen seen;
	int fd, ret, step;
	char name[64];

	unlink(path);
	ret = begin(&r, true);
	for (step = 0; step < 90; step++) {
		happen(step);
		if (step % 10 == 0)
			ret |= sweep(&r, true);
	}
	ret |= sweep(&r, true) || rt_pieces_rest(&r, &err);
	ret |= rt_writer_comm(r.writer, NULL, 7, 7, "other", false);
	for (; step < 100; step++)
		happen(step);
	ret |= end(&r, true) || expand(path, &fd, &seen);
	ok(!ret, "a recording with a pause");
	is_int(seen.found.samples, 100, "has all events");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	is_int(samples_before(name, "other"), 90, "and the new names behind those of before it");
	close(fd);
}

/* A thread of which the file has nothing but its events and its end. */
static void ended(void)
{
	struct rt_side_task task = { .by = { .pid = 7, .tid = 9 }, .pid = 7, .tid = 9, .ppid = 7 };
	struct rt_sample_head head;
	struct rt_perf_record rec;
	struct rt_recording r;
	struct rt_reader *made;
	struct seen seen;
	u64 right = 0;
	char name[64];
	int fd = -1, ret, step;

	unlink(path);
	ret = begin(&r, true);
	for (step = 200; step < 250; step++)
		happen(step);
	ret |= sweep(&r, true);
	put(&side_rigs[1], RT_SIDE_EXIT, &task, sizeof(task));
	ret |= end(&r, true) || expand(path, &fd, &seen);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ret |= rt_reader_open(name, NULL, &made, &err);
	while (!ret && rt_reader_next(made, &rec, &err) > 0)
		right += rec.hdr->type == RT_PERF_RECORD_SAMPLE && rt_sample_head(&rec, &head) &&
			 head.pid == 7 && head.tid == 9;
	rt_reader_close(made);
	close(fd);
	is_int(right, 50, "a thread is in its process if only its end is told");
}

/* Rounds that bring nothing are left out: a damaged file may consist of them. */
static void idle(void)
{
	struct rt_recording r;
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct seen seen;
	u64 rounds = 0;
	int fd, ret, i;

	unlink(path);
	ret = begin(&r, true);
	happen(1);
	ret |= sweep(&r, true);
	for (i = 0; i < 1000; i++)
		ret |= rt_writer_round(r.writer);
	ret |= end(&r, true) || expand(path, &fd, &seen) ||
	       rt_raw_walk_open(&w, fd, 0, "expanded", &err);
	ok(!ret && seen.found.samples == 1, "a recording of little but rounds");
	for (i = 0; !ret && (size_t)i < w.size; i += 8) {
		item.hdr = (const void *)(w.map + i);
		rounds += item.hdr->type == RT_PERF_RECORD_FINISHED_ROUND && item.hdr->size == 8 &&
			  !item.hdr->misc;
	}
	ok(rounds > 1 && rounds < 10, "%llu of them are in the expanded file",
	   (unsigned long long)rounds);
	rt_raw_walk_close(&w);
	close(fd);
}

static int expansions;

static int count_expansion(const char *file, char *warning, size_t size, struct rt_err *e)
{
	expansions++;
	return rt_err_set(e, EIO, "expanded");
}

/* Open the header of the recording; 0 if there are no records, negative if that failed. */
static int look_at_header(u64 *ids, u64 *events, const char **warning)
{
	const struct rt_reader_options how = { .header = true };
	static char text[256];
	struct rt_perf_record rec;
	struct rt_reader *r;
	int ret = rt_reader_open(path, &how, &r, &err);

	if (ret)
		return ret;
	*ids = rt_reader_env(r)->build_id_count;
	*events = rt_reader_events(r)->count;
	*warning = rt_reader_warning(r, 0);
	if (*warning)
		*warning = strcpy(text, *warning);
	ret = rt_reader_next(r, &rec, &err);
	rt_reader_close(r);
	return ret;
}

/* Who needs only the header does not wait for the events, unless the header was cut. */
static void headers(void)
{
	const char *warning = NULL;
	u64 ids = 0, events = 0;
	struct rt_reader *r;
	struct stat st;

	unlink(path);
	mapped = "/bin/x";
	ok(!record(true, false, true) && !stat(path, &st), "the header of a raw recording");
	rt_reader_expand_with(count_expansion);
	is_int(look_at_header(&ids, &events, &warning), 0, "is read, and no records");
	ok(events == EVENTS && ids == 1 && !warning, "with its events and build-ids");
	is_int(expansions, 0, "and is not expanded");
	is_int(rt_reader_open(path, NULL, &r, &err), -EIO, "who needs the records");
	is_int(expansions, 1, "expands it");
	ok(!truncate(path, st.st_size - 1), "one that was cut");
	is_int(look_at_header(&ids, &events, &warning), -EIO, "has no whole header");
	is_int(expansions, 2, "and is expanded");
	ok(!record_killed(), "one of a recorder that was killed");
	is_int(look_at_header(&ids, &events, &warning), 0, "is not");
	ok(expansions == 2 && warning && strstr(warning, "not closed cleanly"),
	   "and tells of it: %s", warning ? warning : "nothing");
	rt_reader_expand_with(NULL);
	mapped = NULL;
}

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* A slow disk. */
int fdatasync(int fd)
{
	(void)fd;
	return usleep(20000);
}

/* Everything is on the disk twice a second, also if that takes a while each time. */
static void rhythm(void)
{
	struct rt_raw_walk w;
	struct rt_raw_item item;
	struct rt_recording r;
	u64 until = now() + 2300000000ULL, rounds = 0;
	int fd, ret;

	unlink(path);
	checkpoint_ns = RT_WRITER_CHECKPOINT;
	slow = true;
	ret = begin(&r, true) || rt_writer_publish(r.writer, &err);
	checkpoint_ns = 1;
	slow = false;
	while (!ret && now() < until) {
		happen(1);
		rig_points = 0;
		ret = rt_pieces_sweep(&r, UINT64_MAX) < 0 || rt_pieces_settle(&r, false, &err);
	}
	/* What is written now is no longer counted. */
	fd = open(path, O_RDONLY);
	ret |= rt_raw_walk_open(&w, fd, 0, path, &err);
	memcpy(&w.at, w.map + offsetof(struct rt_file_header, data), sizeof(w.at));
	while (rt_raw_walk_next(&w, &item))
		rounds += item.hdr->type == RT_PERF_RECORD_FINISHED_ROUND;
	rt_raw_walk_close(&w);
	close(fd);
	ok(!ret && !end(&r, true), "2.3 seconds of a busy recorder and a slow disk");
	ok(rounds >= 3, "%llu rounds are in the file", (unsigned long long)rounds);
}

/* The whole raw recording as FD of a pipe; it must fit into one. */
static int as_pipe(const char *file)
{
	int ends[2], in = open(file, O_RDONLY);
	char bytes[4096];
	ssize_t got;

	if (pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		abort();
	while ((got = read(in, bytes, sizeof(bytes))) > 0)
		if (write(ends[1], bytes, got) != got)
			abort();
	close(in);
	close(ends[1]);
	return ends[0];
}

static int disk_error;

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (!disk_error)
		return syscall(SYS_pwrite64, fd, bytes, size, at);
	errno = disk_error;
	return -1;
}

/* The file into which commands expand cannot be written: another directory may help. */
static void places(void)
{
	static const int codes[] = { ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EIO };
	char warning[512];
	unsigned int i;
	int fd;

	unlink(path);
	ok(!record(true, false, true), "a raw recording that commands expand");
	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		disk_error = codes[i];
		fd = rt_raw_open(path, NULL, warning, sizeof(warning), &err);
		disk_error = 0;
		is_int(fd, -codes[i], "its file cannot be written: %s", strerror(codes[i]));
		ok(!!strstr(err.text, "TMPDIR") == (codes[i] != EIO), "%s", err.text);
	}
	unlink(path);
	ok(rt_raw_open(path, NULL, warning, sizeof(warning), &err) == -ENOENT &&
		   !strstr(err.text, "TMPDIR"),
	   "not if the raw recording is the cause: %s", err.text);
	close(open(path, O_CREAT | O_WRONLY, 0600));
}

/* Through a pipe: it says what that is, and what to do. */
static void pipes(void)
{
	struct rt_reader *r;
	struct seen seen;
	int fd, made, saved = dup(STDIN_FILENO);
	char name[64];

	unlink(path);
	ok(!record(true, false, true), "a raw recording through a pipe");
	fd = as_pipe(path);
	dup2(fd, STDIN_FILENO);
	close(fd);
	ok(rt_reader_open(NULL, NULL, &r, &err) && strstr(err.text, "carries a raw recording") &&
		   strstr(err.text, "ringtail data FILE -o -"),
	   "is refused by those who read perf.data: %s", err.text);
	dup2(saved, STDIN_FILENO);
	close(saved);
	fd = as_pipe(path);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ok(expand(name, &made, &seen) && strstr(err.text, "carries a raw recording") &&
		   strstr(err.text, "save it to a file first"),
	   "and by who expands it: %s", err.text);
	close(made);
	close(fd);
}

static int seeds(const char *directory)
{
	static const char *const names[] = { "plain", "storm", "killed", "ids" };
	int i, ret = 0;

	for (i = 0; !ret && i < 4; i++) {
		mapped = i == 3 ? "/bin/x" : NULL;
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		ret = record(true, i == 1, i != 2);
	}
	return ret != 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return seeds(argv[1]);
	close(mkstemp(path));
	same(false, "read in time");
	same(true, "a storm");
	late_losses();
	cpus();
	names();
	paused();
	ended();
	idle();
	headers();
	pipes();
	places();
	rhythm();
	unlink(path);
	return tap_done();
}
