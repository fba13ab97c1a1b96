// SPDX-License-Identifier: GPL-2.0
/* perfdata_sample.c - every PERF_SAMPLE_* bit survives a round trip, in both byte orders. */
#include <errno.h>

#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "perfdata_build.h"
#include "tap.h"

/* A value that identifies its field and differs between the byte orders. */
#define V(n) (0x1100220033004400ULL + (n))

static struct rt_attr everything(uint64_t weight)
{
	struct rt_attr a = {
		.type = RT_TYPE_RAW,
		.config = 0x3c,
		.sample_type = (RT_SAMPLE_KNOWN & ~RT_SAMPLE_WEIGHT_TYPE) | weight,
		.read_format = RT_READ_FORMAT_GROUP | RT_READ_FORMAT_ID | RT_READ_FORMAT_LOST |
			       RT_READ_FORMAT_TOTAL_TIME_ENABLED |
			       RT_READ_FORMAT_TOTAL_TIME_RUNNING,
		.branch_sample_type = RT_BRANCH_ANY | RT_BRANCH_HW_INDEX,
		.flags = RT_ATTR_SAMPLE_ID_ALL,
		.sample_regs_user = 0x80000001,
		.sample_regs_intr = 0x6,
		.sample_stack_user = 24,
	};

	return a;
}

/* Branch flags are bit-fields: mispredicted, 0x1234 cycles, type 5. */
static void put_branch_flags(struct build *b)
{
	uint64_t native = 1 | 0x1234ULL << 4 | 5ULL << 20;
	uint64_t foreign = 1ULL << 63 | 0x1234ULL << 44 | 5ULL << 40;

	put64(b, b->swap ? foreign : native);
}

static void put_everything(struct build *b, uint64_t weight)
{
	unsigned i;

	begin_record(b, RT_PERF_RECORD_SAMPLE, RT_MISC_KERNEL | RT_MISC_EXACT_IP);
	put64(b, 1); /* identifier */
	put64(b, V(1));
	put32(b, 100);
	put32(b, 101);
	put64(b, V(2));
	put64(b, V(3));
	put64(b, 1);
	put64(b, V(4));
	put32(b, 7);
	put32(b, 0);
	put64(b, V(5));
	put64(b, 2); /* read */
	put64(b, V(6));
	put64(b, V(7));
	for (i = 0; i < 6; i++)
		put64(b, i == 1 ? 1 : V(10 + i));
	put64(b, 2); /* callchain */
	put64(b, RT_PERF_CONTEXT_KERNEL);
	put64(b, V(20));
	put32(b, 4); /* raw */
	put(b, "rawd", 4);
	put64(b, 1); /* branches */
	put64(b, V(21));
	put64(b, V(22));
	put64(b, V(23));
	put_branch_flags(b);
	put64(b, RT_REGS_ABI_32);
	put64(b, V(24));
	put64(b, V(25));
	put64(b, 24); /* stack */
	put(b, "0123456789abcdefghijklmn", 24);
	put64(b, 17);
	if (weight == RT_SAMPLE_WEIGHT_STRUCT) {
		put32(b, 0x12345678);
		put16(b, 0xabcd);
		put16(b, 0x4321);
	} else {
		put64(b, V(26));
	}
	put64(b, V(27)); /* data source */
	put64(b, V(28)); /* transaction */
	put64(b, RT_REGS_ABI_64);
	put64(b, V(29));
	put64(b, V(30));
	for (i = 0; i < 4; i++)
		put64(b, V(31 + i)); /* physical address, cgroup, page sizes */
	put64(b, 8);
	put(b, "aux data", 8);
	end_record(b);
}

