// SPDX-License-Identifier: GPL-2.0
#include "host/ksyms.h"

#include <ctype.h>
#include <string.h>

unsigned int rt_ksyms_clone(const char *name, const char *of)
{
	static const struct {
		const char *suffix;
		unsigned int what;
	} suffixes[] = {
		{ ".isra", RT_KSYMS_CLONES }, { ".constprop", RT_KSYMS_CLONES },
		{ ".llvm", RT_KSYMS_CLONES }, { ".lto_priv", RT_KSYMS_CLONES },
		{ ".part", RT_KSYMS_PARTS },  { ".cold", RT_KSYMS_PARTS },
	};
	unsigned int what = 0;
	size_t size = strlen(of), i;

	if (strncmp(name, of, size) || name[size] != '.')
		return 0;
	for (name += size; *name;) {
		for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
			size = strlen(suffixes[i].suffix);
			if (!strncmp(name, suffixes[i].suffix, size) &&
			    (!name[size] || name[size] == '.'))
				break;
		}
		if (i == sizeof(suffixes) / sizeof(suffixes[0]))
			return 0;
		what |= suffixes[i].what;
		name += size;
		/* .isra has a number, as in .isra.0; newer compilers write .cold without one */
		if (name[0] == '.' && isdigit((unsigned char)name[1]))
			for (name++; isdigit((unsigned char)*name); name++)
				;
	}
	/* A part of a clone counts as a part. */
	return what & RT_KSYMS_PARTS ? RT_KSYMS_PARTS : what;
}
