// SPDX-License-Identifier: GPL-2.0
#include "script/print/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EACH_FIELD(i) ((i) = 0; (i) < sizeof(names) / sizeof(*names); (i)++)

static const struct {
	const char *name;
	uint64_t bit;
} names[] = {
	{ "comm", RT_COLUMN_COMM },
	{ "tid", RT_COLUMN_TID },
	{ "pid", RT_COLUMN_PID },
	{ "time", RT_COLUMN_TIME },
	{ "cpu", RT_COLUMN_CPU },
	{ "event", RT_COLUMN_EVENT },
	{ "trace", RT_COLUMN_TRACE },
	{ "ip", RT_COLUMN_IP },
	{ "sym", RT_COLUMN_SYM },
	{ "dso", RT_COLUMN_DSO },
	{ "addr", RT_COLUMN_ADDR },
	{ "symoff", RT_COLUMN_SYMOFF },
	{ "srcline", RT_COLUMN_SRCLINE },
	{ "period", RT_COLUMN_PERIOD },
	{ "iregs", RT_COLUMN_IREGS },
	{ "uregs", RT_COLUMN_UREGS },
	{ "brstack", RT_COLUMN_BRSTACK },
	{ "brstacksym", RT_COLUMN_BRSTACKSYM },
	{ "brstackoff", RT_COLUMN_BRSTACKOFF },
	{ "data_src", RT_COLUMN_DATA_SRC },
	{ "weight", RT_COLUMN_WEIGHT },
	{ "bpf-output", RT_COLUMN_BPF_OUTPUT },
	{ "insn", RT_COLUMN_INSN },
	{ "insnlen", RT_COLUMN_INSNLEN },
	{ "synth", RT_COLUMN_SYNTH },
	{ "phys_addr", RT_COLUMN_PHYS_ADDR },
	{ "misc", RT_COLUMN_MISC },
	{ "srccode", RT_COLUMN_SRCCODE },
	{ "ipc", RT_COLUMN_IPC },
	{ "tod", RT_COLUMN_TOD },
	{ "data_page_size", RT_COLUMN_DATA_PAGE_SIZE },
	{ "code_page_size", RT_COLUMN_CODE_PAGE_SIZE },
	{ "ins_lat", RT_COLUMN_INS_LAT },
	{ "machine_pid", RT_COLUMN_MACHINE_PID },
	{ "vcpu", RT_COLUMN_VCPU },
	{ "context", RT_COLUMN_CONTEXT },
};

/* perf also has these; they need a disassembler or a decoder of hardware traces. */
static const char *const not_ours[] = { "callindent", "brstackinsn", "brstackinsnlen", "metric" };

static const char *const type_names[RT_FIELDS_TYPES] = {
	"hardware", "software",	  "tracepoint", "hardware cache",
	"raw",	    "breakpoint", "synth",	"other",
};

static const struct {
	const char *prefix;
	unsigned int type;
} prefixes[] = {
	{ "hw", RT_TYPE_HARDWARE },	 { "sw", RT_TYPE_SOFTWARE },
	{ "trace", RT_TYPE_TRACEPOINT }, { "raw", RT_TYPE_RAW },
	{ "break", RT_TYPE_BREAKPOINT }, { "synth", RT_FIELDS_SYNTH },
};

void rt_fields_init(struct rt_fields *f)
{
	const uint64_t start =
		RT_COLUMN_COMM | RT_COLUMN_TID | RT_COLUMN_CPU | RT_COLUMN_TIME | RT_COLUMN_EVENT;
	const uint64_t where = RT_COLUMN_IP | RT_COLUMN_SYM | RT_COLUMN_SYMOFF | RT_COLUMN_DSO;
	const uint64_t not_traced = RT_COLUMN_TRACE | RT_COLUMN_BPF_OUTPUT | RT_COLUMN_CONTEXT;
	unsigned int i;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < RT_FIELDS_TYPES; i++) {
		f->of[i].fields = start | where | RT_COLUMN_PERIOD;
		f->of[i].invalid = not_traced;
	}
	f->of[RT_TYPE_SOFTWARE].fields |= RT_COLUMN_BPF_OUTPUT;
	f->of[RT_TYPE_SOFTWARE].invalid = RT_COLUMN_TRACE | RT_COLUMN_CONTEXT;
	f->of[RT_TYPE_TRACEPOINT].fields = start | RT_COLUMN_TRACE;
	f->of[RT_TYPE_TRACEPOINT].invalid = 0;
	f->of[RT_TYPE_RAW].fields |= RT_COLUMN_ADDR | RT_COLUMN_DATA_SRC | RT_COLUMN_WEIGHT |
				     RT_COLUMN_PHYS_ADDR | RT_COLUMN_DATA_PAGE_SIZE |
				     RT_COLUMN_CODE_PAGE_SIZE | RT_COLUMN_INS_LAT;
	f->of[RT_FIELDS_SYNTH].fields = start | where | RT_COLUMN_SYNTH;
}

