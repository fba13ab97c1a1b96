// SPDX-License-Identifier: GPL-2.0
#include "draw/svg.h"

#include <stdlib.h>

#include "draw/assets.h"
#include "draw/escape.h"
#include "draw/number.h"
#include "draw/shade.h"
#include "draw/undrawn.h"

/* The geometry in pixels; assets/flame.js has the same numbers. */
#define ROW    19 /* from one frame to the next */
#define PAD    16
#define HEAD   76
#define FOOT   34
#define COLUMN 7.25 /* of the monospaced font */
#define INDENT 4    /* of the text in a frame */
#define TOWER  3    /* narrower frames do not make the picture higher */

/* How many units a differential graph is wide: shares of two recordings are added up in it. */
#define SHARES 2000000000.0

/* Where a node is drawn. */
struct place {
	double start; /* in units */
	unsigned int row;
	bool drawn;
};

struct layout {
	const struct rt_flame *flame;
	const struct rt_flame_picture *p;
	struct rt_text *out;
	double scale;	      /* pixels per unit */
	double cut;	      /* narrower nodes are not drawn */
	double top;	      /* of the frames */
	struct place *places; /* by node */
	size_t hidden;
	unsigned int rows;
	bool seen[RT_FLAME_KINDS];
};

static double share(const struct layout *l, const struct rt_flame_node *n, int side)
{
	double whole = (double)l->flame->nodes[RT_FLAME_ROOT].total[side];

	return whole > 0 ? (double)n->total[side] / whole : 0;
}

/* The width of a node in units: its weight, or the sum of its shares of both recordings. */
static double units(const struct layout *l, const struct rt_flame_node *n)
{
	if (!l->p->differential)
		return (double)n->total[RT_FLAME_NOW];
	return (share(l, n, RT_FLAME_NOW) + share(l, n, RT_FLAME_BEFORE)) * SHARES / 2;
}

static int descending(const void *a, const void *b)
{
	double l = *(const double *)a, r = *(const double *)b;

	return l > r ? -1 : l < r;
}

/* The width below which nodes are not drawn: too narrow to see, or too many. */
static double cut_of(const struct layout *l)
{
	double cut = l->p->min_width / l->scale, *widths;
	size_t nodes = l->flame->node_count, count = 0, i;
	size_t most = l->p->max_frames ? l->p->max_frames : RT_FLAME_FRAMES_MAX;

	if (nodes <= most)
		return cut;
	widths = malloc(nodes * sizeof(*widths));
	if (!widths) {
		l->out->failed = true;
		return cut;
	}
	for (i = 0; i < nodes; i++) {
		widths[count] = units(l, &l->flame->nodes[i]);
		count += widths[count] >= cut;
	}
	if (count > most) {
		qsort(widths, count, sizeof(*widths), descending);
		/* Those as narrow as the first that does not fit are left out with it. */
		cut = widths[most] * 1.000001;
	}
	free(widths);
	return cut;
}

/* Give every node its place.  A parent comes before its children, so one pass is enough. */
static void place_all(struct layout *l)
{
	const struct rt_flame *f = l->flame;
	uint32_t child;
	size_t i;

	l->places[RT_FLAME_ROOT].drawn = true;
	for (i = 0; i < f->node_count; i++) {
		const struct place *mine = &l->places[i];
		double at = mine->start;

		if (!mine->drawn) {
			l->hidden++;
			continue;
		}
		l->seen[f->frames[f->nodes[i].frame].kind] = true;
		if (mine->row >= l->rows &&
		    (i == RT_FLAME_ROOT || units(l, &f->nodes[i]) * l->scale >= TOWER))
			l->rows = mine->row + 1;
		for (child = f->nodes[i].child; child != RT_FLAME_NONE;
		     child = f->nodes[child].sibling) {
			double w = units(l, &f->nodes[child]);

			l->places[child].start = at;
			l->places[child].row = mine->row + 1;
			l->places[child].drawn = w > 0 && w >= l->cut;
			at += w;
		}
	}
}

