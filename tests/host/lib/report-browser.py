# SPDX-License-Identifier: GPL-2.0
"""report-browser.py MIXED LOST TRACE RINGTAIL DATA: use pages of `ringtail report --html` in a browser,
and speak TAP.  DATA is the recording of the page MIXED."""
import base64
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
page = browser.Browser()
mixed, lost, trace, ringtail, recording = sys.argv[1:6]
shots = os.environ.get("RT_SHOTS")


def shot(name, whole=False):
    """Keep a picture if the caller wants them."""
    if shots:
        page.screenshot(os.path.join(shots, name + ".png"), whole)


def clean(path):
    """Nothing was reported and nothing else was loaded."""
    name = os.path.basename(path)
    tap.ok(not page.errors, "%s: the console has no errors %s" % (name, page.errors[:3]))
    tap.ok(page.requests == ["file://" + os.path.abspath(path)], "%s: nothing but the page was loaded %s" % (name, page.requests[1:3]))


def visible(selector):
    """How many of these elements can be seen."""
    return page.run("[...document.querySelectorAll(%r)].filter(e => e.getClientRects().length).length" % selector)


def column(index):
    """The cells of a column of the visible table."""
    return page.run("[...document.querySelectorAll('#table .tab:not([hidden]) tbody tr:not([hidden])')].map(r => r.cells[%d].textContent)" % index)


def box(selector):
    """Left, top, width and height of an element, scrolled into view."""
    return page.run("(e => { e.scrollIntoView({ block: 'center', behavior: 'instant' }); const r = e.getBoundingClientRect(); "
                    "return [r.left, r.top, r.width, r.height] })(document.querySelector(%r))" % selector)


def span():
    """The shown part of the timeline, in buckets."""
    return page.run("(t => [+t.dataset.from, +t.dataset.to])(document.querySelector('.timeline'))")


def lines():
    """The rows of the visible table, in any order."""
    return sorted(page.run("[...document.querySelectorAll('#table .tab:not([hidden]) tbody tr:not([hidden])')]"
                           ".map(r => [...r.cells].map(c => c.textContent.trim()).join('|'))"))


def printed(event, command):
    """The rows that the command of a part of the time prints for an event."""
    text = subprocess.run([ringtail] + command.split()[1:] + ["--stdio", "-g", "none", "-t", "|", "-i", recording],
                          capture_output=True, text=True, check=True).stdout
    found, on = [], False
    for line in text.splitlines():
        if line.startswith("# Samples:"):
            on = line.endswith("'%s'" % event) or "'%s' " % event in line
        elif on and line.strip() and not line.startswith("#"):
            found.append("|".join(cell.strip() for cell in line.split("|")))
    return sorted(found)


def note():
    """What a page says about the part that it shows: text and command; nothing if it shows everything."""
    return page.run("[...document.querySelectorAll('.part:not([hidden]) span')].map(s => [s.textContent, s.title])")


def total():
    """The weight of the root of the visible flame graph, from its tool tip."""
    page.run("document.querySelector('#flamegraph .tab:not([hidden]) svg.flame').focus({ preventScroll: true })")
    page.key("ArrowDown")
    return page.run("document.querySelector('#flamegraph .tab:not([hidden]) svg.flame').getAttribute('aria-label')")


