// SPDX-License-Identifier: GPL-2.0
/* Types from BTF: functions, parameters, members, and what is damaged. */
#include <errno.h>

#include "btf_build.h"
#include "tap.h"
#include "types/btf.h"

static struct rt_err err;
static char text[256];

static const char *declared(struct rt_types *t, rt_type_id id, const char *name)
{
	return rt_types_declare(t, id, name, text, sizeof(text));
}

static void test_kernel(struct rt_types *k)
{
	struct rt_nearest near;
	struct rt_enumerator e;
	struct rt_member m;
	struct rt_type type;
	rt_type_id f = 0;
	uint32_t index = 0;
	char suggested[128];

	ok(!rt_types_function(k, "f", &f) && !rt_types_get(k, f, &type) &&
		   type.kind == RT_TYPE_FUNCTION && type.count == 7 && type.target == T_LONG,
	   "a function, its parameters and what it returns");
	is_int(rt_types_function(k, "ff", &f), -ENOENT, "no such function");
	is_int(rt_types_function(k, "twice", &f), -ENOTUNIQ, "two functions of one name differ");
	is_int(rt_types_function(k, "outer", &f), -ENOENT, "a struct is not a function");
	rt_types_function(k, "f", &f);
	ok(!rt_types_find_parameter(k, f, "text", &index, &m, NULL) && index == 2,
	   "a parameter by name");
	is_str(declared(k, m.type, m.name), "char *text", "and its declaration");
	rt_nearest_begin(&near, "txt");
	is_int(rt_types_find_parameter(k, f, "txt", &index, &m, &near), -ENOENT,
	       "no such parameter");
	is_str(rt_nearest_text(&near, suggested, sizeof(suggested)), "; did you mean 'text'?",
	       "did you mean");
	is_str(declared(k, T_FOUR, "in"), "struct inner in[4]", "an array of structs");
	is_str(declared(k, T_OUTER_P, "o"), "struct outer *o", "a pointer");

	ok(!rt_types_find_member(k, T_OUTER, "b", &m, NULL) && m.bit == 64 && m.type == T_U16,
	   "a member of an anonymous union");
	ok(!rt_types_find_member(k, T_INNER, "high", &m, NULL) && m.bit == 131 && m.bits == 5,
	   "a bitfield");
	ok(!rt_types_find_member(k, T_OUTER, "c", &m, NULL) && m.bit == 768 && !m.bits,
	   "a member after an array");
	is_int(rt_types_find_member(k, T_OUTER, "d", &m, NULL), -ENOENT, "no such member");
	is_int(rt_types_find_member(k, T_INT, "d", &m, NULL), -ENOENT, "a number has no members");
	ok(!rt_types_get(k, T_COLOR, &type) && type.kind == RT_TYPE_ENUM && type.is_signed &&
		   type.count == 3 && !rt_types_enumerator(k, T_COLOR, 1, &e) &&
		   !strcmp(e.name, "GREEN") && e.value == 5,
	   "an enum");
	ok(!rt_types_get(k, T_BOOL, &type) && type.is_bool && type.size == 1, "a bool");
	ok(!rt_types_get(k, T_CONST_CHAR, &type) && type.is_char && type.id == T_CHAR,
	   "qualifiers are followed");
	ok(!rt_types_variable(k, "cpu_var", &f) && f == T_OUTER, "a variable");
	ok(!rt_types_get(k, 0, &type) && type.kind == RT_TYPE_VOID, "void");
	is_int(rt_types_get(k, 9999, &type), -EINVAL, "a number that is no type");
	is_int(rt_types_member(k, T_INNER, 4, &m), -EINVAL, "a member too many");
	is_int(rt_types_enumerator(k, T_INNER, 0, &e), -EINVAL, "a struct has no enumerators");
}

static void test_module(struct rt_types *k, uint32_t types, uint32_t strings)
{
	struct rt_types *m;
	struct rt_member member;
	rt_type_id g = 0;
	uint32_t index;
	size_t size;
	char *data = btf_module(&size, types, strings);

	ok(!rt_btf_open_memory(&m, data, size, k, &err), "the types of a module");
	ok(!rt_types_function(m, "g", &g) &&
		   !rt_types_find_parameter(m, g, "o", &index, &member, NULL) && index == 1 &&
		   member.type == T_OUTER_P,
	   "its function has a parameter of the kernel's type");
	is_str(declared(m, member.type, member.name), "struct outer *o", "with the kernel's name");
	rt_types_find_parameter(m, g, "m", &index, &member, NULL);
	is_str(declared(m, member.type, member.name), "struct mine *m", "and one of its own");
	is_int(rt_types_function(m, "nothing", &g), 0, "the kernel's functions are there, too");
	rt_types_close(m);
	free(data);
}

/* Open every prefix, and the whole with each byte changed: an answer or a sentence. */
static void test_damage(const char *data, size_t size)
{
	char *copy = malloc(size);
	struct rt_types *t;
	size_t i, opened = 0;
	bool explained = true;

	for (i = 0; i < size; i++) {
		memcpy(copy, data, i);
		err.text[0] = 0;
		if (!rt_btf_open_memory(&t, copy, i, NULL, &err)) {
			opened++;
			rt_types_close(t);
		} else if (!err.text[0]) {
			explained = false;
		}
	}
	is_int(opened, 0, "no prefix of it opens");
	for (i = 0; i < size; i++) {
		memcpy(copy, data, size);
		copy[i] ^= 0x55;
		err.text[0] = 0;
		if (!rt_btf_open_memory(&t, copy, size, NULL, &err))
			rt_types_close(t);
		else if (!err.text[0])
			explained = false;
	}
	ok(explained, "each refusal has a sentence");
	memcpy(copy, data, size);
	copy[0] = (char)0xeb;
	copy[1] = (char)0x9f;
	ok(rt_btf_open_memory(&t, copy, size, NULL, &err) && strstr(err.text, "other byte order"),
	   "of a machine with the other byte order");
	free(copy);
}

int main(void)
{
	uint32_t types, strings;
	struct rt_types *k;
	size_t size;
	char *data = btf_kernel(&size, &types, &strings);

	if (!ok(!rt_btf_open_memory(&k, data, size, NULL, &err), "BTF opens"))
		printf("# %s\n", err.text);
	else
		test_kernel(k), test_module(k, types, strings), rt_types_close(k);
	test_damage(data, size);
	ok(rt_btf_open_file(&k, "/nonexistent", NULL, &err) == -ENOENT, "a file that is not there");
	ok(rt_btf_open_file(&k, "/proc/self/exe", NULL, &err) == -ENOENT &&
		   strstr(err.text, "no section .BTF"),
	   "an ELF file without BTF");
	free(data);
	return tap_done();
}
