// SPDX-License-Identifier: GPL-2.0
/* record_placement.c - CPUs by memory node, as sysfs tells them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tap.h"
#include "record/placement.h"

static char dir[] = "/tmp/rt-nodes-XXXXXX";

static void add_node(unsigned int node, const char *cpus)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/node%u", dir, node);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/node%u/cpulist", dir, node);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", cpus) < 0 || fclose(f))
		exit(1);
}

/* The order and the nodes as text: "0@0 2@0 1@1", and "of 2" nodes. */
static const char *placed(uint32_t cpus)
{
	static char text[256];
	struct rt_placement p;
	size_t used = 0;
	uint32_t i;

	if (rt_placement_read(&p, dir, cpus))
		return "(error)";
	for (i = 0; i < cpus; i++)
		used += snprintf(text + used, sizeof(text) - used, "%u@%u ", p.order[i],
				 p.node[p.order[i]]);
	snprintf(text + used, sizeof(text) - used, "of %u", p.nodes);
	rt_placement_free(&p);
	return text;
}

int main(void)
{
	char command[64];

	if (!mkdtemp(dir))
		return 1;
	is_str(placed(3), "0@0 1@0 2@0 of 1", "a kernel without nodes");
	add_node(0, "0-3");
	is_str(placed(4), "0@0 1@0 2@0 3@0 of 1", "one node");
	add_node(0, "0,2,4");
	add_node(2, "1,3,5-6");
	add_node(7, "");
	is_str(placed(7), "0@0 2@0 4@0 1@1 3@1 5@1 6@1 of 2",
	       "by turns; a number that is missing, and a node without CPUs");
	is_str(placed(9), "0@0 2@0 4@0 1@1 3@1 5@1 6@1 7@0 8@0 of 2", "CPUs that are offline");
	is_str(placed(2), "0@0 1@1 of 2", "nodes have more CPUs than there are rings");
	add_node(0, "0-18446744073709551615,x");
	is_str(placed(3), "0@0 1@0 2@0 of 1", "a list that makes no sense");
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) || tap_done();
}
