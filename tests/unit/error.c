// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "base/error.h"
#include "tap.h"

int main(void)
{
	struct rt_err err;
	char big[2 * RT_ERR_LEN];

	is_int(rt_err_set(&err, ENOENT, "no symbol '%s'", "foo"), -ENOENT, "set returns -errno");
	is_str(err.text, "no symbol 'foo'", "the sentence is formatted");
	is_int(rt_err_prefix(&err, -ENOENT, "probe %d", 3), -ENOENT, "prefix keeps the code");
	is_str(err.text, "probe 3: no symbol 'foo'", "prefix goes in front");

	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = 0;
	rt_err_set(&err, EINVAL, "%s", big);
	is_int(strlen(err.text), RT_ERR_LEN - 1, "an overlong sentence is cut");
	rt_err_prefix(&err, EINVAL, "%s", big);
	is_int(strlen(err.text), RT_ERR_LEN - 1, "an overlong prefix is cut");
	is_int(rt_err_set(NULL, EIO, "nobody listens"), -EIO, "a NULL error is allowed");
	return tap_done();
}
