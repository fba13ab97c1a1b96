// SPDX-License-Identifier: GPL-2.0
/*
 * as-user UID COMMAND [ARGS]: run COMMAND as that user, without capabilities.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int id = argc > 2 ? atoi(argv[1]) : 0;

	if (!id || setgid(id) || setuid(id)) {
		fprintf(stderr, "as-user: cannot become user '%s'\n", argc > 1 ? argv[1] : "");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
