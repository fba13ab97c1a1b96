// SPDX-License-Identifier: GPL-2.0
/*
 * program_glob.c - globs: examples, random patterns compared with fnmatch(3), and bounded cost.
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "program/glob.h"
#include "tap.h"

static bool match(const char *pattern, const char *text)
{
	return rt_glob_match(pattern, strlen(pattern), text, strlen(text));
}

static void examples(void)
{
	static const struct {
		const char *pattern, *text;
		bool want;
	} cases[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "*", "", true },
		{ "*", "anything", true },
		{ "**", "x", true },
		{ "a", "a", true },
		{ "a", "A", false },
		{ "a*", "a", true },
		{ "a*b", "axxb", true },
		{ "a*b", "axxbx", false },
		{ "*W*", "WS", true },
		{ "*W*", "RA", false },
		{ "sys_enter_*", "sys_enter_openat", true },
		{ "sys_enter_*", "sys_exit_openat", false },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "[a-c]x", "bx", true },
		{ "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true },
		{ "[^a-c]x", "ax", false },
		{ "[]]", "]", true },
		{ "[!]]", "]", false },
		{ "[a-]", "-", true },
		{ "[abc", "[abc", true },
		{ "\\*", "*", true },
		{ "\\*", "x", false },
		{ "a\\", "a\\", true },
		{ "*aab", "aaaaaaab", true },
		{ "*a*b*c*", "xxaxxbxxcxx", true },
		{ "*a*b*c*", "xxcxxbxxaxx", false },
		{ "[\x80-\xff]", "\xc3", true },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(match(cases[i].pattern, cases[i].text) == cases[i].want, "'%s' %s '%s'",
		   cases[i].pattern, cases[i].want ? "matches" : "does not match", cases[i].text);
	ok(rt_glob_match("a\0b", 3, "a\0b", 3), "sizes count, not NULs");
	ok(!rt_glob_match("abc", 2, "abc", 3), "the pattern ends at its size");
}

/* Complete brackets only: what an open one means differs between systems. */
static void make_pattern(char *out)
{
	static const char *const pieces[] = { "a",    "b",     "?",   "*", "[ab]",
					      "[!a]", "[a-c]", "\\*", "c", "*" };
	int i, n = rand() % 7;

	*out = 0;
	for (i = 0; i < n; i++)
		strcat(out, pieces[rand() % 10]);
}

static void against_fnmatch(void)
{
	char pattern[64], text[16];
	int i, j, n, same = 0, matched = 0;

	srand(1);
	for (i = 0; i < 200000; i++) {
		bool want;

		make_pattern(pattern);
		n = rand() % 8;
		for (j = 0; j < n; j++)
			text[j] = "abc*"[rand() % 4];
		text[n] = 0;
		want = fnmatch(pattern, text, 0) == 0;
		matched += want;
		if (match(pattern, text) == want)
			same++;
		else
			printf("# '%s' and '%s': fnmatch says %d\n", pattern, text, want);
	}
	is_int(same, 200000, "as fnmatch(3) says");
	ok(matched > 20000 && matched < 180000, "of which %d match", matched);
}

int main(void)
{
	static char pattern[129], text[4097];
	int i;

	examples();
	against_fnmatch();
	for (i = 0; i < 128; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[127] = 'b';
	memset(text, 'a', 4096);
	ok(!match(pattern, text), "the slowest pattern comes to an end");
	return tap_done();
}
