#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# browser - flame graphs and the page of report --html in Chromium: load, click, zoom, search, brush,
# keys; no errors on the console and no request.
# RT_SHOTS=DIR keeps screenshots there, to look at.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
command -v chromium >/dev/null || { echo "Bail out! no chromium is installed"; exit 1; }
corpus_host || { echo "Bail out! perf cannot record here"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

ok "the graph is drawn" "$ringtail" flamegraph -q -i "$corpus/stacks.data" -o "$dir/stacks.svg"
tap_of python3 tests/host/lib/flamegraph-browser.py "$dir/stacks.svg"
ok "a page of samples" "$ringtail" report -q -i "$corpus/mixed.data" --html "$dir/mixed.html"
python3 tests/host/lib/perfdata-lost.py "$dir/lost.data"
ok "a page with losses and a hostile name" "$ringtail" report -q -i "$dir/lost.data" --html "$dir/lost.html"
ok "a page of tracepoints" "$ringtail" report -q -i "$corpus/trace.data" --html "$dir/trace.html"
tap_of python3 tests/host/lib/report-browser.py "$dir/mixed.html" "$dir/lost.html" "$dir/trace.html" "$ringtail" "$corpus/mixed.data"
python3 tests/host/lib/perfdata-many.py "$dir/many.data" "$dir/many.sym" >"$dir/many.json"
ok "a page of many short processes" "$ringtail" report -q -i "$dir/many.data" --kallsyms "$dir/many.sym" --html "$dir/many.html"
ok "and a picture" "$ringtail" flamegraph -q -i "$dir/many.data" --kallsyms "$dir/many.sym" -o "$dir/many.svg"
tap_of python3 tests/host/lib/many-browser.py "$dir/many.html" "$dir/many.svg" "$dir/many.json" "$ringtail" "$dir/many.data" "$dir/many.sym"
done_testing
