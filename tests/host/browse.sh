#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# browse - the browser of `ringtail report`, driven and read through tmux: it shows the lines and call
# graphs that `report --stdio` prints, on any size of terminal, while it reads and after; and it leaves
# the terminal as it was, however it ends.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
corpus_host || { echo "Bail out! perf cannot record here"; exit 1; }
command -v tmux >/dev/null || { echo "Bail out! tmux is missing"; exit 1; }
dir=$(mktemp -d)
export TMUX_TMPDIR=$dir LC_ALL=C.UTF-8
unset TMUX NO_COLOR
trap 'tmux kill-server 2>/dev/null; rm -rf "$dir"' EXIT
# Each terminal has a server of its own: one that ends and one that begins must not meet.
terminal=0
tmux() { command tmux -L "$terminal" "$@"; }

# --- the terminal ---------------------------------------------------------------------------

open_at() { # COLUMNS ROWS COMMAND: a shell command in a new terminal; it leaves its status and stty's words
	tmux kill-server 2>/dev/null
	terminal=$((terminal + 1))
	rm -f "$dir/status" "$dir/stty"
	tmux -f /dev/null new-session -d -x "$1" -y "$2" \
		"trap : INT; cd '$dir'; echo before; $3 2>'$dir/err'; echo \$? >'$dir/status.new'; stty -a >'$dir/stty'; echo after; mv '$dir/status.new' '$dir/status'; exec cat"
}
browse() { # FILE OPTION…: at 24 rows, on so many columns that none is narrower than its texts
	local file=$1
	shift
	open_at 120 24 "$environment '$ringtail' report -i '$file' $*"
}
environment=
keys() { tmux send-keys "$@"; }
typed() { tmux send-keys -l "$1"; }
screen() { tmux capture-pane -p; }

until_true() { # COMMAND…: within a minute
	for _ in $(seq 600); do
		"$@" && return
		tmux has-session 2>/dev/null || break
		sleep 0.1
	done
	diag "still not so: $*"
	screen | sed 's/^/# /'
	return 1
}
# shellcheck disable=SC2317 # until_true calls them
screen_has() { screen | grep -Eq -- "$1"; }
# shellcheck disable=SC2317
screen_lacks() { ! screen_has "$1"; }
sees() { # PATTERN WHAT
	until_true screen_has "$1"
	tap_point $? "$2"
}
# shellcheck disable=SC2317
ended() { [ -e "$dir/status" ]; }
ends() { # STATUS WHAT: the program ends, and the terminal is as before
	until_true ended
	is "$(cat "$dir/status" 2>/dev/null)" "$1" "$2: status"
	until_true screen_has '^ *after'
	# A terminal without a second screen keeps what was on it.
	[ "$environment" = TERM=vt100 ] || like "$(screen | head -n 1)" '^before' "$2: the terminal shows what it showed before"
	like "$(cat "$dir/stty")" ' icanon .* echo ' "$2: its settings are as before"
}
# shellcheck disable=SC2317
settled() { screen_has '^row [0-9]+ of'; }

# shellcheck disable=SC2317
settled_or_ended() { ended || settled; }

# Lines of a table; the list may have a sign in front of them.
lines() { sed -nE 's/^[-+ ]( +[0-9]+\.[0-9]+% .*[^ ]) *$/ \1/p'; }
shown() { screen | lines | cut -c "1-$1" | sed 's/ *$//'; }
printed() { # FILE ROWS COLUMNS OPTION…
	local file=$1 rows=$2 columns=$3
	shift 3
	"$ringtail" report --stdio -i "$file" "$@" 2>/dev/null | lines | head -n "$rows" | cut -c "1-$columns" | sed 's/ *$//'
}
# shellcheck disable=SC2317 # until_true calls it
shows_wanted() { # COLUMNS
	shown "$1" >"$dir/got"
	cmp -s "$dir/want" "$dir/got"
}
# The list shows what report prints, once it is drawn: after a key or a new size the screen may still
# be the old one, or half of each.
same_lines() { # WHAT FILE ROWS COLUMNS OPTION…
	local what=$1 columns=$4
	shift
	until_true settled
	printed "$@" >"$dir/want"
	[ -s "$dir/want" ] && until_true shows_wanted "$columns" >"$dir/waited"
	tap_point $? "$what" || { cat "$dir/waited"; diff "$dir/want" "$dir/got" | head -n 10 | sed 's/^/# /'; }
}

