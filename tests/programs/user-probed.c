// SPDX-License-Identifier: GPL-2.0
/*
 * user-probed - functions for user probes, called as often as the test says.
 *
 *	user-probed calls N [CHILDREN]	N calls, in each of CHILDREN children, too
 *	user-probed deep N		N calls inside each other
 *	user-probed bad			a call with a pointer to nothing
 *	user-probed exec N		N calls, then the same with N - 1 in a new program
 *	user-probed maps FILE N		maps and unmaps FILE as code N times, in four threads
 *	user-probed where		prints the offset of the function in the program's file
 *	user-probed serve		calls as many as each line of its input says; "bytes": prints
 *					the code of the function
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBED __attribute__((noinline, noclone, used))

enum { THREADS = 4 };

static const char *maps_path;
static long maps_rounds;

long probed_number(long n, const char *text);
long probed_deep(long n);

PROBED long probed_number(long n, const char *text)
{
	__asm__ volatile("" : : "r"(text) : "memory");
	return -n;
}

PROBED long probed_deep(long n)
{
	long inner = n ? probed_deep(n - 1) : -1;

	/* Keep the compiler from making a loop of it. */
	__asm__ volatile("" : "+r"(inner));
	return inner + 1;
}

static void calls(long n)
{
	char text[32];
	long i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "text-%ld", i);
		if (probed_number(i, text) != -i)
			errx(1, "call %ld returns something else", i);
	}
}

static void children(long n, long count)
{
	long i;
	int status;

	for (i = 0; i < count; i++)
		if (!fork()) {
			calls(n);
			_exit(0);
		}
	calls(n);
	while (wait(&status) > 0)
		if (status)
			errx(1, "a child ends with 0x%x", status);
}

static void *map_and_unmap(void *unused)
{
	int fd = open(maps_path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;
	long i;

	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", maps_path);
	for (i = 0; i < maps_rounds; i++) {
		at = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED)
			err(1, "mmap");
		munmap(at, st.st_size);
		calls(1);
	}
	close(fd);
	return unused;
}

static void maps(void)
{
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, map_and_unmap, NULL))
			err(1, "thread");
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void bytes(void)
{
	const volatile uint8_t *code = (const volatile uint8_t *)(uintptr_t)probed_number;

	printf("%02x%02x%02x%02x\n", code[0], code[1], code[2], code[3]);
}

/* The mapping of the program that holds the function tells where the function is in the file. */
static void where(void)
{
	unsigned long start, end, offset, at = (unsigned long)(uintptr_t)probed_number;
	FILE *maps_file = fopen("/proc/self/maps", "r");
	char line[512];

	while (maps_file && fgets(line, sizeof(line), maps_file))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && at >= start &&
		    at < end)
			printf("0x%lx\n", at - start + offset);
	if (maps_file)
		fclose(maps_file);
}

static void serve(void)
{
	char line[64];
	long total = 0;

	while (fgets(line, sizeof(line), stdin)) {
		if (!strncmp(line, "bytes", 5)) {
			bytes();
		} else {
			calls(atol(line));
			total += atol(line);
			printf("%ld\n", total);
		}
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;
	char fewer[32];

	if (!strcmp(what, "calls")) {
		children(n, argc > 3 ? atol(argv[3]) : 0);
	} else if (!strcmp(what, "deep")) {
		printf("%ld\n", probed_deep(n - 1));
	} else if (!strcmp(what, "bad")) {
		probed_number(1, (const char *)8);
	} else if (!strcmp(what, "exec")) {
		calls(n);
		snprintf(fewer, sizeof(fewer), "%ld", n - 1);
		if (n > 0 && execl("/proc/self/exe", argv[0], what, fewer, NULL))
			err(1, "exec");
	} else if (!strcmp(what, "maps") && argc > 3) {
		maps_path = argv[2];
		maps_rounds = atol(argv[3]);
		maps();
	} else if (!strcmp(what, "where")) {
		where();
	} else if (!strcmp(what, "libc")) {
		/* Functions of the C library that it does not call itself. */
		while (n-- > 0)
			if (getsid(0) < 0)
				err(1, "getsid");
	} else if (!strcmp(what, "serve")) {
		serve();
	} else {
		errx(2, "usage: user-probed calls|deep|bad|exec|maps|where|libc|serve …");
	}
	return 0;
}
