// SPDX-License-Identifier: GPL-2.0
/*
 * rt-send - two tasks send known numbers of bytes over TCP on the loopback.  Prints one line for
 * each of them: its pid, and the sizes that it sent, in order.
 */
#include <arpa/inet.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SENDERS = 2, SENDS = 12 };

static const int first[SENDERS] = { 1, 1000 }, step[SENDERS] = { 7, 13 };

static void drain(int fd)
{
	static char room[65536];

	while (read(fd, room, sizeof(room)) > 0)
		;
	close(fd);
}

static void send_all(const struct sockaddr_in *to, int first_size, int by)
{
	static char bytes[4096];
	int fd = socket(AF_INET, SOCK_STREAM, 0), i;

	if (fd < 0 || connect(fd, (const void *)to, sizeof(*to)))
		err(1, "connect");
	for (i = 0; i < SENDS; i++)
		if (send(fd, bytes, first_size + i * by, 0) != first_size + i * by)
			err(1, "send");
	close(fd);
}

int main(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0), i, n, status;
	pid_t pid;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (void *)&at, sizeof(at)) || listen(listener, SENDERS) ||
	    getsockname(listener, (void *)&at, &size))
		err(1, "listen");
	for (i = 0; i < SENDERS; i++) {
		pid = fork();
		if (pid < 0)
			err(1, "fork");
		if (!pid) {
			send_all(&at, first[i], step[i]);
			return 0;
		}
		printf("%d", pid);
		for (n = 0; n < SENDS; n++)
			printf(" %d", first[i] + n * step[i]);
		printf("\n");
		fflush(stdout);
	}
	for (i = 0; i < SENDERS; i++)
		drain(accept(listener, NULL, NULL));
	while (wait(&status) > 0)
		if (status)
			return 1;
	return 0;
}