static void put_weight(const struct layout *l, uint64_t weight)
{
	if (l->p->unit == RT_FLAME_NANOSECONDS) {
		rt_number_duration(l->out, weight);
		return;
	}
	rt_number_grouped(l->out, weight);
	rt_text_char(l->out, ' ');
	rt_xml_text(l->out, l->p->unit_name);
}

static void put_title(const struct layout *l, const struct rt_flame_node *n,
		      const struct rt_flame_frame *frame)
{
	static const char *const kinds[] = { "", "user", "kernel", "inlined", "JIT", "no symbol" };
	const struct rt_flame_node *root = &l->flame->nodes[RT_FLAME_ROOT];
	struct rt_text *t = l->out;

	rt_text_lit(t, "<title>");
	rt_xml_text(t, frame->name);
	rt_text_char(t, '\n');
	if (*kinds[frame->kind]) {
		rt_text_str(t, kinds[frame->kind]);
		if (*frame->object) {
			rt_text_lit(t, ", ");
			rt_xml_text(t, frame->object);
		}
		rt_text_char(t, '\n');
	}
	put_weight(l, n->total[RT_FLAME_NOW]);
	rt_text_lit(t, ", ");
	rt_number_percent(t, (double)n->total[RT_FLAME_NOW], (double)root->total[RT_FLAME_NOW]);
	if (l->p->differential) {
		rt_text_lit(t, "\nbefore: ");
		put_weight(l, n->total[RT_FLAME_BEFORE]);
		rt_text_lit(t, ", ");
		rt_number_percent(t, share(l, n, RT_FLAME_BEFORE), 1);
		rt_text_printf(t, "\nchange: %+.2f points",
			       (share(l, n, RT_FLAME_NOW) - share(l, n, RT_FLAME_BEFORE)) * 100);
	} else if (n->self[RT_FLAME_NOW]) {
		rt_text_lit(t, "\nin itself: ");
		rt_number_percent(t, (double)n->self[RT_FLAME_NOW],
				  (double)root->total[RT_FLAME_NOW]);
	}
	rt_text_lit(t, "</title>");
}

static double y_of(const struct layout *l, unsigned int row)
{
	double rows = l->p->icicle ? row : (double)l->rows - 1 - row;

	return l->top + ROW * rows;
}

static void put_frame(const struct layout *l, uint32_t node)
{
	const struct rt_flame_node *n = &l->flame->nodes[node];
	const struct rt_flame_frame *frame = &l->flame->frames[n->frame];
	const struct place *place = &l->places[node];
	/* Round both ends alike, so that a child never leaves its parent. */
	uint64_t first = (uint64_t)(place->start + 0.5);
	uint64_t last = (uint64_t)(place->start + units(l, n) + 0.5);
	double x = PAD + place->start * l->scale, w = units(l, n) * l->scale;
	double y = y_of(l, place->row);
	struct rt_text *t = l->out;

	rt_text_lit(t, "<g class=\"");
	if (l->p->differential)
		rt_shade_change(t, share(l, n, RT_FLAME_NOW), share(l, n, RT_FLAME_BEFORE));
	else
		rt_shade_kind(t, frame);
	/* A script shows them when they are wide enough. */
	if (place->row >= l->rows)
		rt_text_lit(t, " off");
	rt_text_lit(t, "\" data-d=\"");
	rt_text_u64(t, place->row);
	rt_text_lit(t, "\" data-x=\"");
	rt_text_u64(t, first);
	rt_text_lit(t, "\" data-w=\"");
	rt_text_u64(t, last - first);
	rt_text_lit(t, "\">");
	put_title(l, n, frame);
	rt_text_lit(t, "<rect x=\"");
	rt_number_pixels(t, x);
	rt_text_lit(t, "\" y=\"");
	rt_number_pixels(t, y);
	/* A gap between neighbours, but not so wide that it hides narrow frames. */
	rt_text_lit(t, "\" width=\"");
	rt_number_pixels(t, w > 3 ? w - 0.6 : w);
	rt_text_lit(t, "\" height=\"18\"/>");
	if (w > INDENT * 2 + COLUMN) {
		rt_text_lit(t, "<text x=\"");
		rt_number_pixels(t, x + INDENT);
		rt_text_lit(t, "\" y=\"");
		rt_number_pixels(t, y + 13);
		rt_text_lit(t, "\">");
		rt_xml_fit(t, frame->name, (unsigned int)((w - INDENT * 2) / COLUMN));
		rt_text_lit(t, "</text>");
	}
	rt_text_lit(t, "</g>\n");
}

