// SPDX-License-Identifier: GPL-2.0
#include <linux/cred.h>
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/page.h>

#include "kernel_id.h"
#include "lookup.h"

/* More bytes of notes than any kernel has. */
#define NOTES_MAX 8192

#define NOTE_BUILD_ID 3
#define NOTE_OWNER    "GNU"

/* The address where the text was linked; the difference to its real address is the KASLR offset. */
#ifdef CONFIG_X86
#define TEXT_LINKED	__START_KERNEL
#define TEXT_OF(_stext) (_stext)
#else
/* The image begins with a head of at most 64 KB, is aligned to 64 KB, and is not in kallsyms. */
#define TEXT_LINKED	KIMAGE_VADDR
#define TEXT_OF(_stext) ALIGN_DOWN((_stext)-1, SZ_64K)
#endif

static struct rt_kernel_id kernel;

static void find_build_id(struct rt_build_id *to, const u8 *notes, u32 length)
{
	u32 at = 0, name, desc;
	struct elf64_note note;

	while (length - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		if (note.n_namesz > length - at || note.n_descsz > length - at)
			return;
		name = at;
		desc = name + ALIGN(note.n_namesz, 4);
		at = desc + ALIGN(note.n_descsz, 4);
		if (desc > length || note.n_descsz > length - desc)
			return;
		if (note.n_type == NOTE_BUILD_ID && note.n_namesz == sizeof(NOTE_OWNER) &&
		    !memcmp(notes + name, NOTE_OWNER, sizeof(NOTE_OWNER)) &&
		    note.n_descsz <= RT_BUILD_ID_MAX) {
			to->bytes = note.n_descsz;
			memcpy(to->id, notes + desc, note.n_descsz);
			return;
		}
		if (at > length)
			return;
	}
}

/*
 * Open a file of sysfs.  Where the caller's mount namespace has something else in its place, such as a FIFO
 * or a file whose server does not answer, opening that could wait for ever.
 */
static struct file *open_in_sysfs(const char *name)
{
	struct file *file = ERR_PTR(-ENOENT);
	struct path path;

	if (kern_path(name, LOOKUP_FOLLOW, &path))
		return file;
	if (path.dentry->d_sb->s_magic == SYSFS_MAGIC)
		file = dentry_open(&path, O_RDONLY, current_cred());
	path_put(&path);
	return file;
}

void rt_build_id_read(struct rt_build_id *to, const char *path)
{
	struct file *file;
	ssize_t length;
	loff_t at = 0;
	u8 *notes;

	memset(to, 0, sizeof(*to));
	notes = kmalloc(NOTES_MAX, GFP_KERNEL);
	if (!notes)
		return;
	file = open_in_sysfs(path);
	if (!IS_ERR(file)) {
		length = kernel_read(file, notes, NOTES_MAX, &at);
		if (length > 0)
			find_build_id(to, notes, length);
		filp_close(file, NULL);
	}
	kfree(notes);
}

const struct rt_kernel_id *rt_kernel_id(void)
{
	return &kernel;
}

void __init rt_kernel_id_init(void)
{
	unsigned long stext = rt_lookup_address(RT_LOOKUP_TEXT);

	rt_build_id_read(&kernel.build_id, "/sys/kernel/notes");
	if (!stext)
		return;
	kernel.text = TEXT_OF(stext);
	kernel.kaslr_offset = kernel.text - TEXT_LINKED;
}
