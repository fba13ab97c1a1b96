// SPDX-License-Identifier: GPL-2.0
/* record_forbidden.c - the functions that texts of -e probe, as they are asked for before anything else. */
#include "tap.h"

#include "record/forbidden.h"

static void finds(const char *text, const char *want)
{
	char found[400] = "", event[100];
	const char *at = text;
	size_t used = 0;

	while (rt_forbidden_next(&at, event, sizeof(event)))
		used += (size_t)snprintf(found + used, sizeof(found) - used, "%s%s",
					 used ? " " : "", event);
	is_str(found, want, "'%s'", text);
}

int main(void)
{
	finds("kprobe:vfs_read", "kprobe:vfs_read");
	finds("kretprobe:vfs_read $retval", "kprobe:vfs_read");
	finds("probe:vfs_read%return $retval", "kprobe:vfs_read");
	finds("probe:vfs_read+4", "kprobe:vfs_read");
	finds("probe:vfs_read:12 count", "kprobe:vfs_read");
	finds("probe:ext4:ext4_sync_file", "kprobe:ext4:ext4_sync_file");
	finds("kprobe:a,kprobe:b,sched:sched_switch", "kprobe:a kprobe:b");
	finds("{kprobe:a,kretprobe:b}", "kprobe:a kprobe:b");
	finds("kprobe:f.part.0", "kprobe:f.part.0");
	finds("kprobe:vfs_*", "");
	finds("kprobe:[a-h]*", "");
	finds("kprobe:0xffffffff81000000", "");
	finds("probe:fs/read_write.c:vfs_read", "");
	finds("probe:open.c:12", "");
	finds("probe:file.c:f", "");
	finds("probe:/bin/ls:main", "");
	finds("uprobe:/bin/ls:main", "");
	finds("sched:sched_switch", "");
	finds("kprobe:", "");
	finds("", "");
	return tap_done();
}