bool rt_fields_has(const struct rt_fields *f, uint64_t columns)
{
	unsigned int i;

	for (i = 0; i < RT_FIELDS_TYPES; i++)
		if (f->of[i].fields & columns)
			return true;
	return false;
}

void rt_fields_add_context(struct rt_fields *f)
{
	if (!f->of[RT_TYPE_TRACEPOINT].user_set)
		f->of[RT_TYPE_TRACEPOINT].fields |= RT_COLUMN_CONTEXT;
}

const char *rt_fields_names(void)
{
	static char text[512];
	size_t i, n = 0;

	if (!text[0])
		for
			EACH_FIELD(i)
			{
				size_t len = strlen(names[i].name);

				if (n + len + 2 > sizeof(text))
					break;
				if (i)
					text[n++] = ',';
				memcpy(text + n, names[i].name, len + 1);
				n += len;
			}
	return text;
}

static const char *field_name(uint64_t bit)
{
	size_t i;

	for
		EACH_FIELD(i)
	if (names[i].bit & bit)
		return names[i].name;
	return "?";
}

static int find_field(const char *word, uint64_t *bit, struct rt_err *err)
{
	size_t i;

	for
		EACH_FIELD(i)
		{
			if (!strcmp(names[i].name, word)) {
				*bit = names[i].bit;
				return 0;
			}
		}
	for (i = 0; i < sizeof(not_ours) / sizeof(*not_ours); i++)
		if (!strcmp(not_ours[i], word))
			return rt_err_set(
				err, EINVAL,
				"ringtail does not print the field '%s'; 'perf script' does", word);
	return rt_err_set(err, EINVAL, "there is no field '%s'; the fields are %s,flags", word,
			  rt_fields_names());
}

static void change_field(struct rt_fields_of *of, uint64_t bit, bool add)
{
	if (add) {
		of->fields |= bit;
		of->asked |= bit;
		of->taken_away &= ~bit;
	} else {
		of->fields &= ~bit;
		of->asked &= ~bit;
		of->taken_away |= bit;
	}
	of->user_set = of->for_all = true;
}

/* Parse the words of one -F for one type of event, or for all types that can have the field. */
static int parse_words(struct rt_fields *f, char *words, int type, struct rt_err *err)
{
	enum { UNDECIDED, EXACT, CHANGE } style = UNDECIDED;
	char *word, *save = NULL;
	unsigned int i;
	uint64_t bit = 0;
	int ret;

	for (word = strtok_r(words, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		bool add = *word != '-', sign = *word == '+' || *word == '-';

		if (style != UNDECIDED && (style == CHANGE) != sign)
			return rt_err_set(
				err, EINVAL,
				"-F takes either a list of fields or changes (+field, -field), not both");
		style = sign ? CHANGE : EXACT;
		word += sign;
		if (!strcmp(word, "flags")) {
			f->flags = add;
			continue;
		}
		ret = find_field(word, &bit, err);
		if (ret)
			return ret;
		if (type >= 0) {
			struct rt_fields_of *of = &f->of[type];

			if (of->invalid & bit)
				return rt_err_set(err, EINVAL, "%s events have no field '%s'",
						  type_names[type], word);
			of->fields = add ? of->fields | bit : of->fields & ~bit;
			of->user_set = of->for_all = true;
			continue;
		}
		for (i = 0; i < RT_FIELDS_TYPES; i++)
			if (!(f->of[i].invalid & bit))
				change_field(&f->of[i], bit, add);
	}
	return 0;
}

int rt_fields_parse(struct rt_fields *f, const char *arg, struct rt_err *err)
{
	char *copy = strdup(arg), *words = copy, *colon;
	bool exact = !strchr(arg, '+') && !strchr(arg, '-');
	unsigned int i;
	int type = -1, ret;

	if (!copy)
		return rt_err_set(err, ENOMEM, "out of memory");
	/* The minus in "bpf-output" does not remove a field. */
	if (!exact && !strchr(arg, '+')) {
		const char *c;

		for (c = strchr(arg, '-'); c; c = strchr(c + 1, '-'))
			if (c == arg || c[-1] == ',' || c[-1] == ':')
				break;
		exact = !c;
	}
	colon = strchr(copy, ':');
	if (colon) {
		*colon = 0;
		words = colon + 1;
		for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
			if (!strcmp(copy, prefixes[i].prefix))
				type = (int)prefixes[i].type;
		if (type < 0) {
			ret = rt_err_set(
				err, EINVAL,
				"'%s:' is no type of event; the types are hw sw trace raw break synth",
				copy);
			goto out;
		}
		if (exact) {
			f->of[type].fields = 0;
			f->of[type].user_set = true;
			f->of[type].for_all = false;
		}
	} else {
		if (!*arg) {
			ret = rt_err_set(err, EINVAL,
					 "-F without a field would print nothing at all");
			goto out;
		}
		for (i = 0; exact && i < RT_FIELDS_TYPES; i++) {
			f->of[i].fields = 0;
			f->of[i].user_set = f->of[i].for_all = true;
		}
	}
	ret = parse_words(f, words, type, err);
out:
	free(copy);
	return ret;
}

static bool has_tracepoints(const struct rt_reader *reader)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->list[i]->attr.type == RT_TYPE_TRACEPOINT)
			return true;
	return false;
}

