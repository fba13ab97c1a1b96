/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elffile.h - an ELF file opened for symbols, with helpers that libelf lacks.
 *
 * Files compressed as a whole (.ko.xz, .ko.zst, .ko.gz) open like any other.  Nothing here trusts
 * the file: a damaged one gives fewer answers.
 */
#ifndef RT_SYMBOLS_ELFFILE_H
#define RT_SYMBOLS_ELFFILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buildid.h"

struct rt_elf {
	Elf *elf;
	int fd;	     /* -1: in memory */
	void *image; /* unpacked bytes, freed on close */
	GElf_Ehdr ehdr;
	size_t shstrndx;
	Elf_Scn *symtab, *dynsym, *opd;
	size_t dynsym_index, opd_index;
};

/* -ENOENT, -EACCES... from open(); -ENOEXEC if it is not an ELF file. */
int rt_elf_open(struct rt_elf *e, const char *path);

/* `image` must stay until rt_elf_close(); libelf may write to it. */
int rt_elf_open_memory(struct rt_elf *e, char *image, size_t size);

/* Open the symbols in .gnu_debugdata (xz) of `of`; -ENOENT if there are none. */
int rt_elf_open_minidebug(struct rt_elf *e, const struct rt_elf *of);

void rt_elf_close(struct rt_elf *e);

const char *rt_elf_section_name(const struct rt_elf *e, const GElf_Shdr *shdr);
Elf_Scn *rt_elf_section(const struct rt_elf *e, const char *name, GElf_Shdr *shdr, size_t *index);

int rt_elf_buildid(const struct rt_elf *e, struct rt_buildid *id);

/* Read the build-id of an ELF file, also of a compressed module; -ENOENT if it has none. */
int rt_buildid_of_file(struct rt_buildid *id, const char *path);

/* The file name in .gnu_debuglink, or NULL; valid as long as `e`. */
const char *rt_elf_debuglink(const struct rt_elf *e);

/* File offset = vaddr - *delta for the PT_LOAD that holds vaddr; false if none does. */
bool rt_elf_vaddr_delta(const struct rt_elf *e, uint64_t vaddr, uint64_t *delta);

/* The same for one segment; false if it is not a PT_LOAD or does not hold vaddr. */
bool rt_elf_segment_delta(const GElf_Phdr *ph, uint64_t vaddr, uint64_t *delta);

#endif
