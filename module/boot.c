// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/uuid.h>

#include "boot.h"

static uuid_t boot_id;

const u8 *rt_boot_id(void)
{
	return boot_id.b;
}

/* The kernel keeps the id to itself; the file is the one interface that it has. */
void __init rt_boot_init(void)
{
	char text[UUID_STRING_LEN + 1] = "";
	struct file *file;
	loff_t at = 0;

	file = filp_open("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
	if (IS_ERR(file))
		return;
	if (kernel_read(file, text, UUID_STRING_LEN, &at) != UUID_STRING_LEN ||
	    uuid_parse(text, &boot_id))
		boot_id = uuid_null;
	filp_close(file, NULL);
}