static void put_undrawn(const struct layout *l)
{
	size_t nodes = l->flame->node_count, i;
	uint64_t *weights = malloc((nodes + 1) * sizeof(*weights));
	bool *drawn = malloc((nodes + 1) * sizeof(*drawn));

	if (weights && drawn) {
		for (i = 0; i < nodes; i++) {
			weights[i] = (uint64_t)(units(l, &l->flame->nodes[i]) + 0.5);
			drawn[i] = l->places[i].drawn;
		}
		rt_undrawn_put(l->flame, drawn, weights,
			       l->p->max_undrawn ? l->p->max_undrawn : RT_FLAME_UNDRAWN_MAX,
			       l->out);
	} else {
		l->out->failed = true;
	}
	free(weights);
	free(drawn);
}

static void put_frames(const struct layout *l)
{
	struct rt_text *t = l->out;
	size_t i;

	rt_text_lit(t, "<g class=\"frames\" data-total=\"");
	rt_text_u64(t, (uint64_t)(units(l, &l->flame->nodes[RT_FLAME_ROOT]) + 0.5));
	rt_text_printf(t, "\" data-rows=\"%u\" data-top=\"%u\" data-unit=\"", l->rows,
		       (unsigned int)l->top);
	rt_xml_text(t, l->p->unit == RT_FLAME_NANOSECONDS ? "ns" : l->p->unit_name);
	rt_text_char(t, '"');
	rt_text_str(t, l->p->icicle ? " data-icicle=\"1\">\n" : ">\n");
	for (i = 0; i < l->flame->node_count; i++)
		if (l->places[i].drawn)
			put_frame(l, (uint32_t)i);
	rt_text_lit(t, "</g>\n");
	put_undrawn(l);
}

static void put_chip(struct rt_text *t, unsigned int *x, unsigned int y, const char *class,
		     const char *name)
{
	rt_text_printf(t,
		       "<g class=\"%s\"><rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\"/>"
		       "<text x=\"%u\" y=\"%u\">%s</text></g>",
		       class, *x, y - 10, *x + 17, y, name);
	*x += 17 + (unsigned int)strlen(name) * 7 + 14;
}

static void put_legend(const struct layout *l, unsigned int y)
{
	static const struct {
		enum rt_flame_kind kind;
		const char *class, *name;
	} kinds[] = {
		{ RT_FLAME_USER, "u", "user" },		{ RT_FLAME_INLINED, "i", "inlined" },
		{ RT_FLAME_JIT, "j", "JIT" },		{ RT_FLAME_KERNEL, "k", "kernel" },
		{ RT_FLAME_UNKNOWN, "x", "no symbol" },
	};
	struct rt_text *t = l->out;
	unsigned int x = PAD;
	size_t i;

	rt_text_lit(t, "<g class=\"legend\">");
	if (l->p->differential) {
		put_chip(t, &x, y, "l", "less than before");
		put_chip(t, &x, y, "d", "the same");
		put_chip(t, &x, y, "m", "more than before");
	} else {
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (l->seen[kinds[i].kind])
				put_chip(t, &x, y, kinds[i].class, kinds[i].name);
	}
	rt_text_lit(t, "</g>\n");
	if (l->hidden) {
		rt_text_printf(t, "<text class=\"foot\" x=\"%u\" y=\"%u\">", l->p->width - PAD, y);
		rt_number_grouped(t, l->hidden);
		rt_text_str(t, l->hidden == 1 ? " frame is too narrow to be drawn</text>\n" :
						" frames are too narrow to be drawn</text>\n");
	}
}