stacks=$corpus/stacks.data

# --- lines and call graphs ---------------------------------------------------------------------

browse "$stacks"
sees "^Samples: [0-9]+K? *of event 'cpu-clock.*Event count" "on a terminal, report opens the browser"
sees '^  Children +Self +Command' "the columns have names"
same_lines "the lines are those of report --stdio" "$stacks" 21 80
keys +
sees '^- ' "+ opens the call graph of a line"
keys +
until_true screen_lacks '^- '
same_lines "+ closes it again" "$stacks" 21 80
keys E
until_true screen_has '^row 1 of [0-9]{3}'
keys P C-u
typed "$dir/all.txt"
keys Enter
sees "wrote [0-9]+ rows into" "P writes what is shown"
graph() { sed -E '/^#/d; s/^[ |]*//; s/^---//; s/ +$//; /^$/d'; }
"$ringtail" report --stdio -i "$stacks" 2>/dev/null | graph >"$dir/want"
graph <"$dir/all.txt" >"$dir/got"
cmp -s "$dir/want" "$dir/got"
tap_point $? "with everything open, it is what report --stdio prints: $(wc -l <"$dir/want") lines" ||
	diff "$dir/want" "$dir/got" | head -n 10 | sed 's/^/# /'
keys P C-u
typed "$dir/all.txt"
keys Enter
sees 'exists; P again' "an existing file is not overwritten"
keys C
until_true screen_lacks '^- '
same_lines "C closes everything" "$stacks" 21 80
keys End
sees '^row ([0-9]+) of \1' "End goes to the last row"
keys Home
sees '^row 1 of' "Home to the first"
keys '?'
sees 'open or close what is below the row' "? shows the keys"
keys q
same_lines "q leaves the help" "$stacks" 21 80
keys i
sees 'captured on' "i shows the header"
keys Escape
until_true settled
keys q
ends 0 'q'

# --- levels -----------------------------------------------------------------------------------

table() { sed -E '/^#/d; s/ +$//; /^$/d'; }
"$ringtail" report --stdio -i "$stacks" --hierarchy -g none 2>/dev/null | table >"$dir/want"
# A line of the first level has the fewest blanks in front of its name.
column=$(grep -o '^ *[0-9.]*% *' "$dir/want" | awk '{ print length }' | sort -n | head -n 1)
first=$(grep -Ec "^.{$column}[^ ]" "$dir/want")
browse "$stacks" --hierarchy -g none
sees 'Overhead +Command / Shared Object / Symbol' "--hierarchy: the column of all levels has a name"
sees "^row 1 of $first;" "only the first level is open"
keys +
sees '^- ' "+ opens a line"
sees '^   \+ ' "and shows the next level"
keys +
sees "^row 1 of $first;" "+ closes it again"
keys E
sees "^row 1 of $(wc -l <"$dir/want");" "E opens all levels"
keys P C-u
typed "$dir/levels.txt"
keys Enter
sees "wrote [0-9]+ rows into" "P writes them"
table <"$dir/levels.txt" >"$dir/got"
cmp -s "$dir/want" "$dir/got"
tap_point $? "they are what report --stdio --hierarchy prints: $(wc -l <"$dir/want") lines" ||
	diff "$dir/want" "$dir/got" | head -n 10 | sed 's/^/# /'
keys d
sees 'several objects are below this row' "d needs a row of one object"
keys Down d
sees '^Object ' "and zooms into that of the next level"
keys Escape
until_true screen_lacks '^Object'
keys C
sees "^row 1 of $first;" "C closes all levels"
keys /
typed leaf
keys Enter
sees "^Only 'leaf'" "/ filters"
sees '\[\.\] leaf' "and shows what it finds in closed levels, with the lines above it"
keys q
ends 0 'levels'
browse "$stacks" --hierarchy
until_true settled
keys E P C-u
typed "$dir/graphs.txt"
keys Enter
sees "wrote [0-9]+ rows into" "levels and call graphs are written"
"$ringtail" report --stdio -i "$stacks" --hierarchy 2>/dev/null | graph >"$dir/want"
graph <"$dir/graphs.txt" >"$dir/got"
cmp -s "$dir/want" "$dir/got"
tap_point $? "call graphs are below the last level as in report --stdio: $(wc -l <"$dir/want") lines" ||
	diff "$dir/want" "$dir/got" | head -n 10 | sed 's/^/# /'