/* If samples lack this data, remove these fields. */
static const struct need {
	uint64_t field, sample_type;
	const char *what;
	bool aux_makes; /* decoders of hardware traces synthesize it */
} needs[] = {
	{ RT_COLUMN_IP, RT_SAMPLE_IP, "instruction addresses (IP)", false },
	{ RT_COLUMN_ADDR, RT_SAMPLE_ADDR, "data addresses (record -d)", true },
	{ RT_COLUMN_DATA_SRC, RT_SAMPLE_DATA_SRC, "data sources (record -d)", true },
	{ RT_COLUMN_WEIGHT, RT_SAMPLE_WEIGHT | RT_SAMPLE_WEIGHT_STRUCT, "weights (record -W)",
	  true },
	{ RT_COLUMN_TID | RT_COLUMN_PID, RT_SAMPLE_TID, "task ids (TID)", false },
	{ RT_COLUMN_TIME, RT_SAMPLE_TIME, "times (record -T)", false },
	{ RT_COLUMN_CPU, RT_SAMPLE_CPU, "CPU numbers (record --sample-cpu)", true },
	{ RT_COLUMN_IREGS, RT_SAMPLE_REGS_INTR, "registers (record -I)", true },
	{ RT_COLUMN_UREGS, RT_SAMPLE_REGS_USER, "user registers (record --user-regs)", false },
	{ RT_COLUMN_BRSTACK | RT_COLUMN_BRSTACKSYM | RT_COLUMN_BRSTACKOFF, RT_SAMPLE_BRANCH_STACK,
	  "branches (perf record -b)", true },
	{ RT_COLUMN_PHYS_ADDR, RT_SAMPLE_PHYS_ADDR, "physical addresses (record --phys-data)",
	  true },
	{ RT_COLUMN_DATA_PAGE_SIZE, RT_SAMPLE_DATA_PAGE_SIZE,
	  "data page sizes (record --data-page-size)", false },
	{ RT_COLUMN_CODE_PAGE_SIZE, RT_SAMPLE_CODE_PAGE_SIZE,
	  "code page sizes (record --code-page-size)", false },
	{ RT_COLUMN_INS_LAT, RT_SAMPLE_WEIGHT_STRUCT, "instruction latencies (record -W)", false },
};

