// SPDX-License-Identifier: GPL-2.0
#include "glob.h"

/* The index behind the ']' that closes the '[' at I; 0 if nothing closes it. */
static u32 bracket_end(const char *pattern, u32 size, u32 i)
{
	i++;
	if (i < size && (pattern[i] == '!' || pattern[i] == '^'))
		i++;
	if (i < size && pattern[i] == ']') /* a ']' in first place is a member of the set */
		i++;
	for (; i < size; i++)
		if (pattern[i] == ']')
			return i + 1;
	return 0;
}
RT_PORT_NOPROBE(bracket_end);

/* Whether C matches the bracket expression pattern[i, end). */
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

/* Returns the index behind the pattern element at I if it matches the byte C, else 0. */
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

/* Elements that need match_one(); all others match themselves. */
static bool is_special(char c)
{
	return c == '?' || c == '[' || c == '\\';
}
RT_PORT_NOPROBE(is_special);

static u32 match_here(const char *pattern, u32 size, u32 i, char c)
{
	if (is_special(pattern[i]))
		return match_one(pattern, size, i, c);
	return pattern[i] == c ? i + 1 : 0;
}
RT_PORT_NOPROBE(match_here);

bool rt_glob_match(const char *pattern, u32 pattern_size, const char *text, u32 text_size)
{
	u32 p = 0, t = 0, next;
	/* On a mismatch: resume behind the last star, which then matches one more byte. */
	u32 star = 0, resume = 0;
	bool starred = false;

	while (t < text_size) {
		if (p < pattern_size && pattern[p] == '*') {
			starred = true;
			star = ++p;
			resume = t;
			continue;
		}
		next = p < pattern_size ? match_here(pattern, pattern_size, p, text[t]) : 0;
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

/* The steps of one comparison with the element at I; *NEXT is the index behind it. */
static u32 element_cost(const char *pattern, u32 size, u32 i, u32 *next)
{
	u32 end;

	*next = i + 1;
	if (!is_special(pattern[i]))
		return 1;
	if (pattern[i] == '\\' && i + 1 < size)
		*next = i + 2;
	if (pattern[i] != '[')
		return 3;
	end = bracket_end(pattern, size, i);
	if (!end)
		/* Every comparison searches for the closing bracket up to the end. */
		return 3 + size - i;
	*next = end;
	return 3 + 2 * (end - i);
}

u64 rt_glob_cost(const char *pattern, u32 pattern_size, u32 text_size)
{
	u32 i = 0, run = 0, longest = 0;
	bool starred = false;

	/*
	 * The matcher tries the elements that follow a star at one byte of the text after the
	 * other.  When they match, it goes on behind them with the next star and never returns to
	 * this one.  So each byte of the text is compared with at most one run of elements between
	 * two stars.
	 */
	while (i < pattern_size) {
		if (pattern[i] == '*') {
			starred = true;
			run = 0;
			i++;
			continue;
		}
		run += element_cost(pattern, pattern_size, i, &i);
		if (run > longest)
			longest = run;
	}
	return starred ? (u64)(longest + 2) * (text_size + pattern_size + 1) : longest + 1;
}
