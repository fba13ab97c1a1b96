// SPDX-License-Identifier: GPL-2.0
/*
 * draw_flame - the tree of a flame graph, its text and its SVG, from folded text.
 *
 * With arguments (draw_flame FOLDED OUT.svg [BEFORE]) it draws a folded file, to look at.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "draw/escape.h"
#include "draw/folded.h"
#include "draw/svg.h"
#include "tap.h"

/* The suffixes of stackcollapse tell the kinds. */
static uint32_t frame_of(struct rt_flame *f, char *name)
{
	enum rt_flame_kind kind = RT_FLAME_USER;
	size_t n = strlen(name);

	if (n > 4 && name[n - 4] == '_' && name[n - 3] == '[') {
		kind = name[n - 2] == 'k' ? RT_FLAME_KERNEL :
		       name[n - 2] == 'i' ? RT_FLAME_INLINED :
		       name[n - 2] == 'g' ? RT_FLAME_GROUP :
					    RT_FLAME_JIT;
		name[n - 4] = '\0';
	} else if (name[0] == '[') {
		kind = RT_FLAME_UNKNOWN;
	}
	return rt_flame_frame(f, name, kind == RT_FLAME_KERNEL ? "[kernel.kallsyms]" : "prog",
			      kind);
}

static void add_folded(struct rt_flame *f, const char *text, int side)
{
	char *copy = strdup(text), *line, *rest, *part, *parts, *count;
	uint32_t node;

	for (line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		count = strrchr(line, ' ');
		*count++ = '\0';
		node = RT_FLAME_ROOT;
		for (part = strtok_r(line, ";", &parts); part; part = strtok_r(NULL, ";", &parts))
			node = rt_flame_child(f, node, frame_of(f, part));
		rt_flame_weigh(f, node, side, strtoull(count, NULL, 10));
	}
	free(copy);
}

static void finish_text(struct rt_text *t)
{
	rt_text_char(t, '\0');
	t->len--;
}

static const struct rt_flame_picture plain = {
	.title = "test",
	.subtitle = "",
	.unit_name = "samples",
	.width = 1200,
	.min_width = 0.1,
};

static int draw_file(char **argv, int argc)
{
	struct rt_flame_picture p = plain;
	struct rt_flame f;
	struct rt_text t;
	FILE *out;
	char *text;
	size_t size;

	rt_flame_init(&f);
	rt_text_init(&t);
	if (rt_file_read(argv[1], 64 << 20, &text, &size))
		return 1;
	add_folded(&f, text, RT_FLAME_NOW);
	free(text);
	if (argc > 3) {
		if (rt_file_read(argv[3], 64 << 20, &text, &size))
			return 1;
		add_folded(&f, text, RT_FLAME_BEFORE);
		free(text);
		p.differential = true;
	}
	rt_flame_finish(&f);
	p.title = "cpu-clock of make -j2";
	p.subtitle = "build-host, Linux 6.1.0-18-amd64 · 48,211 samples in 12.08 s";
	p.warning = getenv("WARN");
	p.icicle = getenv("ICICLE");
	rt_flame_svg(&f, &p, &t);
	out = fopen(argv[2], "w");
	if (!out)
		return 1;
	fwrite(t.base, 1, t.len, out);
	fclose(out);
	rt_text_free(&t);
	rt_flame_free(&f);
	return 0;
}

static void test_tree(void)
{
	struct rt_flame f;
	struct rt_text t;
	uint32_t a;

	rt_flame_init(&f);
	add_folded(&f, "main;a;b 3\nmain;a 2\nmain;c 10\nmain;a;b 4\n", RT_FLAME_NOW);
	rt_flame_finish(&f);
	is_int(f.nodes[RT_FLAME_ROOT].total[0], 19, "the root has the weight of all stacks");
	is_int(f.node_count, 5, "equal beginnings of stacks are one path");
	a = f.nodes[f.nodes[RT_FLAME_ROOT].child].child;
	is_str(f.frames[f.nodes[a].frame].name, "c", "the widest child comes first");
	a = f.nodes[a].sibling;
	is_int(f.nodes[a].total[0], 9, "a total has what is below");
	is_int(f.nodes[a].self[0], 2, "a self has not");
	rt_text_init(&t);
	rt_flame_folded(&f, false, &t);
	finish_text(&t);
	is_str(t.base, "main;a 2\nmain;a;b 7\nmain;c 10\n", "the folded text has the sums");
	rt_text_free(&t);
	rt_flame_free(&f);
}

