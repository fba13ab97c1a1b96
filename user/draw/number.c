// SPDX-License-Identifier: GPL-2.0
#include "draw/number.h"

#include <stdio.h>

void rt_number_grouped(struct rt_text *t, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v), i;

	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			rt_text_char(t, ',');
		rt_text_char(t, digits[i]);
	}
}

void rt_number_duration(struct rt_text *t, uint64_t ns)
{
	if (ns < 1000)
		rt_text_printf(t, "%llu ns", (unsigned long long)ns);
	else if (ns < 1000000)
		rt_text_printf(t, "%.3f \xc2\xb5s", (double)ns / 1e3);
	else if (ns < 1000000000)
		rt_text_printf(t, "%.3f ms", (double)ns / 1e6);
	else
		rt_text_printf(t, "%.3f s", (double)ns / 1e9);
}

void rt_number_percent(struct rt_text *t, double part, double whole)
{
	double v = whole > 0 ? part * 100 / whole : 0.0, hundredths = v * 100;
	uint64_t n = hundredths >= 0 && hundredths < 1e9 ? (uint64_t)hundredths : 0;
	double rest = hundredths - (double)n;

	/* printf() rounds exactly; that matters only close to the middle between two numbers. */
	if (rest < 0 || rest >= 1 || (rest > 0.499 && rest < 0.501)) {
		rt_text_printf(t, "%.2f%%", v);
		return;
	}
	n += rest > 0.5;
	rt_text_u64(t, n / 100);
	rt_text_char(t, '.');
	rt_text_digits(t, n % 100, 2);
	rt_text_char(t, '%');
}

void rt_number_pixels(struct rt_text *t, double v)
{
	uint64_t hundredths = v > 0 ? (uint64_t)(v * 100 + 0.5) : 0;
	unsigned int rest = (unsigned int)(hundredths % 100);

	rt_text_u64(t, hundredths / 100);
	if (!rest)
		return;
	rt_text_char(t, '.');
	rt_text_char(t, (char)('0' + rest / 10));
	if (rest % 10)
		rt_text_char(t, (char)('0' + rest % 10));
}

void rt_number_bar(struct rt_text *out, double part, double whole)
{
	rt_text_lit(out, "<svg class=\"bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\">"
			 "<rect height=\"1\" width=\"");
	rt_number_pixels(out, whole > 0 ? part * 100 / whole : 0);
	rt_text_lit(out, "\"/></svg>");
}

void rt_number_packed(struct rt_text *out, uint64_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (; n > 31; n >>= 5)
		rt_text_char(out, digits[32 + (n & 31)]);
	rt_text_char(out, digits[n]);
}
