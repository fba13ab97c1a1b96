/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_id.h - which kernel this is and where it was loaded, for readers of a memory image.
 */
#ifndef RT_KERNEL_ID_H
#define RT_KERNEL_ID_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct rt_build_id {
	u32 bytes; /* 0: not known */
	u8 id[RT_BUILD_ID_MAX];
};

/* The build-id from the ELF notes in a file of sysfs; none if the file has none. */
void rt_build_id_read(struct rt_build_id *to, const char *path);

struct rt_kernel_id {
	struct rt_build_id build_id;
	u64 text; /* 0: not known */
	u64 kaslr_offset;
};

/* Call once, at load, after rt_lookup_init(). */
const struct rt_kernel_id *rt_kernel_id(void);
void rt_kernel_id_init(void);

#endif
