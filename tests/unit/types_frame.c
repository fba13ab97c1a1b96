// SPDX-License-Identifier: GPL-2.0
/*
 * The canonical frame address from .debug_frame: what libdw says, at every address of this file's functions, or of
 * each thousandth function of the file that is named (a kernel); damaged bytes are refused.
 */
#include <alloca.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "types/debuginfo_internal.h"

/* Programs have .eh_frame alone; kernels have this. */
__asm__(".cfi_sections .eh_frame, .debug_frame");

long types_frame_early(long n);
long types_frame_alloca(long n, char *out);

/* Two ways out: the compiler remembers the frame before the first. */
__attribute__((noinline)) long types_frame_early(long n)
{
	char room[256];

	if (n < 3)
		return n;
	memset(room, (int)n, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	return types_frame_early(n - 1) + room[n & 255] + types_frame_early(n - 2);
}

/* The stack pointer moves: the frame is relative to another register. */
__attribute__((noinline)) long types_frame_alloca(long n, char *out)
{
	char *room = alloca(n);

	memset(room, 1, n);
	__asm__ volatile("" : : "r"(room) : "memory");
	return room[n / 2] + types_frame_early(n) + *out;
}

struct counts {
	size_t functions, same, different, left; /* to libdw */
	Dwarf_Addr last;
};

static bool ask_libdw(Dwarf_CFI *cfi, Dwarf_Addr address, int *reg, int64_t *offset)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t count;
	bool found;

	if (dwarf_cfi_addrframe(cfi, address, &frame))
		return false;
	/* libdw always answers like this for register + offset. */
	found = !dwarf_frame_cfa(frame, &ops, &count) && count == 1 && ops[0].atom == DW_OP_bregx;
	if (found) {
		*reg = (int)ops[0].number;
		*offset = (int64_t)ops[0].number2;
	}
	free(frame);
	return found;
}

static void compare(Dwarf *dw, Dwarf_CFI *cfi, Dwarf_Addr address, struct counts *c)
{
	int reg = -1, their_reg = -1;
	int64_t offset = 0, their_offset = 0;

	if (!rt_debuginfo_frame(dw, address, &reg, &offset))
		c->left++;
	else if (ask_libdw(cfi, address, &their_reg, &their_offset) && reg == their_reg &&
		 offset == their_offset)
		c->same++;
	else
		c->different++;
	c->last = address;
}

/* At each STEPth address of each EACHth function that has an entry in the section. */
static void compare_all(Dwarf *dw, unsigned int step, unsigned int each, struct counts *c)
{
	Dwarf_CFI *cfi = dwarf_getcfi(dw);
	Dwarf_Off at = 0, next;
	Dwarf_CFI_Entry entry;
	Elf_Data data = { 0 };
	uint64_t from, size, i;
	GElf_Ehdr ehdr;

	data.d_buf = (void *)rt_debuginfo_section(dw, ".debug_frame", &data.d_size);
	data.d_type = ELF_T_BYTE;
	if (!data.d_buf || !cfi || !gelf_getehdr(dwarf_getelf(dw), &ehdr))
		return;
	for (; !dwarf_next_cfi(ehdr.e_ident, &data, false, at, &next, &entry); at = next) {
		if (dwarf_cfi_cie_p(&entry) || c->functions++ % each)
			continue;
		memcpy(&from, entry.fde.start, sizeof(from));
		memcpy(&size, entry.fde.start + 8, sizeof(size));
		for (i = 0; i < size; i += step)
			compare(dw, cfi, from + i, c);
	}
}

/* Change each byte of the section; the frame at an address is another one then, or none.  Returns how often. */
static size_t damage(const char *path, Dwarf_Addr address)
{
	int fd = open(path, O_RDONLY), reg, good_reg = -1;
	off_t size = lseek(fd, 0, SEEK_END);
	char *image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	Elf *elf = elf_memory(image, size);
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	size_t bytes = 0, i, changed = 0;
	uint8_t *section = (uint8_t *)rt_debuginfo_section(dw, ".debug_frame", &bytes);
	int64_t offset, good_offset = 0;

	rt_debuginfo_frame(dw, address, &good_reg, &good_offset);
	for (i = 0; i < bytes; i++) {
		section[i] ^= 0xff;
		changed += !rt_debuginfo_frame(dw, address, &reg, &offset) || reg != good_reg ||
			   offset != good_offset;
		section[i] ^= 0xff;
	}
	dwarf_end(dw);
	elf_end(elf);
	munmap(image, size);
	close(fd);
	return changed;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "/proc/self/exe";
	int fd = open(path, O_RDONLY), reg;
	struct counts c = { 0 };
	int64_t offset;
	Dwarf *dw;
	char out = 0;

	elf_version(EV_CURRENT);
	dw = dwarf_begin(fd, DWARF_C_READ);
	ok(dw && rt_debuginfo_is_plain(dw), "the file has debug information");
	compare_all(dw, argc > 1 ? 4 : 1, argc > 1 ? 1000 : 1, &c);
	printf("# %zu functions: %zu addresses as libdw, %zu not, %zu left to it\n", c.functions,
	       c.same, c.different, c.left);
	ok(c.functions >= 3 && c.same > 100, "functions have frames");
	is_int(c.different, 0, "each frame is that of libdw");
	is_int(c.left, 0, "none is left to libdw");
	ok(!rt_debuginfo_frame(dw, 1, &reg, &offset), "an address outside functions has none");
	if (argc == 1) {
		ok(types_frame_alloca(8, &out) > 0, "the functions run");
		ok(damage(path, c.last) > 8, "changed bytes change the frame or are refused");
	}
	dwarf_end(dw);
	close(fd);
	return tap_done();
}