static void check_everything(const struct rt_perf_record *rec, uint64_t weight)
{
	struct rt_sample_value v;
	struct rt_sample_head head;
	struct rt_sample s;
	struct rt_err err = { "" };

	is_int(rt_sample_parse(rec, &s, &err), 0, "it parses (%s)", err.text);
	ok(rt_sample_head(rec, &head) && head.pid == s.pid && head.tid == s.tid &&
		   head.time == s.time && head.cpu == s.cpu,
	   "its head alone says the same");
	ok(s.id == 1 && s.ip == V(1) && s.pid == 100 && s.tid == 101 && s.time == V(2) &&
		   s.addr == V(3) && s.stream_id == V(4) && s.cpu == 7 && s.period == V(5),
	   "the fixed fields");
	ok(s.cpumode == RT_MISC_KERNEL && s.misc & RT_MISC_EXACT_IP, "the header's bits");
	ok(s.read.nr == 2 && s.read.time_enabled == V(6) && s.read.time_running == V(7), "read");
	v = rt_sample_value(rec->event, &s, 1);
	ok(v.value == V(13) && v.id == V(14) && v.lost == V(15), "the second of its counts");
	ok(s.callchain.nr == 2 && s.callchain.ips[0] == RT_PERF_CONTEXT_KERNEL &&
		   s.callchain.ips[1] == V(20),
	   "callchain");
	ok(s.raw.size == 4 && !memcmp(s.raw.data, "rawd", 4), "raw data");
	ok(s.branch.nr == 1 && s.branch.hw_idx == V(21) && s.branch.entries[0].from == V(22) &&
		   s.branch.entries[0].to == V(23),
	   "branches");
	ok(RT_BRANCH_MISPRED(s.branch.entries[0].flags) == 1 &&
		   RT_BRANCH_CYCLES(s.branch.entries[0].flags) == 0x1234 &&
		   RT_BRANCH_TYPE(s.branch.entries[0].flags) == 5 &&
		   !RT_BRANCH_PREDICTED(s.branch.entries[0].flags),
	   "branch flags");
	ok(s.user_regs.abi == RT_REGS_ABI_32 && s.user_regs.mask == 0x80000001 &&
		   s.user_regs.regs[1] == V(25),
	   "user registers");
	ok(s.user_stack.size == 17 && s.user_stack.room == 24 &&
		   !memcmp(s.user_stack.data, "0123456789abcdefghijklmn", 24),
	   "user stack");
	if (weight == RT_SAMPLE_WEIGHT_STRUCT)
		ok(s.weight1 == 0x12345678 && s.ins_lat == 0xabcd && s.weight3 == 0x4321,
		   "the three weights");
	else
		ok(s.weight == V(26), "weight");
	ok(s.data_src == V(27) && s.transaction == V(28), "data source, transaction");
	ok(s.intr_regs.abi == RT_REGS_ABI_64 && s.intr_regs.regs[0] == V(29), "registers");
	ok(s.phys_addr == V(31) && s.cgroup == V(32) && s.data_page_size == V(33) &&
		   s.code_page_size == V(34),
	   "physical address, cgroup, page sizes");
	ok(s.aux.size == 8 && !memcmp(s.aux.data, "aux data", 8), "AUX data");
}

/* Every shorter sample is refused, and nothing is read beyond its end. */
static void check_short(const struct rt_perf_record *rec)
{
	struct rt_perf_record cut = *rec;
	struct rt_sample_head head;
	struct rt_sample s;
	unsigned size, accepted = 0;

	for (size = sizeof(*rec->hdr); size < rec->hdr->size; size++) {
		uint8_t *exact = malloc(size); /* so that the sanitizer sees one byte more */

		memcpy(exact, rec->hdr, size);
		((struct rt_perf_record_header *)exact)->size = (uint16_t)size;
		cut.hdr = (struct rt_perf_record_header *)exact;
		accepted += !rt_sample_parse(&cut, &s, NULL);
		rt_sample_head(&cut, &head);
		free(exact);
	}
	is_int(accepted, 0, "no shorter sample passes");
}

