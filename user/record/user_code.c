// SPDX-License-Identifier: GPL-2.0
#include "record/user_code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/x86_length.h"
#include "symbols/elffile.h"

#if defined(__x86_64__)
#define MACHINE	   EM_X86_64
#define MACHINE_32 EM_386
#else
#define MACHINE	   EM_AARCH64
#define MACHINE_32 EM_ARM
#endif

/* Functions longer than this are not decoded to find out where instructions begin. */
#define DECODED_MAX (1U << 20)

static int add_segment(struct rt_user_code *code, const GElf_Phdr *ph)
{
	struct rt_user_segment *bigger;

	if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) || !ph->p_filesz)
		return 0;
	bigger = realloc(code->segments, (code->segment_count + 1) * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	code->segments = bigger;
	bigger[code->segment_count].start = ph->p_offset;
	bigger[code->segment_count++].end = ph->p_offset + ph->p_filesz;
	return 0;
}

static int read_elf(struct rt_user_code *code, const struct rt_elf *e)
{
	GElf_Shdr header;
	GElf_Phdr ph;
	size_t i, n;

	code->machine = e->ehdr.e_machine;
	code->dynamic = e->dynsym != NULL;
	code->go = rt_elf_section(e, ".go.buildinfo", &header, NULL) ||
		   rt_elf_section(e, ".note.go.buildid", &header, NULL);
	rt_elf_buildid(e, &code->buildid);
	if (elf_getphdrnum(e->elf, &n))
		return 0;
	for (i = 0; i < n && gelf_getphdr(e->elf, i, &ph); i++)
		if (add_segment(code, &ph))
			return -ENOMEM;
	return 0;
}

int rt_user_code_open(struct rt_user_code *code, const char *path, struct rt_err *err)
{
	char same[32];
	struct rt_elf e;
	struct stat st;
	int ret;

	memset(code, 0, sizeof(*code));
	/* O_NONBLOCK: opening a FIFO must not wait for its writer. */
	code->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (code->fd < 0)
		return rt_err_set(err, errno, "cannot open %s: %s", path, strerror(errno));
	if (fstat(code->fd, &st) || !S_ISREG(st.st_mode)) {
		ret = rt_err_set(err, EINVAL, "%s is not a regular file", path);
		goto err_close;
	}
	snprintf(same, sizeof(same), "/proc/self/fd/%d", code->fd);
	ret = rt_elf_open(&e, same);
	if (ret) {
		rt_err_set(err, -ret,
			   "%s is not a program or library (ELF); a script is run by "
			   "its interpreter: probe that",
			   path);
		goto err_close;
	}
	ret = read_elf(code, &e);
	rt_elf_close(&e);
	if (ret) {
		rt_err_set(err, ENOMEM, "out of memory");
		goto err_close;
	}
	if (code->machine != MACHINE && code->machine != MACHINE_32)
		ret = rt_err_set(err, EINVAL, "%s is for another kind of processor", path);
	else if (!code->segment_count)
		ret = rt_err_set(
			err, EINVAL,
			"%s has no code that is ever run: is it a debug file or an object?", path);
	if (!ret)
		return 0;
err_close:
	rt_user_code_close(code);
	return ret;
}

void rt_user_code_close(struct rt_user_code *code)
{
	if (code->fd >= 0)
		close(code->fd);
	code->fd = -1;
	free(code->segments);
	code->segments = NULL;
}

static bool is_code(const struct rt_user_code *code, uint64_t at)
{
	unsigned int i;

	for (i = 0; i < code->segment_count; i++)
		if (at >= code->segments[i].start && at < code->segments[i].end)
			return true;
	return false;
}

/* Decode from START; true if an instruction begins at AT, or if that cannot be found out. */
static bool begins_at(const struct rt_user_code *code, uint64_t start, uint64_t at)
{
	size_t size = at - start, pos = 0, length;
	uint8_t *bytes;
	bool begins;

	if (size > DECODED_MAX)
		return true;
	bytes = malloc(size + RT_X86_LENGTH_MAX);
	if (!bytes || pread(code->fd, bytes, size, start) != (ssize_t)size) {
		free(bytes);
		return true;
	}
	memset(bytes + size, 0x90, RT_X86_LENGTH_MAX);
	while (pos < size) {
		length = rt_x86_length(bytes + pos, size - pos + RT_X86_LENGTH_MAX,
				       code->machine == EM_X86_64);
		if (!length)
			break;
		pos += length;
	}
	begins = pos <= size;
	free(bytes);
	return begins;
}

int rt_user_code_check(const struct rt_user_code *code, uint64_t start, uint64_t at,
		       struct rt_err *err)
{
	bool x86 = code->machine == EM_X86_64 || code->machine == EM_386;

	if (!is_code(code, at))
		return rt_err_set(err, EINVAL,
				  "there is no code at offset 0x%llx of the file; offsets count in "
				  "the file, not in memory ('readelf -lW' shows both)",
				  (unsigned long long)at);
	if (code->machine == EM_AARCH64 ? at % 4 != 0 : x86 && !begins_at(code, start, at))
		return rt_err_set(err, EILSEQ,
				  "offset 0x%llx is in the middle of an instruction, where a probe "
				  "would change what the program does; 'objdump -d' shows where "
				  "they begin",
				  (unsigned long long)at);
	return 0;
}
