# SPDX-License-Identifier: GPL-2.0
"""many-browser.py PAGE PICTURE TRUTH RINGTAIL DATA KALLSYMS: use the pictures of a recording of many short
processes in a browser, and speak TAP.  TRUTH is what perfdata-many.py printed about DATA."""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
page = browser.Browser()
path, picture, truth, ringtail, recording, kallsyms = sys.argv[1:7]
with open(truth) as file:
    truth = json.load(file)
shots = os.environ.get("RT_SHOTS")
NODES = "document.querySelectorAll('*').length"
TABLE = "#table .tab:not([hidden])"


def shot(name):
    """Keep a picture if the caller wants them."""
    if shots:
        page.screenshot(os.path.join(shots, name + ".png"), True)


def search(words):
    """What the flame graph says about a search."""
    page.run("(i => { i.value = %r; i.dispatchEvent(new Event('input')) })(document.querySelector('.flamebar input'))" % words)
    return page.run("document.querySelector('.flamebar output').textContent")


def searches(name):
    """Searches sum all frames, whether they are drawn or not."""
    for words, share in truth.items():
        said = search(words)
        tap.ok(said.startswith("%.2f%% in " % share) and "not drawn" in said, "%s: %s: %s (truth %.4f)" % (name, words, said, share))
    tap.ok(page.run("document.querySelectorAll('.within').length") > 0, "%s: frames that hold hidden matches are marked" % name)
    said = search("^alone$")
    tap.ok(" in 1 frame" in said, "%s: a frame that is drawn: %s" % (name, said))
    tap.ok(search("no such name") == "0.00% in 0 frames", "%s: what is not there" % name)
    tap.ok(search("") == "", "%s: no search" % name)


def rows():
    """The names and numbers of tasks on the timeline, as the data has them."""
    return page.run("JSON.parse(document.getElementById('timeline-data').textContent).groups.find(g => g.name === 'tasks').rows.map(r => [r[0], r[1]])")


def drag(a, b):
    """Drag over a part of the timeline; the milliseconds until everything is drawn."""
    return page.run("""(() => {
        const c = document.querySelector('.timeline canvas'), r = c.getBoundingClientRect();
        const send = (n, x) => c.dispatchEvent(new PointerEvent(n, { clientX: r.left + x, clientY: r.top + 20, pointerId: 1, bubbles: true }));
        c.setPointerCapture = () => {};
        const left = %f * r.width, right = %f * r.width, began = performance.now();
        send('pointerdown', left); send('pointermove', right); send('pointerup', right);
        document.body.offsetHeight;
        return performance.now() - began })()""" % (a, b))


