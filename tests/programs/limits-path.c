// SPDX-License-Identifier: GPL-2.0
/*
 * limits-path DIRECTORY LENGTH - map a file as code whose path has LENGTH characters, in
 * directories that the program makes below DIRECTORY, an absolute path.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_LENGTH 200

static int die(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	char name[NAME_LENGTH + 1] = { 0 };
	long left, length;
	int at, file;

	if (argc != 3)
		return 2;
	at = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (at < 0)
		return die(argv[1]);
	/* Each step takes a slash and a name; the last name is the file's. */
	for (left = atol(argv[2]) - (long)strlen(argv[1]); left > NAME_LENGTH; left -= length + 1) {
		length = left > 2 * NAME_LENGTH ? NAME_LENGTH - 1 : NAME_LENGTH / 2;
		memset(name, 'd', length);
		name[length] = 0;
		if (mkdirat(at, name, 0700) && faccessat(at, name, F_OK, 0))
			return die("mkdirat");
		at = openat(at, name, O_RDONLY | O_DIRECTORY);
		if (at < 0)
			return die("openat");
	}
	if (left < 2)
		return 2;
	memset(name, 'f', left - 1);
	name[left - 1] = 0;
	file = openat(at, name, O_RDWR | O_CREAT, 0700);
	if (file < 0 || ftruncate(file, getpagesize()))
		return die("file");
	if (mmap(NULL, getpagesize(), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED)
		return die("mmap");
	return 0;
}
