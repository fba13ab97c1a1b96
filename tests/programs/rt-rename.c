// SPDX-License-Identifier: GPL-2.0
/* rt-rename DIRECTORY - renames a directory in it back and forth until it is killed. */
#include <err.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]) || mkdir("here", 0700))
		err(1, "rt-rename DIRECTORY");
	while (!rename("here", "there") && !rename("there", "here"))
		;
	err(1, "rename");
}