static bool begin(struct layout *l, const struct rt_flame *f, const struct rt_flame_picture *p,
		  struct rt_text *out)
{
	double whole;

	memset(l, 0, sizeof(*l));
	l->flame = f;
	l->p = p;
	l->out = out;
	l->places = f->failed ? NULL : calloc(f->node_count, sizeof(*l->places));
	if (!l->places) {
		out->failed = true;
		return false;
	}
	whole = units(l, &f->nodes[RT_FLAME_ROOT]);
	l->scale = (double)(p->width - 2 * PAD) / (whole > 0 ? whole : 1);
	l->cut = cut_of(l);
	place_all(l);
	return true;
}

static void put_open(const struct layout *l, unsigned int height)
{
	rt_text_printf(l->out,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%u\" "
		       "height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"",
		       l->p->width, height, l->p->width, height);
	rt_xml_text(l->out, l->p->title);
	rt_text_lit(l->out, "\">\n");
}

static void put_line(const struct layout *l, const char *class, unsigned int y, const char *text)
{
	rt_text_printf(l->out, "<text class=\"%s\" x=\"%u\" y=\"%u\">", class, PAD, y);
	rt_xml_text(l->out, text);
	rt_text_lit(l->out, "</text>\n");
}

void rt_flame_svg(const struct rt_flame *f, const struct rt_flame_picture *p, struct rt_text *out)
{
	unsigned int height;
	struct layout l;

	if (!begin(&l, f, p, out))
		return;
	l.top = HEAD + (p->warning ? 18 : 0);
	height = (unsigned int)l.top + l.rows * ROW + FOOT;
	rt_text_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	put_open(&l, height);
	rt_text_lit(out, "<style>");
	rt_text_put(out, rt_asset_flame_css.data, rt_asset_flame_css.size);
	rt_text_lit(out, "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	put_frames(&l);
	put_legend(&l, height - 12);
	/* The head lies above the frames: it stays in view when a browser scrolls. */
	rt_text_printf(out,
		       "<g class=\"head\"><rect class=\"page\" width=\"100%%\" height=\"%u\"/>\n",
		       (unsigned int)l.top - 4);
	put_line(&l, "title", 32, p->title);
	put_line(&l, "sub", 54, p->subtitle);
	if (p->warning)
		put_line(&l, "warn", 73, p->warning);
	rt_text_lit(out, "</g>\n");
	rt_text_lit(out, "<script><![CDATA[");
	rt_text_put(out, rt_asset_flame_js.data, rt_asset_flame_js.size);
	rt_text_lit(out, "]]></script>\n</svg>\n");
	free(l.places);
}

size_t rt_flame_svg_element(const struct rt_flame *f, const struct rt_flame_picture *p,
			    uint32_t *shown, struct rt_text *out)
{
	unsigned int height;
	uint32_t drawn = 0;
	struct layout l;
	size_t i;

	if (!begin(&l, f, p, out))
		return 0;
	l.top = 2;
	height = (unsigned int)l.top + l.rows * ROW + FOOT;
	put_open(&l, height);
	put_frames(&l);
	put_legend(&l, height - 12);
	rt_text_lit(out, "</svg>\n");
	for (i = 0; i < f->node_count; i++)
		shown[i] = l.places[i].drawn ? drawn++ : shown[f->nodes[i].parent];
	free(l.places);
	return drawn;
}