keys q
ends 0 'levels with call graphs'

# --- parts of the recording ---------------------------------------------------------------------

browse "$stacks" --no-children
until_true settled
keys t
sees '^Thread [^ ]+\([0-9]+\)' "t zooms into a thread"
tid=$(screen | sed -nE '1s/^Thread [^(]+\(([0-9]+)\).*/\1/p')
same_lines "its lines are those of --tid" "$stacks" 21 80 --no-children --tid "$tid"
keys Escape
until_true screen_lacks '^Thread'
same_lines "Esc goes back" "$stacks" 21 80 --no-children
keys k
sees '^Object \[kernel' "k zooms into the kernel"
"$ringtail" report --stdio -i "$stacks" --no-children --dsos '[kernel.kallsyms]' 2>/dev/null | lines | head -n 21 | awk '{ print $1, $2, substr($NF, 1, 24) }' >"$dir/want"
# shellcheck disable=SC2317 # until_true calls it
shows_kernel() {
	# The screen ends within a long name.
	shown 200 | awk '{ print $1, $2, substr($NF, 1, 24) }' >"$dir/got"
	cmp -s "$dir/want" "$dir/got"
}
until_true shows_kernel
tap_point $? "its lines are those of --dsos" || diff "$dir/want" "$dir/got" | head -n 10 | sed 's/^/# /'
keys k
until_true screen_lacks '^Object'
keys /
typed leaf
keys Enter
sees "^Only 'leaf'" "/ filters"
# shellcheck disable=SC2317 # until_true calls it
shows_only() { [ "$(shown 200 | grep -c "$1")" -gt 0 ] && [ "$(shown 200 | grep -vc "$1")" = 0 ]; }
until_true shows_only leaf
tap_point $? "only lines with the text are shown"
keys Escape
until_true screen_lacks "^Only"
keys f
typed leaf
keys Enter
until_true screen_lacks '^Find:'
row=$(printed "$stacks" 1000 200 --no-children | grep -n leaf | head -n 1 | cut -d: -f1)
first=$(printed "$stacks" 1 200 --no-children | grep -c leaf)
[ "$first" = 0 ] || row=$(printed "$stacks" 1000 200 --no-children | grep -n leaf | sed -n 2p | cut -d: -f1)
sees "^row ${row:-1} of" "f finds a row"
keys s
sees '^Sort by' "s offers the columns"
keys Down Down Down Enter
# shellcheck disable=SC2317 # until_true calls it
shows_sorted() { settled && shown 200 | sed -n 's/.*\[.\] \([^0]\)/\1/p' >"$dir/got" && [ -s "$dir/got" ] && LC_ALL=C sort -c "$dir/got" 2>/dev/null; }
until_true shows_sorted
tap_point $? "lines are sorted by the symbol"
keys s End Enter
typed cpu
keys Enter
until_true screen_has 'CPU'
same_lines "other sort keys read the recording again" "$stacks" 21 80 --no-children -s cpu
keys s End Enter C-u
typed nonsense
keys Enter
sees "'nonsense' is no sort key" "an unknown sort key is refused"
keys r
sees '^ringtail script --time' "r shows what script prints"
until_true screen_has 'line 1 of'
time=$(screen | sed -nE '1s/.*--time ([0-9.]+,).*/\1/p')
want=$("$ringtail" script -i "$stacks" --time "$time" 2>/dev/null | head -n 1 | cut -c 1-80 | sed 's/ *$//')
# shellcheck disable=SC2317 # until_true calls it
shows_second() { [ "$(screen | sed -n 2p)" = "$1" ]; }
until_true shows_second "$want"
tap_point $? "from the first sample of the row on"
keys q
until_true settled
keys Enter
sees '^What to do' "Enter offers a menu"
keys End Enter
ends 0 'Quit in the menu'

