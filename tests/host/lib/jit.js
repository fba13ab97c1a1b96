// SPDX-License-Identifier: GPL-2.0
// jit.js - a program to be recorded whose functions are compiled while it runs.
'use strict';

function twistOfJavaScript(x, depth) {
	for (let i = 0; i < 200; i++)
		x ^= x << 13 ^ x >>> 7;
	return depth > 0 ? twistOfJavaScript(x, depth - 1) + 1 : x;
}

let sum = 0;
for (let round = 0; round < Number(process.argv[2]); round++)
	sum += twistOfJavaScript(round, 8);
console.log(sum);
