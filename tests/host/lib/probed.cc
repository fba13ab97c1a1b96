// SPDX-License-Identifier: GPL-2.0
// probed.cc - a method and two overloaded functions for user probes, called as often as the argument says.
#include <cstdlib>

namespace rt
{
struct Box {
	long sum = 0;
	__attribute__((noinline, noclone)) long add(long n)
	{
		asm volatile("" : "+r"(n) : : "memory");
		sum += n;
		return -n;
	}
};

__attribute__((noinline, noclone)) long both(long n)
{
	asm volatile("" : "+r"(n) : : "memory");
	return n;
}

__attribute__((noinline, noclone)) long both(long n, long more)
{
	asm volatile("" : "+r"(n), "+r"(more) : : "memory");
	return n + more;
}
} // namespace rt

int main(int argc, char **argv)
{
	long n = argc > 1 ? std::atol(argv[1]) : 0, wrong = 0;
	rt::Box box;

	for (long i = 0; i < n; i++)
		wrong += box.add(i) != -i || rt::both(i) != i || rt::both(i, 1) != i + 1;
	return wrong != 0;
}
