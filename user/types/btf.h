/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf.h - types from BTF, the description that kernels carry of themselves.
 *
 * The reader is ringtail's own: the program needs an array of offsets, one table of names and the
 * decoding of a dozen records, all bounds-checked, and gains no dependency on a version of libbpf.
 */
#ifndef RT_TYPES_BTF_H
#define RT_TYPES_BTF_H

#include "base/error.h"
#include "host/host.h"
#include "types/types.h"

/*
 * Read BTF from memory, which is copied.  BASE: the kernel's own BTF if DATA is that of a module,
 * otherwise NULL; it must stay open as long as the result.  Returns 0, or -EINVAL with the sentence
 * in ERR.
 */
int rt_btf_open_memory(struct rt_types **out, const void *data, size_t size, struct rt_types *base,
		       struct rt_err *err);
/* The same with bytes from malloc(), which are taken over and freed also after an error. */
int rt_btf_open_bytes(struct rt_types **out, char *data, size_t size, struct rt_types *base,
		      struct rt_err *err);

/*
 * Read the BTF of the running kernel or, if MODULE is not NULL, of a loaded module.  -ENOENT: it has
 * none.
 */
int rt_btf_open_running(struct rt_types **out, const struct rt_host *host, const char *module,
			struct rt_types *base, struct rt_err *err);

/*
 * Read a file: raw BTF, or an ELF file (vmlinux, a .ko, also compressed) with a section .BTF.
 */
int rt_btf_open_file(struct rt_types **out, const char *path, struct rt_types *base,
		     struct rt_err *err);

#endif
