/* SPDX-License-Identifier: GPL-2.0 */
/*
 * assets.h - the files of user/draw/assets/, which scripts/lib/embed.sh puts into the program.
 */
#ifndef RT_DRAW_ASSETS_H
#define RT_DRAW_ASSETS_H

#include <stddef.h>

struct rt_asset {
	const char *name;
	const char *data;
	size_t size;
	unsigned char sha256[32]; /* for a content security policy */
};

extern const struct rt_asset rt_asset_flame_css, rt_asset_flame_js;
extern const struct rt_asset rt_asset_page_css, rt_asset_page_js;
extern const struct rt_asset rt_asset_timeline_js;

#endif
