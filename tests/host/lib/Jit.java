// SPDX-License-Identifier: GPL-2.0
// Jit.java - a program to be recorded whose functions are compiled while it runs.
public class Jit {
	static long twist(long x, int depth)
	{
		for (int i = 0; i < 200; i++)
			x ^= x << 13 ^ x >>> 7;
		return depth > 0 ? twist(x, depth - 1) + 1 : x;
	}

	public static void main(String[] args)
	{
		long sum = 0;
		for (int round = 0; round < Integer.parseInt(args[0]); round++)
			sum += twist(round, 8);
		System.out.println(sum);
	}
}
