// SPDX-License-Identifier: GPL-2.0
/* The file that is scanned. */
#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "types/debug_index_internal.h"

enum { OTHER_ORDER = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB };

/* The range of the code; a file of debug information alone has these sections without contents. */
static bool find_code(struct rt_debug_file *f)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	f->base = UINT64_MAX;
	while ((scn = elf_nextscn(f->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR && shdr.sh_size) {
			if (shdr.sh_addr < f->base)
				f->base = shdr.sh_addr;
			if (shdr.sh_addr + shdr.sh_size > f->end)
				f->end = shdr.sh_addr + shdr.sh_size;
		}
	return f->base < f->end && f->end - f->base < RT_DEBUG_INDEX_INLINED;
}

bool rt_debug_file_open(struct rt_debug_file *f, const char *path)
{
	GElf_Ehdr ehdr;
	struct stat st;

	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st) || st.st_size <= 0)
		return false;
	f->size = st.st_size;
	f->image = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, f->fd, 0);
	if (f->image == MAP_FAILED) {
		f->image = NULL;
		return false;
	}
	elf_version(EV_CURRENT);
	f->elf = elf_memory(f->image, f->size);
	/* An unlinked file would have to be relocated. */
	return f->elf && gelf_getehdr(f->elf, &ehdr) && ehdr.e_type != ET_REL &&
	       ehdr.e_ident[EI_DATA] != OTHER_ORDER && find_code(f);
}

void rt_debug_file_close(struct rt_debug_file *f)
{
	elf_end(f->elf);
	if (f->image)
		munmap(f->image, f->size);
	if (f->fd >= 0)
		close(f->fd);
}

/* Nobody writes to these pages: they can be read again. */
void rt_debug_file_give_back(const struct rt_debug_file *f)
{
	madvise(f->image, f->size, MADV_DONTNEED);
}
