/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before 5.6 the files of /proc took a struct file_operations.
 *
 * Included by the test modules that have such files, not by compat.h.
 */
#ifndef RT_COMPAT_PROC_FS_H
#define RT_COMPAT_PROC_FS_H

#include <linux/fs.h>
#include <linux/proc_fs.h>

#ifndef RT_HAVE_PROC_OPS
#define proc_ops     file_operations
#define proc_lseek   llseek
#define proc_open    open
#define proc_read    read
#define proc_release release
#define proc_write   write
#endif

#endif
