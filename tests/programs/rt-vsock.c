// SPDX-License-Identifier: GPL-2.0
/*
 * rt-vsock N - tries N times to connect by vsock to a port of this machine where nobody listens:
 * each try sends one packet and receives one answer.  vsock is a module.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/vm_sockets.h>

enum { FIRST_PORT = 1000 };

int main(int argc, char **argv)
{
	struct sockaddr_vm to = { .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_LOCAL };
	int i, fd, count = argc > 1 ? atoi(argv[1]) : 1;

	for (i = 0; i < count; i++) {
		to.svm_port = FIRST_PORT + i;
		fd = socket(AF_VSOCK, SOCK_STREAM, 0);
		if (fd < 0)
			err(1, "socket");
		if (!connect(fd, (void *)&to, sizeof(to)) || errno != ECONNRESET)
			err(1, "connect");
		close(fd);
	}
	return 0;
}
