// SPDX-License-Identifier: GPL-2.0
#include "draw/page.h"

#include "draw/assets.h"
#include "draw/escape.h"
#include "draw/number.h"

/* Append what a content security policy calls the source: 'sha256-…', in base 64. */
static void put_hash(struct rt_text *out, const struct rt_asset *asset)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned int i, n;

	rt_text_lit(out, " 'sha256-");
	for (i = 0; i < sizeof(asset->sha256); i += 3) {
		unsigned int left = sizeof(asset->sha256) - i, bits = 0;

		for (n = 0; n < 3; n++)
			bits = bits << 8 | (n < left ? asset->sha256[i + n] : 0);
		for (n = 0; n < 4; n++)
			rt_text_char(out, n <= left ? digits[bits >> (18 - 6 * n) & 63] : '=');
	}
	rt_text_char(out, '\'');
}

static void put_asset(struct rt_text *out, const char *element, const struct rt_asset *asset)
{
	rt_text_printf(out, "<%s>", element);
	rt_text_put(out, asset->data, asset->size);
	rt_text_printf(out, "</%s>\n", element);
}

/* Append text of a recording between two pieces of HTML. */
static void put_between(struct rt_text *out, const char *before, const char *text,
			const char *after)
{
	rt_text_str(out, before);
	rt_xml_text(out, text);
	rt_text_str(out, after);
}

void rt_page_open(struct rt_text *out, const char *title, const char *subtitle)
{
	rt_text_lit(out,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "base-uri 'none'; form-action 'none'; script-src");
	put_hash(out, &rt_asset_flame_js);
	put_hash(out, &rt_asset_page_js);
	put_hash(out, &rt_asset_timeline_js);
	rt_text_lit(out, "; style-src");
	put_hash(out, &rt_asset_flame_css);
	put_hash(out, &rt_asset_page_css);
	rt_text_lit(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
			 "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
			 "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	rt_xml_text(out, title);
	rt_text_lit(out, "</title>\n");
	put_asset(out, "style", &rt_asset_flame_css);
	put_asset(out, "style", &rt_asset_page_css);
	put_between(out, "</head>\n<body>\n<header><h1>", title, "</h1>");
	put_between(out, "<p>", subtitle, "</p><nav></nav></header>\n<main>\n");
}

void rt_page_close(struct rt_text *out)
{
	rt_text_lit(out, "</main>\n<footer>written by ringtail " RT_VERSION "</footer>\n");
	put_asset(out, "script", &rt_asset_flame_js);
	put_asset(out, "script", &rt_asset_page_js);
	put_asset(out, "script", &rt_asset_timeline_js);
	rt_text_lit(out, "</body>\n</html>\n");
}

void rt_page_warning(struct rt_text *out, const char *text)
{
	put_between(out, "<p class=\"warning\" role=\"alert\">", text, "</p>\n");
}

void rt_page_left_out(struct rt_text *out, uint64_t n, const char *one, const char *many)
{
	if (!n)
		return;
	rt_text_lit(out, "<p class=\"about left\">");
	rt_number_grouped(out, n);
	rt_text_printf(out, " %s.</p>\n", n == 1 ? one : many);
}

void rt_page_tiles_open(struct rt_text *out)
{
	rt_text_lit(out, "<div class=\"tiles\">\n");
}

void rt_page_tile(struct rt_text *out, const char *name, const char *value, bool bad)
{
	put_between(out, bad ? "<div class=\"tile bad\"><b>" : "<div class=\"tile\"><b>", value,
		    "</b><span>");
	put_between(out, "", name, "</span></div>\n");
}

void rt_page_facts_open(struct rt_text *out)
{
	rt_text_lit(out, "<dl class=\"facts\">\n");
}

void rt_page_fact(struct rt_text *out, const char *name, const char *value)
{
	put_between(out, "<dt>", name, "</dt>");
	put_between(out, "<dd>", value, "</dd>\n");
}

void rt_page_facts_close(struct rt_text *out)
{
	rt_text_lit(out, "</dl>\n");
}

void rt_page_section_open(struct rt_text *out, const char *id, const char *heading,
			  const char *about)
{
	rt_text_printf(out, "<section id=\"%s\"><h2>%s</h2>\n", id, heading);
	if (about)
		rt_text_printf(out, "<p class=\"about\">%s</p>\n", about);
}

void rt_page_section_close(struct rt_text *out)
{
	rt_text_lit(out, "</section>\n");
}

void rt_page_tab_open(struct rt_text *out, const char *name)
{
	put_between(out, "<div class=\"tab\"><h3>", name, "</h3>\n");
}

void rt_page_div_close(struct rt_text *out)
{
	rt_text_lit(out, "</div>\n");
}