try:
    page.media()
    page.open(path)
    nodes = page.run(NODES)
    tap.ok(nodes <= 15000, "the page has %d elements, at most 15000" % nodes)
    searches("page")
    tasks = rows()
    tap.ok(sorted(n for n, _ in tasks) == ["alone/100", "as (80 tasks)", "cc1 (79 tasks)", "ld (80 tasks)", "make (80 tasks)", "sh (80 tasks)"],
           "tasks of one name are grouped %s" % tasks[:6])

    # A part of the time
    slices = page.run("JSON.parse(document.getElementById('slices-data').textContent).count")
    tap.ok(slices >= 32, "the recording has %d slices" % slices)
    everything = page.run("document.querySelector('#table .tab').textContent")
    height = page.run("document.querySelector('.timeline canvas').height")
    took = min(drag(.5, .6), drag(.3, .7))
    page.run("document.dispatchEvent(new Event('whole'))")
    took = min(took, drag(.5, .6))
    tap.ok(took < 2000, "dragging is drawn within %d ms, also on a busy machine" % took)
    command = page.run("document.querySelector('#table .part span').title")
    tap.ok(command.startswith("ringtail report --time"), "dragging chooses a part: %s" % command)
    text = subprocess.run([ringtail] + command.split()[1:] + ["--stdio", "-q", "-g", "none", "-t", "|", "-i", recording, "--kallsyms", kallsyms],
                          capture_output=True, text=True, check=True).stdout
    want = {tuple(c.strip() for c in line.split("|")) for line in text.splitlines() if line.strip()}
    got = page.run("[...document.querySelectorAll('%s tbody tr')].map(r => [...r.cells].map(c => c.textContent.trim()))" % TABLE)
    wrong = [r for r in got if tuple(r) not in want]
    tap.ok(len(got) > 50 and not wrong, "the table is that of report --time (%d rows) %s" % (len(got), wrong[:2]))
    said = search("page_fault")
    tap.ok("drawn" in said, "a search in a part says that it knows the drawn frames: %s" % said)
    search("")
    # The first task has the first 1/400 of the time.
    page.run("document.dispatchEvent(new Event('whole'))")
    tap.ok(page.run("document.querySelector('#table .tab').textContent") == everything, "everything again")
    page.run("document.querySelector('.timeline canvas').focus()")
    drag(.7, .99)
    tap.ok(page.run("document.querySelector('.timeline canvas').height") == height - page.run("17 * devicePixelRatio"),
           "the row of a task that has nothing in the part vanishes")
    page.run("document.dispatchEvent(new Event('whole'))")

    # The table
    shown = page.run("document.querySelectorAll('%s tbody tr').length" % TABLE)
    tap.ok(shown == 200, "%d rows are elements of the page" % shown)
    last = page.run("JSON.parse(document.querySelector('%s script.rows').textContent).slice(-1)[0].slice(1)" % TABLE)
    page.run("(i => { i.value = %r; i.dispatchEvent(new Event('input')) })(document.querySelector('%s .filter input'))" % (" ".join(last[-3:]), TABLE))
    got = page.run("[...document.querySelectorAll('%s tbody tr')].map(r => [...r.cells].map(c => c.textContent.trim()))" % TABLE)
    tap.ok([c.strip() for c in last] in got and len(got) < 20, "the filter finds a row that is no element, %s, in %d" % (last, len(got)))
    page.run("(i => { i.value = ''; i.dispatchEvent(new Event('input')) })(document.querySelector('%s .filter input'))" % TABLE)
    page.run("document.querySelector('%s .rest').click()" % TABLE)
    tap.ok(page.run("document.querySelectorAll('%s tbody tr').length" % TABLE) == 1200, "the button shows more")
    page.run("document.activeElement.blur()")
    page.run("scrollTo(0, 0)")
    page.key("/")
    tap.ok(page.run("document.activeElement === document.querySelector('.flamebar input')"), '"/" works anywhere')
    page.key("Escape")
    tap.ok("Recorded" in page.run("document.querySelector('#summary').textContent"), "the summary says when it was recorded")
    tap.ok(not page.errors, "the console has no errors %s" % page.errors[:3])
    shot("many")

    # The picture
    page.open(picture)
    nodes = page.run(NODES)
    tap.ok(nodes <= 15000, "the picture has %d elements, at most 15000" % nodes)
    searches("picture")
    high = page.run("+document.querySelector('svg').getAttribute('height')")
    deepest = page.run("Math.max(...[...document.querySelectorAll('.frames > g')].map(g => +g.dataset.d))")
    tap.ok(deepest > 60 and high < 30 * 19, "a tower of %d frames, one pixel wide, does not make the picture higher than %d" % (deepest, high))
    page.run("[...document.querySelectorAll('.frames > g')].sort((a, b) => b.dataset.d - a.dataset.d)[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    page.run("new Promise(done => setTimeout(done, 400))")
    tap.ok(page.run("+document.querySelector('svg').getAttribute('height')") > 60 * 19, "zoomed to, the tower is shown")
    page.key("0")
    shot("many-picture")

    # On a phone
    page.resize(390, 800)
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    over = page.run("""(() => {
        const bar = document.querySelector('.flamebar').getBoundingClientRect();
        return [...document.querySelectorAll('.frames > g:not(.off) > rect, .legend > g, .foot, .head text')].filter(function (e) {
            const r = e.getBoundingClientRect();
            return r.width && r.left < bar.right && r.right > bar.left && r.top < bar.bottom && r.bottom > bar.top;
        }).length })()""")
    tap.ok(over == 0, "on a phone the search bar covers nothing (%d)" % over)
    clipped = page.run("[...document.querySelectorAll('.legend > g, .foot, .head text')].filter(e => e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().left < 0).map(e => e.textContent)")
    tap.ok(not clipped, "no label is clipped %s" % clipped)
    shot("many-phone")
    tap.ok(not page.errors, "the console has no errors %s" % page.errors[:3])
finally:
    page.close()
tap.done()
