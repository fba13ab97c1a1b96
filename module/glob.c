// SPDX-License-Identifier: GPL-2.0
#include "glob.h"

/* The index behind the ']' that closes the '[' at I, or 0 if there is none. */
static u32 bracket_end(const char *pattern, u32 size, u32 i)
{
	i++;
	if (i < size && (pattern[i] == '!' || pattern[i] == '^'))
		i++;
	if (i < size && pattern[i] == ']') /* the first one is a member */
		i++;
	for (; i < size; i++)
		if (pattern[i] == ']')
			return i + 1;
	return 0;
}
RT_PORT_NOPROBE(bracket_end);

/* Whether C is in the bracket expression pattern[i, end). */
static bool bracket_has(const char *pattern, u32 i, u32 end, u8 c)
{
	bool inverted = false, found = false;
	u32 last = end - 1;

	i++;
	if (pattern[i] == '!' || pattern[i] == '^') {
		inverted = true;
		i++;
	}
	while (i < last) {
		u8 low = pattern[i], high = low;

		if (i + 2 < last && pattern[i + 1] == '-') {
			high = pattern[i + 2];
			i += 3;
		} else {
			i++;
		}
		if (low <= c && c <= high)
			found = true;
	}
	return found != inverted;
}
RT_PORT_NOPROBE(bracket_has);

/* Match one byte; returns the index behind the pattern element at I, or 0. */
static u32 match_one(const char *pattern, u32 size, u32 i, u8 c)
{
	u32 end;

	switch (pattern[i]) {
	case '?':
		return i + 1;
	case '[':
		end = bracket_end(pattern, size, i);
		if (end)
			return bracket_has(pattern, i, end, c) ? end : 0;
		break;
	case '\\':
		if (i + 1 < size)
			i++;
		break;
	}
	return (u8)pattern[i] == c ? i + 1 : 0;
}
RT_PORT_NOPROBE(match_one);

bool rt_glob_match(const char *pattern, u32 pattern_size, const char *text, u32 text_size)
{
	u32 p = 0, t = 0, next;
	/* Where to resume: behind the last star, which then swallows one byte more. */
	u32 star = 0, resume = 0;
	bool starred = false;

	while (t < text_size) {
		if (p < pattern_size && pattern[p] == '*') {
			starred = true;
			star = ++p;
			resume = t;
			continue;
		}
		next = p < pattern_size ? match_one(pattern, pattern_size, p, text[t]) : 0;
		if (next) {
			p = next;
			t++;
		} else if (starred) {
			p = star;
			t = ++resume;
		} else {
			return false;
		}
	}
	while (p < pattern_size && pattern[p] == '*')
		p++;
	return p == pattern_size;
}
RT_PORT_NOPROBE(rt_glob_match);