try:
    page.media()
    page.open(mixed)
    shot("mixed-light", True)
    tap.ok(page.run("document.querySelectorAll('nav a').length") >= 4, "the page has its sections")
    tabs = page.run("document.querySelectorAll('#table .tabs button').length")
    tap.ok(tabs == 3 and visible("#table .tab") == 1, "a tab for each event, one is shown")
    name = page.run("document.querySelectorAll('#table .tabs button')[1].textContent")
    page.run("document.querySelectorAll('#table .tabs button')[1].click()")
    tap.ok(page.run("document.querySelector('#flamegraph .tab:not([hidden]) h3').textContent") == name,
           "choosing an event in one section chooses it in the others")
    tap.ok(page.run("document.querySelector('#flamegraph .tab:not([hidden]) .frames rect').getBoundingClientRect().width") > 800,
           "its flame graph fills the page")
    page.run("document.querySelectorAll('#table .tabs button')[1].focus()")
    page.key("ArrowLeft")
    tap.ok(page.run("document.querySelector('#flamegraph .tab:not([hidden]) h3').textContent") != name, "arrow keys change tabs")

    # The table
    page.run("document.querySelector('#table .tab:not([hidden]) th').click()")
    up = [float(v.rstrip("%")) for v in column(0)]
    page.run("document.querySelector('#table .tab:not([hidden]) th').click()")
    down = [float(v.rstrip("%")) for v in column(0)]
    tap.ok(sorted(up) == sorted(down) and down == sorted(down, reverse=up == sorted(up)) and up[0] != down[0],
           "a heading sorts the rows by number, a second click the other way")
    rows = len(column(0))
    page.run("document.querySelector('#table .tab:not([hidden]) .filter input').focus()")
    page.type("leaf")
    few = column(4)
    tap.ok(0 < len(few) < rows and all("leaf" in v for v in few), "the filter keeps rows with the text (%d of %d)" % (len(few), rows))
    page.run("document.querySelector('#table .tab:not([hidden]) tbody tr:not([hidden])').click()")
    tap.ok(page.run("document.querySelectorAll('#flamegraph .tab:not([hidden]) .match').length") > 0,
           "a click on a row finds its frames")
    x, y, w, h = box("#flamegraph .tab:not([hidden]) .match rect")
    page.click(x + w / 2, y + h / 2)
    tap.ok(box("#flamegraph .tab:not([hidden]) .match rect")[2] > 800, "a click on a frame zooms")
    page.key("Escape")
    page.key("Escape")
    tap.ok(page.run("document.querySelectorAll('#flamegraph .match').length") == 0, "Escape ends the search")

    # The timeline
    page.run("document.querySelectorAll('.filter input').forEach(i => { i.value = ''; i.dispatchEvent(new Event('input')) })")
    page.run("document.querySelectorAll('#table .tabs button')[0].click()")
    everything = lines()
    x, y, w, h = box(".timeline canvas")
    whole = span()
    page.mouse("mouseMoved", x + w / 2, y + 30)
    tap.ok("samples" in page.run("document.querySelector('.hint').textContent") and visible(".hint") == 1, "the mouse shows counts")
    page.drag(x + w * 0.5, y + 30, x + w * 0.75, y + 30)
    part = span()
    tap.ok(whole[0] < part[0] < part[1] < whole[1], "dragging zooms to a part of the time %s %s" % (whole, part))
    shot("mixed-zoomed", True)
    shown = note()
    tap.ok(len(shown) == 2 and shown[0] == shown[1] and shown[0][0].startswith("Only from "),
           "the table and the flame graph say which part they show %s" % shown[:1])
    events = page.run("[...document.querySelectorAll('#table .tab h3')].map(h => h.textContent)")
    for i, event in enumerate(events):
        page.run("document.querySelectorAll('#table .tabs button')[%d].click()" % i)
        want = printed(event, shown[0][1])
        tap.ok(lines() == want, "%s: the table is that of report --time (%d rows)" % (event, len(want)))
        tap.ok(not want or "%s: " % shown[0][0][10:].split(",")[0] in total() and "100.00%" in total(), "%s: the flame graph has a whole of its own" % event)
    page.run("document.querySelectorAll('#table .tabs button')[0].click()")
    page.run("document.querySelector('.timeline canvas').focus({ preventScroll: true })")
    page.key("ArrowLeft")
    tap.ok(span()[0] < part[0] and span()[1] - span()[0] == part[1] - part[0], "the arrow keys move it")
    page.key("+")
    tap.ok(span()[1] - span()[0] < part[1] - part[0], "+ zooms further")
    page.key("-")
    page.key("Escape")
    tap.ok(span() == whole, "Escape shows everything")
    tap.ok(not note() and lines() == everything, "in the table, too")
    page.drag(x + w * 0.5, y + 30, x + w * 0.75, y + 30)
    tap.ok(note() and lines() != everything, "a part once more")
    page.run("document.querySelector('#table .part button').click()")
    tap.ok(not note() and span() == whole and lines() == everything, "the button shows everything")
    page.drag(x + w * 0.5, y + 30, x + w * 0.75, y + 30)
    page.run("document.activeElement.blur()")
    page.key("Escape")
    tap.ok(not note() and span() == whole, "Escape does wherever the focus is")
    page.drag(x + w * 0.6, y + 30, x + w * 0.4, y + 30)
    tap.ok(span()[1] - span()[0] < whole[1] - whole[0], "dragging to the left does, too")
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=x + w / 2, y=y + 30, button="left", clickCount=1)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + w / 2, y=y + 30, button="left", clickCount=1)
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=x + w / 2, y=y + 30, button="left", clickCount=2)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + w / 2, y=y + 30, button="left", clickCount=2)
    tap.ok(span() == whole, "a double click shows everything")
    clean(mixed)

    # Narrow, dark, on paper
    page.resize(420, 900)
    tap.ok(page.run("document.documentElement.scrollWidth") <= 420, "a narrow window needs no scrolling to the side")
    shot("mixed-narrow")
    page.resize(1400, 900)
    light = page.run("getComputedStyle(document.body).backgroundColor")
    page.media("dark")
    tap.ok(page.run("getComputedStyle(document.body).backgroundColor") != light, "dark colours where they are preferred")
    shot("mixed-dark", True)
    page.media("dark", "print")
    tap.ok(visible("#table .tab") == tabs and visible("nav") == 0, "on paper all tables are there and no controls")
    tap.ok(page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "and paper is white")
    sheets = base64.b64decode(page.call("Page.printToPDF")["data"]).count(b"/Type /Page\n")
    tap.ok(2 <= sheets <= 6 * tabs + 4, "the page prints on %d sheets" % sheets)
    page.media()

    page.open(lost)
    shot("lost-light", True)
    tap.ok(page.run("document.querySelector('.tile.bad b').textContent") == "42", "losses stand out")
    tap.ok("42 lost" in page.run("document.querySelector('.timeline output').textContent"), "the timeline has them")
    tap.ok(page.run("document.querySelectorAll('.frames title, main b b, main script:not([type])').length") == 0 and
           "</script>" in page.run("document.querySelector('.table tbody').textContent"), "a hostile name is text")
    clean(lost)
    page.run("(s => { s.textContent = 'window.broken = 1'; document.body.append(s) })(document.createElement('script'))")
    page.run("fetch('http://127.0.0.1:9/').catch(() => 0)")
    tap.ok(page.run("window.broken") is None, "the policy stops a script that is not the page's own")
    tap.ok(any("Security Policy" in e and "127.0.0.1" in e for e in page.errors), "and a request")

    page.open(trace)
    shot("trace-light", True)
    tap.ok(visible("#values .tab") == 1 and visible("#values .card") > 2, "values of one tracepoint are shown")
    tap.ok(visible("#latency .card") > 0, "and latencies")
    clean(trace)
finally:
    page.close()
tap.done()
