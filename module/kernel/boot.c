// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "boot.h"

#define ID_BYTES 16
#define ID_TEXT	 36 /* with four dashes */

static u8 boot_id[ID_BYTES];

const u8 *rt_boot_id(void)
{
	return boot_id;
}

/* The header that declares kstrtou8() has not moved, unlike those of other functions that read digits. */
static bool __init parse_id(u8 *id, const char *text)
{
	char pair[3] = "";
	int i;

	for (i = 0; i < ID_BYTES; i++) {
		text += *text == '-';
		memcpy(pair, text, 2);
		if (kstrtou8(pair, 16, &id[i]))
			return false;
		text += 2;
	}
	return true;
}

/* The kernel does not export the id; this file is its only interface. */
void __init rt_boot_init(void)
{
	char text[ID_TEXT + 1] = "";
	struct file *file;
	loff_t at = 0;

	file = filp_open("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
	if (IS_ERR(file))
		return;
	if (kernel_read(file, text, ID_TEXT, &at) != ID_TEXT || !parse_id(boot_id, text))
		memset(boot_id, 0, sizeof(boot_id));
	filp_close(file, NULL);
}
