// SPDX-License-Identifier: GPL-2.0
#include "host/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool read_at(int fd, void *out, size_t size, uint64_t offset)
{
	return pread(fd, out, size, offset) == (ssize_t)size;
}

/* Find the segment that contains the bytes. */
static int find_offset(int fd, uint64_t address, size_t size, uint64_t *offset)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned int i;

	if (!read_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_phentsize != sizeof(segment))
		return -ENOEXEC;
	for (i = 0; i < header.e_phnum; i++) {
		if (!read_at(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)))
			return -EIO;
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr > segment.p_memsz ||
		    segment.p_memsz - (address - segment.p_vaddr) < size)
			continue;
		*offset = segment.p_offset + (address - segment.p_vaddr);
		return 0;
	}
	return -ENOENT;
}

int rt_kcore_read(const struct rt_host *host, uint64_t address, void *out, size_t size)
{
	char path[PATH_MAX];
	uint64_t offset;
	int fd = open(rt_host_path(host, path, "/proc/kcore"), O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = find_offset(fd, address, size, &offset);
	if (!ret && !read_at(fd, out, size, offset))
		ret = -EIO;
	close(fd);
	return ret;
}
