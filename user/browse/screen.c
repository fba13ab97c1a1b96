// SPDX-License-Identifier: GPL-2.0
#include "browse/screen.h"

#include <errno.h>
#include <stdlib.h>

#ifdef RT_NCURSES
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS
#include <curses.h>

#define CELLS_MAX    1024 /* of one row */
#define ESCAPE_DELAY 25	  /* milliseconds in which the rest of a function key must come */

static struct {
	SCREEN *screen;
	FILE *in;
	bool colours;
	/* For the signal handler: */
	int fd;
	struct termios before;
	char leave[128]; /* what the terminal must be sent */
	size_t leave_len;
} screen;

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static struct sigaction old[sizeof(ends) / sizeof(ends[0])];

/* ---- restoring the terminal ------------------------------------------------------------- */

/* Append a capability without its delays, which only tputs() could honour. */
static void add_leave(const char *name)
{
	const char *text = tigetstr(name);

	if (!text || text == (const char *)-1)
		return;
	for (; *text && screen.leave_len < sizeof(screen.leave); text++) {
		if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
			text = strchr(text, '>');
		else
			screen.leave[screen.leave_len++] = *text;
	}
}

/* Only calls that are safe in a signal handler.  The signal takes effect on return. */
static void end_by_signal(int sig)
{
	ssize_t ret = write(screen.fd, screen.leave, screen.leave_len);

	(void)ret;
	tcsetattr(screen.fd, TCSANOW, &screen.before);
	raise(sig);
}

static void catch_signals(void)
{
	struct sigaction act = { .sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (old[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &act, NULL);
}

bool rt_screen_possible(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb");
}

/* ---- opening ---------------------------------------------------------------------------- */

/* Standard input may be the recording. */
static FILE *open_keyboard(void)
{
	FILE *in = fopen("/dev/tty", "re");
	int fd;

	if (in || !isatty(STDIN_FILENO))
		return in;
	fd = dup(STDIN_FILENO);
	return fd < 0 ? NULL : fdopen(fd, "r");
}

static void choose_colours(void)
{
	const char *no = getenv("NO_COLOR");

	screen.colours = !(no && *no) && has_colors() && start_color() == OK;
	if (!screen.colours)
		return;
	use_default_colors();
	init_pair(RT_STYLE_HIGH, COLOR_RED, -1);
	init_pair(RT_STYLE_MIDDLE, COLOR_GREEN, -1);
}

int rt_screen_open(FILE *terminal, struct rt_err *err)
{
	const char *term = getenv("TERM");
	size_t i;

	memset(&screen, 0, sizeof(screen));
	screen.fd = fileno(terminal);
	if (!isatty(screen.fd) || tcgetattr(screen.fd, &screen.before))
		return rt_err_set(
			err, ENOTTY,
			"--tui needs a terminal; --stdio prints text into a file or pipe");
	screen.in = open_keyboard();
	if (!screen.in)
		return rt_err_set(err, ENOTTY,
				  "there is no terminal to read keys from: %s; use --stdio",
				  strerror(errno));
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], NULL, &old[i]);
	setlocale(LC_CTYPE, "");
	screen.screen = newterm(NULL, terminal, screen.in);
	if (!screen.screen) {
		fclose(screen.in);
		return rt_err_set(
			err, ENOTTY,
			"nothing is known about the terminal '%.40s'; set TERM, for example to xterm, or use --stdio",
			term ? term : "");
	}
	add_leave("sgr0");
	add_leave("rmkx");
	add_leave("cnorm");
	add_leave("rmcup");
	catch_signals();
	set_escdelay(ESCAPE_DELAY);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	choose_colours();
	return 0;
}

void rt_screen_close(void)
{
	size_t i;

	endwin();
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], &old[i], NULL);
	delscreen(screen.screen);
	fclose(screen.in);
}

/* ---- keys ------------------------------------------------------------------------------- */

static const struct {
	wint_t curses;
	int key;
} keys[] = {
	{ KEY_UP, RT_KEY_UP },
	{ KEY_DOWN, RT_KEY_DOWN },
	{ KEY_LEFT, RT_KEY_LEFT },
	{ KEY_RIGHT, RT_KEY_RIGHT },
	{ KEY_PPAGE, RT_KEY_PAGE_UP },
	{ KEY_NPAGE, RT_KEY_PAGE_DOWN },
	{ KEY_HOME, RT_KEY_HOME },
	{ KEY_END, RT_KEY_END },
	{ KEY_BTAB, RT_KEY_BACKTAB },
	{ KEY_F(1), RT_KEY_HELP },
	{ KEY_RESIZE, RT_KEY_RESIZE },
	{ KEY_ENTER, RT_KEY_ENTER },
	{ KEY_BACKSPACE, RT_KEY_BACKSPACE },
};

