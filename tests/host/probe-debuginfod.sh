#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# probe-debuginfod - debug information from a server: fetched once, and what is said if there is none.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
rt=$PWD/build/san/ringtail
source=$PWD/tests/programs/probe-names.c
dir=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
gcc -O2 -g -Wl,--build-id -o full "$source" && strip -o stripped full || exit 1
id=$(readelf -n full | sed -n 's/.*Build ID: //p')
mkdir -p "served/buildid/$id"
objcopy --only-keep-debug full "served/buildid/$id/debuginfo"
unset DEBUGINFOD_TIMEOUT DEBUGINFOD_PROGRESS
export HOME=$dir XDG_CACHE_HOME=$dir/cache

# A server that answers /buildid/ID/debuginfo, and never answers if the file "silent" exists.
cat >server.py <<'END'
import http.server, os, time
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        while os.path.exists("../silent"):
            time.sleep(0.1)
        try:
            super().do_GET()
        except BrokenPipeError:
            pass
    def log_message(self, *words):
        with open("../asked", "a") as log:
            log.write(self.path + "\n")
os.chdir("served")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open("../port.new", "w") as out:
    out.write(str(server.server_port))
os.rename("../port.new", "../port")
server.serve_forever()
END
python3 server.py &
server=$!
for _ in $(seq 600); do [ -e port ] && break; sleep 0.1; done
DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)
export DEBUGINFOD_URLS

want=$("$rt" probe -x ./full -D 'work count' | sed 's/full/stripped/g')
like "$want" '^p:probe_stripped/work .* count=' "with debug information of its own"
is "$("$rt" probe -x ./stripped -D 'work count' 2>&1)" "$want" "fetched from a server"
like "$(cat asked)" "^/buildid/$id/debuginfo$" "by its build-id"
: >asked
is "$("$rt" probe -x ./stripped -D 'work count' 2>&1)" "$want" "again"
is "$(cat asked)" "" "without asking again"
rm -rf cache/debuginfod_client .debuginfod_client_cache

# Source that is not here.
printf '#include <stdio.h>\nint main(int c, char **v)\n{\n\treturn puts(v[0]) < c;\n}\n' >away.c
gcc -O0 -g -Wl,--build-id -o sourced "$dir/away.c" || exit 1
own=$(readelf -n sourced | sed -n 's/.*Build ID: //p')
mkdir -p "served/buildid/$own/source$dir" && mv away.c "served/buildid/$own/source$dir/" || exit 1
like "$("$rt" probe -x ./sourced -L main | tr '\n' ' ')" "^<main@$dir/away.c:2>"'.*.*return puts.v.0..' "the source is fetched from a server"
like "$(cat asked)" "^/buildid/$own/source$dir/away.c" "by its build-id and path"
: >asked
rm -rf cache/debuginfod_client .debuginfod_client_cache
# A terminal sees nothing of a short download but must get the same result.
is "$(script -qec "$rt probe -x ./stripped -D 'work count'" /dev/null </dev/null | tr -d '\r')" "$want" "on a terminal"
rm -rf cache

# refused REGEX SENTENCE
refused() {
	said=$(timeout 120 "$rt" probe -x ./stripped -D 'work count' 2>&1 >/dev/null)
	is "$? $(wc -l <<<"$said")" "1 1" "$2: refused in one line"
	like "$said" "$1" "$2: with the reason"
}
mv "served/buildid/$id" served/away
refused "no server of DEBUGINFOD_URLS has the debug information $id" "a server that lacks it"
rm -rf cache
: >silent
DEBUGINFOD_TIMEOUT=1 refused 'sent nothing for 1 seconds; unset it, or set DEBUGINFOD_TIMEOUT' "a server that hangs"
rm -rf cache

# Ctrl-C while the server hangs.
: >asked
"$rt" probe -x ./stripped -D 'work count' 2>err >/dev/null &
pid=$!
for _ in $(seq 600); do
	grep -q "^SigCgt:.*[2367abef]$" "/proc/$pid/status" && break
	sleep 0.1
done
kill -INT "$pid"
wait $pid
is "$?" 1 "Ctrl-C ends it"
like "$(cat err)" 'interrupted while debug information .* was downloaded' "and it says so"
rm silent

rm -rf cache
DEBUGINFOD_URLS=http://127.0.0.1:1 refused 'cannot be asked for .*; unset it to work offline' "offline"
DEBUGINFOD_URLS='' refused 'no debug information' "without servers"
done_testing
