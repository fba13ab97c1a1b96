// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/names.h"
#include "tap.h"

int main(void)
{
	char path[] = "/tmp/rt-names-XXXXXX", text[64];
	struct rt_numbers numbers;
	struct rt_names names;
	struct rt_err err;
	int fd;

	is_int(rt_names_parse(&names, "sh,make,,ls", &err), 0, "names");
	ok(names.count == 3 && rt_names_has(&names, "make") && rt_names_has(&names, "ls"),
	   "are found");
	ok(!rt_names_has(&names, "mak") && !rt_names_has(&names, ""), "others are not");
	rt_names_free(&names);
	fd = mkstemp(path);
	ok(write(fd, "one\ntwo \n\n", 10) == 10, "a file of names");
	close(fd);
	snprintf(text, sizeof(text), "zero,file://%s", path);
	is_int(rt_names_parse(&names, text, &err), 0, "is read");
	ok(names.count == 3 && rt_names_has(&names, "two") && rt_names_has(&names, "zero"),
	   "line by line");
	rt_names_free(&names);
	unlink(path);
	ok(rt_names_parse(&names, text, &err) < 0, "a missing file is an error");

	is_int(rt_numbers_parse(&numbers, "cpu", "0-3,6", &err), 0, "numbers");
	ok(rt_numbers_has(&numbers, 0) && rt_numbers_has(&numbers, 3) &&
		   rt_numbers_has(&numbers, 6),
	   "and ranges are found");
	ok(!rt_numbers_has(&numbers, 4) && !rt_numbers_has(&numbers, 7), "others are not");
	rt_numbers_free(&numbers);
	is_int(rt_numbers_parse(&numbers, "cpu", "", &err), -EINVAL, "nothing");
	is_int(rt_numbers_parse(&numbers, "cpu", "3-1", &err), -EINVAL, "backward");
	is_int(rt_numbers_parse(&numbers, "cpu", "1,x", &err), -EINVAL, "letters");
	is_int(rt_numbers_parse(&numbers, "cpu", "1-", &err), -EINVAL, "half a range");
	is_str(err.text, "'--cpu 1-' is not a list of numbers such as 0-3,6", "and what is right");
	return tap_done();
}
