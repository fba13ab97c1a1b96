// SPDX-License-Identifier: GPL-2.0
/*
 * dump_unpack FILE - unpack every page of a plain compressed kdump, and do nothing else; prints the processor time in
 * milliseconds.  What flight extract is measured against.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

struct desc {
	uint64_t at;
	uint32_t bytes, flags;
	uint64_t page_flags;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000ULL + t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	static uint8_t page[65536];
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	uint64_t begin, unpacked = 0, bytes = 0;
	const struct desc *d;
	const uint32_t *head;
	struct stat st;
	uint8_t *file;
	int fd;

	fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || fstat(fd, &st))
		return 1;
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (file == MAP_FAILED || memcmp(file, "KDUMP   ", 8))
		return 1;
	/* status, bytes of a page, pages of the sub-header, pages of the bitmaps */
	head = (const uint32_t *)(file + 424);
	d = (const void *)(file + (1ULL + head[2] + head[3]) * head[1]);
	begin = now();
	/* The descriptors end where the first page begins. */
	for (; (const uint8_t *)d <
	       file + ((const struct desc *)(file + (1ULL + head[2] + head[3]) * head[1]))->at;
	     d++) {
		uLongf size = sizeof(page);

		bytes += d->bytes;
		if (d->flags == 1)
			unpacked += uncompress(page, &size, file + d->at, d->bytes) == Z_OK;
		else if (d->flags == 32)
			unpacked += !ZSTD_isError(ZSTD_decompressDCtx(zstd, page, sizeof(page),
								      file + d->at, d->bytes));
		else
			memcpy(page, file + d->at, d->bytes);
	}
	printf("%.3f\n", (now() - begin) / 1000.0);
	fprintf(stderr, "%llu pages unpacked\n", (unsigned long long)unpacked);
	return !unpacked;
}