int rt_screen_key(int wait)
{
	wint_t got = 0;
	size_t i;
	int ret;

	wtimeout(stdscr, wait);
	errno = 0;
	ret = wget_wch(stdscr, &got);
	if (ret == ERR)
		return wait < 0 && errno != EINTR ? RT_KEY_GONE : RT_KEY_NONE;
	if (ret == KEY_CODE_YES) {
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (keys[i].curses == got)
				return keys[i].key;
		return RT_KEY_OTHER;
	}
	switch (got) {
	case '\r':
		return RT_KEY_ENTER;
	case '\b':
		return RT_KEY_BACKSPACE;
	case 0:
		return RT_KEY_OTHER;
	default:
		return (int)got;
	}
}

/* ---- text ------------------------------------------------------------------------------- */

void rt_screen_size(int *rows, int *columns)
{
	*rows = getmaxy(stdscr);
	*columns = getmaxx(stdscr);
}

void rt_screen_clear(void)
{
	werase(stdscr);
}

static void set_style(enum rt_screen_style style)
{
	wattrset(stdscr, A_NORMAL);
	if (style == RT_STYLE_SELECTED)
		wattron(stdscr, A_REVERSE);
	else if (style == RT_STYLE_TITLE)
		wattron(stdscr, A_BOLD);
	else if (style != RT_STYLE_PLAIN && screen.colours)
		wattron(stdscr, COLOR_PAIR(style));
}

/* One character and the cells that it takes; returns its bytes. */
static size_t next_cell(const char *text, size_t len, wchar_t *c, int *cells)
{
	mbstate_t state = { 0 };
	size_t used = mbrtowc(c, text, len, &state);

	*cells = used && used <= len ? wcwidth(*c) : -1;
	if (*cells > 0)
		return used;
	*c = L'?';
	*cells = 1;
	return used && used <= len ? used : 1;
}

static int put(int row, int column, const char *text, size_t len, int skip)
{
	int room = getmaxx(stdscr) - column, n = 0, at = 0, cells;
	wchar_t line[CELLS_MAX], c;

	if (room > CELLS_MAX)
		room = CELLS_MAX;
	while (len) {
		size_t used = next_cell(text, len, &c, &cells);

		text += used;
		len -= used;
		if (skip > 0) {
			skip -= cells;
			continue;
		}
		if (at + cells > room)
			break;
		line[n++] = c;
		at += cells;
	}
	if (n)
		mvwaddnwstr(stdscr, row, column, line, n);
	return column + at;
}

void rt_screen_put(int row, int column, enum rt_screen_style style, const char *text, size_t len,
		   int skip)
{
	set_style(style);
	put(row, column, text, len, skip);
	set_style(RT_STYLE_PLAIN);
}

void rt_screen_line(int row, enum rt_screen_style style, const char *text, size_t len, int skip)
{
	int columns = getmaxx(stdscr), at;

	set_style(style);
	at = put(row, 0, text, len, skip);
	if (at < columns)
		mvwhline(stdscr, row, at, ' ' | (style == RT_STYLE_SELECTED ? A_REVERSE : A_NORMAL),
			 columns - at);
	set_style(RT_STYLE_PLAIN);
}

void rt_screen_show(int cursor)
{
	curs_set(cursor >= 0);
	if (cursor >= 0)
		wmove(stdscr, getmaxy(stdscr) - 1, cursor);
	wrefresh(stdscr);
}

#else /* without ncurses; nothing else is called when opening fails */

bool rt_screen_possible(void)
{
	return false;
}

int rt_screen_open(FILE *terminal, struct rt_err *err)
{
	return rt_err_set(
		err, ENOTSUP,
		"this ringtail was built without ncurses; install libncurses-dev (RPM: ncurses-devel) and build it again, or use --stdio");
}

void rt_screen_close(void)
{
}

void rt_screen_size(int *rows, int *columns)
{
	*rows = *columns = 0;
}

int rt_screen_key(int wait)
{
	return RT_KEY_GONE;
}

void rt_screen_clear(void)
{
}

void rt_screen_put(int row, int column, enum rt_screen_style style, const char *text, size_t len,
		   int skip)
{
}

void rt_screen_line(int row, enum rt_screen_style style, const char *text, size_t len, int skip)
{
}

void rt_screen_show(int cursor)
{
}

#endif