static void test(int swap, uint64_t weight)
{
	struct rt_attr attr = everything(weight);
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_err err;
	struct build b;
	char path[64];
	int fd;

	begin_file(&b, &attr, 1, 128, swap);
	put_everything(&b, weight);
	end_file(&b, NULL, 0);
	fd = memory_file(b.data, b.size, path);
	ok(!rt_reader_open(path, NULL, &r, &err), "a sample of everything%s",
	   swap ? ", other order" : "");
	is_int(rt_reader_next(r, &rec, &err), 1, "it comes");
	check_everything(&rec, weight);
	if (!swap)
		check_short(&rec);
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

/* A group read together: each member that counted becomes a sample of its own. */
static void test_split(void)
{
	struct rt_attr attrs[2];
	static const uint64_t counts[3][2] = { { 100, 5 }, { 150, 5 }, { 150, 9 } };
	struct rt_reader *r;
	struct rt_perf_record rec;
	struct rt_sample s, part;
	struct rt_err err;
	struct build b;
	char path[64], text[128] = "";
	uint64_t i;
	int fd;

	memset(attrs, 0, sizeof(attrs));
	attrs[0].sample_type = RT_SAMPLE_ID | RT_SAMPLE_TIME | RT_SAMPLE_READ;
	attrs[0].read_format = RT_READ_FORMAT_GROUP | RT_READ_FORMAT_ID;
	attrs[0].flags = RT_ATTR_SAMPLE_ID_ALL;
	attrs[1] = attrs[0];
	attrs[1].config = 1;
	begin_file(&b, attrs, 2, 64, 0);
	for (i = 0; i < 3; i++) {
		begin_record(&b, RT_PERF_RECORD_SAMPLE, 0);
		put64(&b, i + 1);
		put64(&b, 1);
		put64(&b, 2);
		put64(&b, counts[i][0]);
		put64(&b, 1);
		put64(&b, counts[i][1]);
		put64(&b, 2);
		end_record(&b);
	}
	end_file(&b, NULL, 0);
	fd = memory_file(b.data, b.size, path);
	if (!ok(!rt_reader_open(path, NULL, &r, &err), "a group opens"))
		exit(1);
	while (rt_reader_next(r, &rec, &err) > 0) {
		const struct rt_perf_event *e;

		rt_sample_parse(&rec, &s, &err);
		for (i = 0; (e = rt_sample_split(r, &rec, &s, &i, &part));)
			sprintf(text + strlen(text), "%s+%d ", rt_perf_event_name(e),
				(int)part.period);
		strcat(text, "| ");
	}
	is_str(text, "cycles:HG+100 instructions:HG+5 | cycles:HG+50 | instructions:HG+4 | ",
	       "each member that counted, with what it counted");
	rt_reader_close(r);
	close(fd);
	free(b.data);
}

/* A handmade record: the header, then its words. */
struct by_hand {
	struct rt_perf_record_header hdr;
	uint64_t word[8];
};

static struct rt_perf_record record_of(const struct by_hand *at, const struct rt_perf_event *event)
{
	return (struct rt_perf_record){ .hdr = &at->hdr, .event = event };
}

/* Nothing of one sample may appear in the next. */
static void test_next(void)
{
	const uint64_t type = RT_SAMPLE_IP | RT_SAMPLE_TIME | RT_SAMPLE_CALLCHAIN | RT_SAMPLE_RAW;
	struct rt_perf_event first = { .attr = { .sample_type = type, .sample_period = 7 } };
	struct rt_perf_event second = { .attr = { .sample_type = type, .sample_period = 9 } };
	struct rt_perf_event other = { .attr = { .sample_type = RT_SAMPLE_IP } };
	/* ip, time, two addresses, 4 bytes of raw data; then one address, and none */
	struct by_hand a = { { RT_PERF_RECORD_SAMPLE, RT_MISC_KERNEL, 56 },
			     { V(1), V(2), 2, V(3), V(4), 4 | 5ULL << 32 } };
	struct by_hand b = { { RT_PERF_RECORD_SAMPLE, RT_MISC_USER, 48 },
			     { V(5), V(6), 1, V(7), 4 | 6ULL << 32 } };
	struct by_hand c = { { RT_PERF_RECORD_SAMPLE, RT_MISC_USER, 16 }, { V(8) } };
	struct rt_perf_record ra = record_of(&a, &first), rb = record_of(&b, &second);
	struct rt_perf_record rc = record_of(&c, &other);
	struct rt_sample s, alone;
	struct rt_err err;

	first.fixed_size = second.fixed_size = 16;
	other.fixed_size = 8;
	is_int(rt_sample_parse_next(&ra, NULL, &s, &err), 0, "the first of several parses");
	ok(s.period == 7 && s.callchain.nr == 2 && s.raw.size == 4, "and is what it is alone");
	is_int(rt_sample_parse_next(&rb, &first, &s, &err), 0, "the next parses");
	rt_sample_parse(&rb, &alone, &err);
	ok(!memcmp(&s, &alone, sizeof(s)) && s.period == 9 && s.cpumode == RT_MISC_USER,
	   "and is what it is alone, though another event of the same layout came before");
	is_int(rt_sample_parse_next(&rc, &second, &s, &err), 0, "one of another layout parses");
	rt_sample_parse(&rc, &alone, &err);
	ok(!memcmp(&s, &alone, sizeof(s)) && !s.callchain.nr && !s.raw.data,
	   "and has nothing of what came before");
	b.word[2] = 100;
	is_int(rt_sample_parse_next(&rb, &second, &s, &err), -EFAULT,
	       "one too short for its stack does not parse");
}

int main(void)
{
	int swap;

	for (swap = 0; swap < 2; swap++) {
		test(swap, RT_SAMPLE_WEIGHT);
		test(swap, RT_SAMPLE_WEIGHT_STRUCT);
	}
	test_split();
	test_next();
	return tap_done();
}
