// SPDX-License-Identifier: GPL-2.0
// linked.cc - a program to be recorded: methods, cleanups, an exception, a callback of a template.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile unsigned long sink;

struct Work {
	std::string name;
	explicit Work(int n) : name(std::to_string(n)) {}
	virtual ~Work() { sink += name.size(); }
	virtual __attribute__((noinline)) unsigned long run(unsigned long x, int depth)
	{
		Work inner(depth);
		for (int i = 0; i < 500; i++)
			x ^= x << 13 ^ x >> 7;
		if (!depth)
			throw std::runtime_error(name);
		return inner.run(x, depth - 1) + name.size();
	}
};

static __attribute__((noinline)) void work(int rounds)
{
	for (int round = 0; round < rounds; round++) {
		std::vector<int> numbers(300);
		std::generate(numbers.begin(), numbers.end(), rand);
		std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 1001 < b % 1001; });
		try {
			auto w = std::make_unique<Work>(round);
			sink += w->run(round, 12);
		} catch (const std::exception &e) {
			sink += e.what()[0];
		}
	}
}

int main()
{
	std::thread second(work, 400);

	work(400);
	second.join();
	return 0;
}
