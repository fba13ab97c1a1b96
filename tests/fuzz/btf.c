// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitrary bytes as BTF: an answer or a sentence.
 */
#include <stdlib.h>
#include <string.h>

#include "types/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ask everything about every type. */
static void ask(struct rt_types *t)
{
	struct rt_enumerator e;
	struct rt_member m;
	struct rt_type type;
	char text[256];
	rt_type_id id;
	uint32_t i;

	for (id = 0; id < 300; id++) {
		if (rt_types_get(t, id, &type))
			continue;
		rt_types_declare(t, id, "x", text, sizeof(text));
		rt_types_find_member(t, id, "name", &m, NULL);
		for (i = 0; i < type.count && i < 64; i++) {
			if (!rt_types_member(t, type.id, i, &m))
				rt_types_declare(t, m.type, m.name, text, sizeof(text));
			rt_types_enumerator(t, type.id, i, &e);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_types *t, *module;
	struct rt_err err = { "" };
	rt_type_id id;

	if (rt_btf_open_memory(&t, data, size, NULL, &err)) {
		if (!err.text[0])
			abort();
		return 0;
	}
	ask(t);
	rt_types_function(t, "f", &id);
	rt_types_variable(t, "cpu_var", &id);
	/* The same as the types of a module over themselves. */
	if (!rt_btf_open_memory(&module, data, size, t, &err)) {
		ask(module);
		rt_types_close(module);
	}
	rt_types_close(t);
	return 0;
}