static int check_event(struct rt_fields *f, const struct rt_reader *reader,
		       const struct rt_perf_event *e, struct rt_err *err)
{
	struct rt_fields_of *of = &f->of[rt_fields_type(e->attr.type)];
	const struct rt_env *env = rt_reader_env(reader);
	bool aux = rt_env_has(env, RT_FEATURE_AUXTRACE);
	bool addresses = rt_perf_event_has(e, RT_SAMPLE_IP | RT_SAMPLE_ADDR);
	size_t i;

	if (rt_perf_event_is_dummy(e) || rt_env_has(env, RT_FEATURE_STAT) || !of->fields)
		return 0;
	if (of->fields & RT_COLUMN_TRACE && !has_tracepoints(reader))
		return rt_err_set(err, EINVAL,
				  "the file has no tracepoints: leave 'trace' out of -F");
	for (i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		const struct need *n = &needs[i];

		if (!(of->fields & n->field) || rt_perf_event_has(e, n->sample_type))
			continue;
		if (!(of->asked & n->field))
			of->fields &= ~n->field;
		else if (!(n->aux_makes && aux))
			return rt_err_set(
				err, EINVAL,
				"event '%s' was recorded without %s: leave '%s' out of -F",
				rt_perf_event_name(e), n->what, field_name(of->asked & n->field));
	}
	if (of->fields & (RT_COLUMN_SYM | RT_COLUMN_DSO) && !addresses)
		return rt_err_set(
			err, EINVAL,
			"event '%s' was recorded without addresses: leave 'sym' and 'dso' out of -F",
			rt_perf_event_name(e));
	if (of->fields & RT_COLUMN_SYMOFF && !(of->fields & RT_COLUMN_SYM))
		return rt_err_set(err, EINVAL, "-F symoff needs sym");
	if (of->fields & (RT_COLUMN_SRCLINE | RT_COLUMN_SRCCODE) && !(of->fields & RT_COLUMN_IP))
		return rt_err_set(err, EINVAL, "-F srcline needs ip");
	return 0;
}

static bool has_chain(const struct rt_perf_event *e)
{
	return rt_perf_event_has(e, RT_SAMPLE_CALLCHAIN);
}

int rt_fields_check(struct rt_fields *f, const struct rt_reader *reader, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	struct rt_fields_of *trace = &f->of[RT_TYPE_TRACEPOINT];
	bool tod = false, chains = false, trace_chains = false;
	unsigned int type;
	size_t i;
	int ret;

	for (type = 0; type < RT_FIELDS_TYPES; type++) {
		const struct rt_perf_event *first = NULL;

		for (i = 0; i < events->count && !first; i++)
			if (!rt_perf_event_is_dummy(events->list[i]) &&
			    rt_fields_type(events->list[i]->attr.type) == type)
				first = events->list[i];
		if (!first && f->of[type].user_set && !f->of[type].for_all &&
		    type != RT_FIELDS_SYNTH && events->count)
			return rt_err_set(err, EINVAL,
					  "the file has no %s events: remove the -F for them",
					  type_names[type]);
		if (!first)
			continue;
		ret = check_event(f, reader, first, err);
		if (ret)
			return ret;
		tod |= !!(f->of[type].fields & RT_COLUMN_TOD);
	}
	for (i = 0; i < events->count; i++) {
		chains |= has_chain(events->list[i]);
		trace_chains |= events->list[i]->attr.type == RT_TYPE_TRACEPOINT &&
				has_chain(events->list[i]);
	}
	f->callchain = !f->no_callchain && (chains || !events->count);
	/* For a tracepoint, the callers' addresses say more than its own. */
	if (f->callchain && trace_chains && !trace->user_set)
		trace->fields |= RT_COLUMN_IP | RT_COLUMN_SYM | RT_COLUMN_SYMOFF | RT_COLUMN_DSO;
	if (tod && !rt_reader_env(reader)->clock.present)
		return rt_err_set(
			err, EINVAL,
			"the file does not tell the time of day: record with -k CLOCKID, or leave 'tod' out of -F");
	return 0;
}

int rt_fields_check_event(struct rt_fields *f, const struct rt_reader *reader,
			  const struct rt_perf_event *event, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	unsigned int type = rt_fields_type(event->attr.type);
	const uint64_t stack = RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;
	uint64_t all = 0;
	size_t i;
	int ret;

	for (i = 0; i <= event->index && i < events->count; i++)
		all |= events->list[i]->attr.sample_type;
	if (event->attr.type > RT_TYPE_BREAKPOINT && event->attr.type != RT_TYPE_SYNTH)
		return 0;
	for (i = 0; i < event->index && i < events->count; i++)
		if (events->list[i]->attr.type == event->attr.type)
			return 0;
	if (event->attr.sample_type) {
		ret = check_event(f, reader, event, err);
		if (ret)
			return ret;
	}
	if (f->callchain &&
	    (all & (RT_SAMPLE_CALLCHAIN | RT_SAMPLE_BRANCH_STACK) || (all & stack) == stack)) {
		struct rt_fields_of *of = &f->of[type];

		of->fields |= (RT_COLUMN_IP | RT_COLUMN_SYM) & ~of->taken_away;
	}
	return 0;
}
