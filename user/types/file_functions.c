// SPDX-License-Identifier: GPL-2.0
#include "types/file_functions.h"

#include <elfutils/libdwfl.h>
#include <errno.h>

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

int rt_file_functions(const char *path, int (*each)(void *arg, const char *name), void *arg,
		      struct rt_err *err)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = NULL;
	const char *name;
	GElf_Addr value;
	GElf_Sym sym;
	int i, count, ret = 0;

	if (dwfl) {
		dwfl_report_begin(dwfl);
		module = dwfl_report_offline(dwfl, "", path, -1);
		dwfl_report_end(dwfl, NULL, NULL);
	}
	count = module ? dwfl_module_getsymtab(module) : -1;
	if (count < 0)
		ret = rt_err_set(err, ENOENT, "%s: no symbols (%s)", path, dwfl_errmsg(-1));
	for (i = 1; !ret && i < count; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &value, NULL, NULL, NULL);
		if (name && *name && sym.st_shndx != SHN_UNDEF &&
		    (GELF_ST_TYPE(sym.st_info) == STT_FUNC ||
		     GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC))
			ret = each(arg, name);
	}
	dwfl_end(dwfl);
	return ret;
}
