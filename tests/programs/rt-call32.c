// SPDX-License-Identifier: GPL-2.0
/*
 * rt-call32 - executes a 32-bit program, generated here byte by byte, that makes system call 20
 * (getpid, in the numbering of 32-bit tasks) ten times and exits.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 10, BASE = 0x400000 };

#ifdef __aarch64__
#define MACHINE EM_ARM
static const uint32_t one_call[] = { 0xe3a07014 /* mov r7, #20 */, 0xef000000 /* svc 0 */ };
static const uint32_t the_end[] = { 0xe3a00000 /* mov r0, #0 */, 0xe3a07001 /* mov r7, #1 */,
				    0xef000000 };
#else
#define MACHINE EM_386
static const uint8_t one_call[] = { 0xb8, 20, 0, 0, 0 /* mov eax, 20 */, 0xcd, 0x80 };
static const uint8_t the_end[] = { 0x31, 0xdb /* xor ebx, ebx */, 0xb8, 1, 0, 0, 0, 0xcd, 0x80 };
#endif

static struct {
	Elf32_Ehdr head;
	Elf32_Phdr load;
	uint8_t code[256];
} image;

int main(int argc, char **argv)
{
	const uint32_t start = BASE + (uint32_t)sizeof(image.head) + sizeof(image.load);
	char *empty[] = { NULL };
	char path[] = "/tmp/rt-call32.XXXXXX";
	uint8_t *at = image.code;
	int i, fd, status;
	pid_t child;

	(void)argc;
	memcpy(image.head.e_ident, ELFMAG, SELFMAG);
	image.head.e_ident[EI_CLASS] = ELFCLASS32;
	image.head.e_ident[EI_DATA] = ELFDATA2LSB;
	image.head.e_ident[EI_VERSION] = EV_CURRENT;
	image.head.e_type = ET_EXEC;
	image.head.e_machine = MACHINE;
	image.head.e_version = EV_CURRENT;
	image.head.e_entry = start;
	image.head.e_phoff = sizeof(image.head);
	image.head.e_flags = MACHINE == EM_ARM ? 0x05000000 : 0; /* EABI 5 */
	image.head.e_ehsize = sizeof(image.head);
	image.head.e_phentsize = sizeof(image.load);
	image.head.e_phnum = 1;
	image.load.p_type = PT_LOAD;
	image.load.p_vaddr = image.load.p_paddr = BASE;
	image.load.p_filesz = image.load.p_memsz = sizeof(image);
	image.load.p_flags = PF_R | PF_X;
	image.load.p_align = 0x10000;
	for (i = 0; i < CALLS; i++, at += sizeof(one_call))
		memcpy(at, one_call, sizeof(one_call));
	memcpy(at, the_end, sizeof(the_end));

	/* memfd_create() came with 3.17. */
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0 || write(fd, &image, sizeof(image)) != sizeof(image) || fchmod(fd, 0700) ||
	    close(fd))
		err(2, "%s", path);
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (child) {
		if (waitpid(child, &status, 0) != child || unlink(path))
			err(2, "%s", path);
		return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
	}
	execve(path, argv, empty);
	err(3, "this kernel runs no 32-bit programs");
}
