// SPDX-License-Identifier: GPL-2.0
/* Where BTF is: in sysfs, in files of it alone, in sections of ELF files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "symbols/elffile.h"
#include "types/btf.h"

enum { BTF_SIZE_MAX = 256 << 20 };

int rt_btf_open_running(struct rt_types **out, const struct rt_host *host, const char *module,
			struct rt_types *base, struct rt_err *err)
{
	char path[PATH_MAX], *data;
	size_t size;
	int ret;

	rt_host_path(host, path, "/sys/kernel/btf/%s", module ? module : "vmlinux");
	ret = rt_file_read(path, BTF_SIZE_MAX, &data, &size);
	if (ret)
		return rt_err_set(err, -ret, "%s: %s", path, strerror(-ret));
	ret = rt_btf_open_bytes(out, data, size, module ? base : NULL, err);
	return ret ? rt_err_prefix(err, -ret, "%s", path) : 0;
}

static int open_section(struct rt_types **out, struct rt_elf *elf, struct rt_types *base,
			struct rt_err *err)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = rt_elf_section(elf, ".BTF", &shdr, NULL);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data || !data->d_buf)
		return rt_err_set(err, ENOENT, "it has no section .BTF");
	return rt_btf_open_memory(out, data->d_buf, data->d_size, base, err);
}

int rt_btf_open_file(struct rt_types **out, const char *path, struct rt_types *base,
		     struct rt_err *err)
{
	struct rt_elf elf;
	size_t size;
	char *data;
	int ret = rt_elf_open(&elf, path);

	if (!ret) {
		ret = open_section(out, &elf, base, err);
		rt_elf_close(&elf);
		return ret ? rt_err_prefix(err, -ret, "%s", path) : 0;
	}
	if (ret != -ENOEXEC)
		return rt_err_set(err, -ret, "%s: %s", path, strerror(-ret));
	ret = rt_file_read(path, BTF_SIZE_MAX, &data, &size);
	if (ret)
		return rt_err_set(err, -ret, "%s: %s", path, strerror(-ret));
	ret = rt_btf_open_bytes(out, data, size, base, err);
	return ret ? rt_err_prefix(err, -ret, "%s", path) : 0;
}
