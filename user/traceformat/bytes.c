// SPDX-License-Identifier: GPL-2.0
/*
 * bytes.c - the conversions of the kernel's printf that print bytes of the event: %pM, %pI4, %pI6c,
 * %pISpc, %pU, %*ph.  Their texts are libtraceevent's.
 */
#include <string.h>
#include <sys/socket.h>

#include "traceformat/format.h"
#include "traceformat/step.h"

#define MAC_LEN	   6
#define IPV4_LEN   4
#define IPV6_LEN   16
#define UUID_LEN   16
#define PORT_AT	   2 /* in both kinds of socket addresses */
#define IPV4_AT	   4
#define IPV6_AT	   8
#define IN_SIZE	   16 /* of struct sockaddr_in, sockaddr_in6 */
#define IN6_SIZE   28
#define IPV6_WORDS 8

static void put_hex(struct rt_text *out, unsigned int byte)
{
	rt_text_hex_width(out, byte, 2, '0');
}

static void put_mac(struct rt_text *out, const uint8_t *at, const char *how)
{
	char between = how[0] == 'm' ? 0 : how[1] == 'F' ? '-' : ':';
	unsigned int i;

	for (i = 0; i < MAC_LEN; i++) {
		if (i && between)
			rt_text_char(out, between);
		put_hex(out, at[i]);
	}
}

static void put_ipv4(struct rt_text *out, const uint8_t *at, bool padded)
{
	unsigned int i;

	for (i = 0; i < IPV4_LEN; i++) {
		if (i)
			rt_text_char(out, '.');
		rt_text_u64_width(out, at[i], padded ? 3 : 0, '0');
	}
}

static unsigned int word_of(const uint8_t *at, unsigned int i)
{
	return (unsigned int)at[2 * i] << 8 | at[2 * i + 1];
}

/* Whether the last 32 bits are an IPv4 address: mapped (::ffff:a.b.c.d) or ISATAP. */
static bool ends_in_ipv4(const uint8_t *at)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(at, mapped, sizeof(mapped)) ||
	       ((word_of(at, 4) & ~0x0200u) == 0 && word_of(at, 5) == 0x5efe);
}

/* Print the longest run of zeros, the first among equals, as "::", but not a single zero. */
static void put_ipv6_short(struct rt_text *out, const uint8_t *at)
{
	bool ipv4 = ends_in_ipv4(at), colon = false;
	unsigned int words = ipv4 ? IPV6_WORDS - 2 : IPV6_WORDS, i, j;
	unsigned int best = words, longest = 1;

	for (i = 0; i < words; i++) {
		for (j = i; j < words && !word_of(at, j); j++)
			;
		if (j - i > longest) {
			longest = j - i;
			best = i;
		}
	}
	for (i = 0; i < words; i++) {
		if (i == best) {
			rt_text_lit(out, "::");
			colon = false;
			i += longest - 1;
			continue;
		}
		if (colon)
			rt_text_char(out, ':');
		rt_text_hex(out, word_of(at, i));
		colon = true;
	}
	if (!ipv4)
		return;
	if (colon)
		rt_text_char(out, ':');
	put_ipv4(out, at + IPV6_LEN - IPV4_LEN, false);
}

static void put_ipv6(struct rt_text *out, const uint8_t *at, char how, bool shorter)
{
	unsigned int i;

	if (shorter) {
		put_ipv6_short(out, at);
		return;
	}
	for (i = 0; i < IPV6_LEN; i++) {
		if (i && !(i & 1) && how == 'I')
			rt_text_char(out, ':');
		put_hex(out, at[i]);
	}
}

static void put_port(struct rt_text *out, const uint8_t *at)
{
	rt_text_char(out, ':');
	rt_text_u64(out, word_of(at + PORT_AT, 0));
}

/* how: "IS" and letters, of which only p (port) and c (compressed) matter. */
static void put_socket(struct rt_text *out, const uint8_t *at, size_t size, const char *how)
{
	bool port = strchr(how, 'p'), shorter = strchr(how, 'c');
	uint16_t family = 0;

	if (size >= sizeof(family))
		memcpy(&family, at, sizeof(family));
	if (family == AF_INET && size >= IN_SIZE) {
		put_ipv4(out, at + IPV4_AT, how[0] == 'i');
		if (port)
			put_port(out, at);
	} else if (family == AF_INET6 && size >= IN6_SIZE) {
		if (port)
			rt_text_char(out, '[');
		put_ipv6(out, at + IPV6_AT, how[0], shorter);
		if (port) {
			rt_text_char(out, ']');
			put_port(out, at);
		}
	} else {
		rt_text_str(out, family == AF_INET ? "INVALIDIPv4" : "INVALIDIPv6");
	}
}

static void put_uuid(struct rt_text *out, const uint8_t *at, char how)
{
	static const uint8_t big[] = { 0, 1, 2, 3, 4, 5, 6, 7 },
			     little[] = { 3, 2, 1, 0, 5, 4, 7, 6 };
	const uint8_t *order = how == 'l' || how == 'L' ? little : big;
	static const char digits[2][17] = { "0123456789abcdef", "0123456789ABCDEF" };
	const char *digit = digits[how == 'L' || how == 'B'];
	unsigned int i, byte;

	for (i = 0; i < UUID_LEN; i++) {
		byte = at[i < sizeof(big) ? order[i] : i];
		rt_text_char(out, digit[byte >> 4]);
		rt_text_char(out, digit[byte & 15]);
		if (i == 3 || i == 5 || i == 7 || i == 9)
			rt_text_char(out, '-');
	}
}

static void put_dump(struct rt_text *out, const uint8_t *at, size_t size, char how)
{
	char between = how == 'C' ? ':' : how == 'D' ? '-' : how == 'N' ? 0 : ' ';
	size_t i;

	for (i = 0; i < size; i++) {
		if (i && between)
			rt_text_char(out, between);
		put_hex(out, at[i]);
	}
}

/* SIZE is the size of the field; AT is NULL if the event does not contain all of it. */
void rt_tracebytes_put(struct rt_text *out, const char *how, const uint8_t *at, size_t size)
{
	switch (how[0]) {
	case 'M':
	case 'm':
		if (size != MAC_LEN || !at)
			rt_text_lit(out, "INVALIDMAC");
		else
			put_mac(out, at, how);
		break;
	case 'U':
		if (size != UUID_LEN || !at)
			rt_text_lit(out, "INVALIDUUID");
		else
			put_uuid(out, at, how[1]);
		break;
	case 'h':
		if (at)
			put_dump(out, at, size, how[1]);
		break;
	default: /* I, i */
		if (how[1] == '4') {
			if (size != IPV4_LEN || !at)
				rt_text_lit(out, "INVALIDIPv4");
			else
				put_ipv4(out, at, how[0] == 'i');
		} else if (how[1] == '6') {
			if (size != IPV6_LEN || !at)
				rt_text_lit(out, "INVALIDIPv6");
			else
				put_ipv6(out, at, how[0], how[0] == 'I' && how[2] == 'c');
		} else {
			put_socket(out, at, at ? size : 0, how);
		}
	}
}