static void test_objects(void)
{
	struct rt_flame f;
	struct rt_text t;

	rt_flame_init(&f);
	rt_flame_weigh(&f, rt_flame_child(&f, 0, rt_flame_frame(&f, "f", "a", RT_FLAME_USER)), 0,
		       1);
	rt_flame_weigh(&f, rt_flame_child(&f, 0, rt_flame_frame(&f, "f", "b", RT_FLAME_USER)), 0,
		       2);
	rt_flame_weigh(&f, rt_flame_child(&f, 0, rt_flame_frame(&f, "f", "b", RT_FLAME_USER)), 1,
		       4);
	rt_flame_finish(&f);
	is_int(f.node_count, 3, "one name in two objects is two frames");
	rt_text_init(&t);
	rt_flame_folded(&f, true, &t);
	finish_text(&t);
	is_str(t.base, "f 4 3\n", "folded text merges them, and has before and after");
	rt_text_free(&t);
	rt_flame_free(&f);
}

static void test_escapes(void)
{
	static const char hostile[] =
		"</script><b a='x'>&\"\x01\x1b[31m\xff\xc3\xa9\n\xe2\x80\xae]]>";
	struct rt_text t;

	rt_text_init(&t);
	rt_xml_text(&t, hostile);
	finish_text(&t);
	is_str(t.base,
	       "&lt;/script&gt;&lt;b a=&#39;x&#39;&gt;&amp;&quot;\\x01\\x1b[31m\\xff\xc3\xa9\\x0a"
	       "\\u202e]]&gt;",
	       "XML: markup, control bytes, bad UTF-8 and bidirectional marks are shown");
	rt_text_reset(&t);
	rt_script_json(&t, hostile);
	finish_text(&t);
	is_str(t.base,
	       "\"\\u003c/script\\u003e\\u003cb a='x'\\u003e\\u0026\\\"\\\\x01\\\\x1b[31m\\\\xff\xc3\xa9"
	       "\\\\x0a\\\\u202e]]\\u003e\"",
	       "JSON: nothing can end the script element");
	rt_text_reset(&t);
	rt_folded_text(&t, "a;b\nc");
	finish_text(&t);
	is_str(t.base, "a:b\\x0ac", "folded: no separator and no line end in a frame");
	rt_text_reset(&t);
	rt_xml_fit(&t, "abcdefgh", 6);
	finish_text(&t);
	is_str(t.base, "abcd..", "a name is cut to fit");
	rt_text_reset(&t);
	rt_xml_fit(&t, "abcdefgh", 3);
	is_int(t.len, 0, "nothing is shown where nothing can be read");
	rt_text_reset(&t);
	rt_xml_fit(&t, "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5);
	finish_text(&t);
	is_str(t.base, "\xe6\xbc\xa2..", "wide characters count twice");
	rt_text_free(&t);
}

/* Wide and deep trees: the picture stays bounded. */
static void test_limits(void)
{
	struct rt_flame_picture p = plain;
	struct rt_flame f;
	struct rt_text t;
	uint32_t node = RT_FLAME_ROOT;
	char name[32];
	uint32_t *shown;
	size_t drawn;
	int i;

	rt_flame_init(&f);
	for (i = 0; i < 3 * RT_FLAME_FRAMES_MAX; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		rt_flame_weigh(&f,
			       rt_flame_child(&f, RT_FLAME_ROOT,
					      rt_flame_frame(&f, name, "", RT_FLAME_USER)),
			       0, 100 + i);
	}
	rt_flame_finish(&f);
	p.min_width = 0;
	rt_text_init(&t);
	shown = calloc(f.node_count, sizeof(*shown));
	drawn = rt_flame_svg_element(&f, &p, shown, &t);
	finish_text(&t);
	/* The last frames are the widest; the first are hidden in the root. */
	ok(shown[0] == 0 && shown[1] == 0 && shown[f.node_count - 1] == drawn - 1,
	   "every node knows the frame that stands for it");
	free(shown);
	for (i = 0, name[0] = 0; t.base && strstr(t.base + i, "<rect");
	     i = (int)(strstr(t.base + i, "<rect") - t.base) + 1)
		node++;
	ok(node > RT_FLAME_FRAMES_MAX / 2 && node <= RT_FLAME_FRAMES_MAX + 10,
	   "at most %d frames are drawn (%u)", RT_FLAME_FRAMES_MAX, node);
	ok(strstr(t.base, "too narrow to be drawn"), "and the picture says that some are not");
	rt_text_free(&t);
	rt_flame_free(&f);

	rt_flame_init(&f);
	node = RT_FLAME_ROOT;
	for (i = 0; i < 100000; i++)
		node = rt_flame_child(&f, node, rt_flame_frame(&f, "r", "", RT_FLAME_USER));
	rt_flame_weigh(&f, node, 0, 1);
	rt_flame_finish(&f);
	rt_text_init(&t);
	shown = calloc(f.node_count, sizeof(*shown));
	rt_flame_svg_element(&f, &plain, shown, &t);
	free(shown);
	ok(!t.failed, "a recursion of 100000 frames is drawn without recursion");
	rt_text_free(&t);
	rt_flame_free(&f);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return draw_file(argv, argc);
	test_tree();
	test_objects();
	test_escapes();
	test_limits();
	return tap_done();
}
