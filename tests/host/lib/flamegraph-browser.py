# SPDX-License-Identifier: GPL-2.0
"""flamegraph-browser.py SVG: use a flame graph of the corpus in a browser, and speak TAP."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
page = browser.Browser()
FRAMES = "[...document.querySelectorAll('.frames > g:not(.off)')]"


def frame(name):
    """JavaScript: the widest visible frame with this label."""
    return ("(%s.filter(g => g.lastChild.textContent === '%s').sort((a, b) => "
            "b.getBoundingClientRect().width - a.getBoundingClientRect().width)[0])" % (FRAMES, name))


def middle(name):
    """The point in the middle of a frame."""
    return page.run("(() => { const r = %s.getBoundingClientRect(); "
                    "return [r.left + r.width / 2, r.top + r.height / 2] })()" % frame(name))


def width(name):
    """The width of a frame, 0 if it is not shown."""
    return page.run("(g => g ? g.querySelector('rect').getBoundingClientRect().width : 0)(%s)" % frame(name))


def shown():
    """How many frames are shown."""
    return page.run(FRAMES + ".length")


def tip():
    """The text of the tool tip, or nothing."""
    return page.run("(t => t.getAttribute('visibility') === 'visible' ? "
                    "[...t.querySelectorAll('text')].map(e => e.textContent).join('|') : '')(document.querySelector('.tip'))")


path = sys.argv[1]
try:
    page.media()
    page.open(path)
    whole = shown()
    tap.ok(whole > 10, "the graph shows its frames (%d)" % whole)
    full = width("all")
    tap.ok(1300 < full < 1400, "it is as wide as the window (%d)" % full)
    tap.ok(page.run("document.querySelector('.frames').getBoundingClientRect().bottom <= innerHeight"),
           "the root is in view")

    task = width("work")
    page.mouse("mouseMoved", *middle("work"))
    tap.ok(tip().startswith("work|") and "samples" in tip(), "the mouse over a frame shows its name and samples")
    page.click(*middle("main"))
    tap.ok(abs(width("main") - full) < 1, "a click makes the frame as wide as the window")
    tap.ok(abs(width("work") - full) < 1, "and so its callers")
    tap.ok(shown() < whole, "others are gone")
    page.key("Backspace")
    page.key("0")
    tap.ok(shown() == whole and abs(width("work") - task) < 1, "key 0 shows everything again")
    page.click(*middle("main"))
    page.run("document.querySelector('.reset').click()")
    tap.ok(shown() == whole, "the button does, too")

    page.key("/")
    page.type("leaf")
    matches = page.run("document.querySelectorAll('.match').length")
    tap.ok(matches > 0, "search finds frames (%d)" % matches)
    tap.ok("%" in page.run("document.querySelector('output').textContent"), "and says their share")
    page.key("Enter")
    tap.ok(page.run("document.querySelector('.here').classList.contains('match')"), "Enter goes to a match")
    page.key("Escape")
    tap.ok(page.run("document.querySelectorAll('.match').length") == 0, "Escape ends the search")
    page.key("/")
    page.type("a(b[")
    tap.ok(page.run("document.querySelectorAll('.match').length") == 0, "what is no regular expression is searched as text")
    page.key("Escape")

    page.key("Escape")
    page.key("ArrowUp")
    tap.ok(tip().startswith("all|"), "the first arrow selects the root")
    page.key("ArrowUp")
    first = tip()
    tap.ok(first and not first.startswith("all|"), "the next goes to its widest child")
    page.key("ArrowDown")
    tap.ok(tip().startswith("all|"), "down leads back")
    page.key("ArrowUp")
    page.key("Enter")
    tap.ok(abs(width(first.split("|")[0]) - full) < 1, "Enter zooms")
    page.key("Escape")
    tap.ok(shown() == whole, "Escape shows everything")

    y = middle("all")[1]
    page.key("i")
    tap.ok(middle("all")[1] != y, "i turns the graph upside down")
    page.key("i")
    page.key("?")
    tap.ok(page.run("!document.querySelector('.flamehelp').hidden"), "? shows the keys")
    page.key("Escape")
    tap.ok(page.run("document.querySelector('.flamehelp').hidden"), "Escape hides them")

    page.resize(600, 500)
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    tap.ok(500 < width("all") < 600, "a narrow window makes the graph narrow")
    light = page.run("getComputedStyle(document.querySelector('.page')).fill")
    page.media("dark")
    tap.ok(page.run("getComputedStyle(document.querySelector('.page')).fill") != light, "dark colours where they are preferred")
    tap.ok(not page.errors, "the console has no errors %s" % page.errors[:3])
    tap.ok(page.requests == ["file://" + os.path.abspath(path)], "nothing but the file was loaded %s" % page.requests[1:3])
finally:
    page.close()
tap.done()