browse "$corpus/mixed.data"
sees '^Event 1 of [23]' "the first of several events is shown"
keys Tab
sees '^Event 2 of [23]' "Tab shows the next"
keys v
sees '^ +Samples  Event' "v lists the events"
keys Home Enter
sees '^Event 1 of [23]' "and chooses one"
keys q
ends 0 'several events'
browse "$corpus/group.data"
sees "of events 'anon group" "a group of events is one table"
same_lines "with the lines of report --stdio" "$corpus/group.data" 21 80
keys q
ends 0 'a group'
browse "$corpus/trace.data" -s next_comm
sees '^Event 1 of .*sched_switch' "until the user chooses, the first event is shown"
sees 'next_comm' "fields of tracepoints are columns"
keys q
ends 0 'tracepoints'

# --- terminals --------------------------------------------------------------------------------------

open_at 40 10 "'$ringtail' report -i '$stacks'"
same_lines "40x10, with less of the other columns than of the symbols" "$stacks" 7 40 -w 0,0,4,4
keys Right
until_true screen_has '^ *(Self|en +Self)'
tap_point $? "Right shows more of long lines"
keys Left
same_lines "and Left the beginning" "$stacks" 7 40 -w 0,0,4,4
tmux resize-window -x 200 -y 50
until_true screen_has 'Symbol'
same_lines "the list follows the terminal to 200x50" "$stacks" 47 200
tmux resize-window -x 80 -y 24
# shellcheck disable=SC2317 # until_true calls it
fits_24_rows() { screen | sed -n 24p | grep -q '^row 1 of'; }
until_true fits_24_rows
same_lines "and to 80x24" "$stacks" 21 80 -w 0,0,12,12
tmux resize-window -x 10 -y 3
until_true screen_has '^row'
tap_point $? "and to 10x3"
keys q
ends 0 'after resizing'
environment='TERM=vt100'
browse "$stacks"
same_lines "TERM=vt100" "$stacks" 21 80
keys q
ends 0 'vt100'
colours() { tmux capture-pane -p -e | grep -Ec $'\e\\[[0-9;]*3[0-7]m'; }
environment='NO_COLOR=1'
browse "$stacks"
until_true settled
is "$(colours)" 0 "NO_COLOR: no colours"
keys q
ends 0 'NO_COLOR'
environment=
browse "$stacks"
# shellcheck disable=SC2317 # until_true calls it
has_colours() { settled && [ "$(colours)" != 0 ]; }
until_true has_colours
tap_point $? "colours otherwise"
keys C-c
ends 130 'Ctrl-C'
browse "$stacks"
until_true settled
pid=$(pgrep -P "$(tmux display-message -p "#{pane_pid}")" ringtail)
kill -TERM "$pid"
ends 143 'SIGTERM'

# --- bad input ----------------------------------------------------------------------------------------

head -c $(($(stat -c %s "$stacks") * 2 / 3)) "$stacks" >"$dir/cut.data"
browse "$dir/cut.data"
sees '^row .*; ' "a damaged file is shown as far as it goes"
keys E
until_true settled
keys q
ends 1 'a damaged file'
like "$(cat "$dir/err")" 'cut.data' "the error is printed at the end"
# What is asked when the keys below have done their work depends on what is left of the file.
# shellcheck disable=SC2317 # until_true calls it
quits() { ended || { keys Escape q; ended; }; }
bad=0
for seed in 1 2 3 4 5 6; do
	perl tests/host/lib/perfdata-hit.pl "$seed" "$stacks" "$dir/hit.data"
	browse "$dir/hit.data"
	until_true settled_or_ended
	ended || keys E t Escape Down d s Enter
	until_true quits
	[ "$(cat "$dir/status")" -le 2 ] || { bad=$((bad + 1)); sed 's/^/# /' "$dir/err" | head -n 5; }
done
is "$bad" 0 "files with eight bytes changed harm nothing"
perl -0777 -pe 's/second thread\0/s\e[2Jc\x{9b}d \xff\a!!\0/g' "$stacks" >"$dir/names.data"
browse "$dir/names.data" -s comm
sees 's\?\[2Jc\?d \?\?!!' "control characters in names are replaced"
keys q
ends 0 'hostile names'
: >"$dir/empty.data"
browse "$dir/empty.data"
until_true ended
is "$(cat "$dir/status")" 1 "an empty file is refused"
"$ringtail" report --tui -i "$stacks" >"$dir/out" 2>"$dir/err"
is "$?:$(grep -c 'needs a terminal' "$dir/err")" 1:1 "--tui needs a terminal"
"$ringtail" report --tui --stdio -i "$stacks" >"$dir/out" 2>"$dir/err"
is "$?:$(grep -c 'exclude each other' "$dir/err")" 2:1 "--tui and --stdio exclude each other"
environment='TERM=nonsense'
browse "$stacks" --tui
until_true ended
is "$(cat "$dir/status"):$(grep -c "known about the terminal 'nonsense'" "$dir/err")" 1:1 "an unknown terminal is refused"
environment='TERM=dumb'
browse "$stacks" -q
until_true ended
is "$(cat "$dir/status")" 0 "a dumb terminal gets text"
environment=

# --- while reading -------------------------------------------------------------------------------------

# A recording without an end: the samples of a pipe again and again.
cat >"$dir/endless.pl" <<'PERL'
local $/; open my $f, "<:raw", $ARGV[0]; my $d = <$f>; my ($at, $head, $samples) = (16, "", "");
while ($at + 8 <= length $d) { my ($type, $misc, $size) = unpack "LSS", substr $d, $at, 8; last if $size < 8;
	if ($type == 9) { $samples .= substr $d, $at, $size } elsif ($type != 68) { $head .= substr $d, $at, $size } $at += $size }
binmode STDOUT; $| = 1; print substr($d, 0, 16), $head; print $samples, pack("LSS", 68, 0, 8) while 1;
PERL
open_at 80 24 "perl '$dir/endless.pl' '$corpus/pipe.data' | '$ringtail' report -i -"
sees '^Reading, [0-9]+ records' "the browser shows what it has while it reads"
sees '^[-+ ] +[0-9]+\.[0-9]+% .*leaf' "lines appear before the end"
keys +
sees '^- ' "call graphs open meanwhile"
records() { screen | sed -nE 's/^Reading, ([0-9]+) records.*/\1/p'; }
seen=$(records)
# shellcheck disable=SC2317 # until_true calls it
reads_on() { [ "$(records)" -gt "${seen:-0}" ]; } 2>/dev/null
until_true reads_on
sees '^- ' "and stay open while the list is filled"
keys Down Down
keys q
ends 0 'q while reading'

# A pipe that stays open, but nothing more comes.  Samples are in order, and are shown, once two more
# rounds have ended: how many the recording itself has depends on the machine.
mkfifo "$dir/fifo"
exec 9<>"$dir/fifo"
{ cat "$corpus/pipe.data"; perl -e 'print pack("LSS", 68, 0, 8) x 2'; } >&9 &
open_at 80 24 "'$ringtail' report -i - <'$dir/fifo'"
sees '^[-+ ] +[0-9]+\.[0-9]+% .*leaf' "what came through a pipe is shown before its end"
keys E
sees '^- ' "and can be looked at"
keys i
sees 'q goes back' "keys work while the pipe is empty"
keys q
until_true screen_has '^Reading'
keys q
ends 0 'q while a pipe is empty'
exec 9>&-

# --- long names in the other columns --------------------------------------------------------------

# The columns in front of the symbols get narrower on a screen of 80 columns; Right shows all of them.
cp "$corpus/work" "$dir/a-program-with-a-name-that-is-long"
perf record -q -g -e cpu-clock -o "$dir/long.data" -- "$dir/a-program-with-a-name-that-is-long" 300 >/dev/null 2>&1
open_at 80 24 "'$ringtail' report -i long.data"
until_true settled
named=$(screen | sed -n 2p)
ahead=${named%%Symbol*}
ok "80 columns: the symbols have $((80 - ${#ahead})) of them" test $((80 - ${#ahead})) -ge 30 -a "$ahead" != "$named"
top=$("$ringtail" report --stdio -q -g none -i "$dir/long.data" 2>/dev/null | sed -n '/\S/{s/.* \(\[[.k]\] .*\)/\1/p; q}')
like "$(screen | sed -n 3p)" "$(printf '%.25s' "$top" | sed 's/[][.*$^\\]/\\&/g')" "80 columns: the first line has its symbol, $top"
keys Right
sees '-name-that-is-long' "Right shows the whole name of the object"
keys Left
keys /
typed name-that-is-long
keys Enter
sees "Only 'name-that-is-long'" "/ also finds the part of a name that is not shown"
until_true settled
ok "and its lines" test "$(screen | lines | wc -l)" -gt 3
keys q
ends 0 "long names"

done_testing
