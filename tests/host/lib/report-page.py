#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""report-page.py PAGE WHAT [EVENT]: look into a page of `ringtail report --html`.

  check          "yes" if the page is well-formed and allows nothing but its own parts, or the fault
  table EVENT    the rows of a table, cells separated by |
  values EVENT   EVENT|FIELD|VALUE|COUNT
  latency        the heading and the summary of each pair
  timeline       GROUP|ROW|TOTAL|SUM OF ITS BUCKETS
  lost           the sum of the losses on the timeline
"""
import base64
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "input", "br"}


class Page(html.parser.HTMLParser):
    """The elements of a page as a tree: [name, attributes, children, text]."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = ["page", {}, [], ""]
        self.open = [self.root]
        self.fault = None
        self.feed(text)
        self.close()
        if len(self.open) != 1:
            self.fault = "not closed: " + self.open[-1][0]

    def handle_starttag(self, tag, attrs):
        node = [tag, dict(attrs), [], ""]
        self.open[-1][2].append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1][2].append([tag, dict(attrs), [], ""])

    def handle_endtag(self, tag):
        if self.open[-1][0] != tag:
            self.fault = self.fault or "</%s> in <%s>" % (tag, self.open[-1][0])
        elif len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data):
        for node in self.open:
            node[3] += data


def walk(node):
    """All elements below."""
    for child in node[2]:
        yield child
        yield from walk(child)


def find(node, name, **attributes):
    """The elements below with this name and these attributes."""
    return [n for n in walk(node) if n[0] == name and
            all(n[1].get(k.rstrip("_")) == v for k, v in attributes.items())]


def check(page, text):
    """What is wrong with the page."""
    if page.fault:
        return page.fault
    policies = [m[1]["content"] for m in find(page.root, "meta") if m[1].get("http-equiv") == "Content-Security-Policy"]
    if len(policies) != 1 or not policies[0].startswith("default-src 'none';") or "unsafe" in policies[0]:
        return "policy: %s" % policies
    for name, count in ("script", 3), ("style", 2):
        allowed = re.search(name + r"-src([^;]*)", policies[0]).group(1).split()
        parts = [n for n in find(page.root, name) if n[1].get("type") != "application/json"]
        sums = ["'sha256-%s'" % base64.b64encode(hashlib.sha256(n[3].encode()).digest()).decode() for n in parts]
        if sorted(sums) != sorted(allowed) or len(sums) != count:
            return "the policy does not fit the %ss" % name
    for node in walk(page.root):
        if node[0] in ("img", "link", "iframe", "object", "embed", "base", "form", "a", "image", "use", "b") and node[1]:
            return "element %s %s" % (node[0], node[1])
        for key, value in node[1].items():
            if key.startswith("on") or key in ("src", "href", "style", "action"):
                return "attribute %s=%s" % (key, value)
    for node in find(page.root, "script", type="application/json"):
        json.loads(node[3])
    if re.search("[\0-\x08\x0b-\x1f\x7f]", text):
        return "a control character"
    if len(text.encode()) > 5 << 20:
        return "larger than 5 MB"
    return "yes"


def tabs(page, section):
    """The tabs of a section by name."""
    found = find(page.root, "section", id=section)
    return {find(t, "h3")[0][3]: t for t in find(found[0], "div", class_="tab")} if found else {}


def main():
    """Print what was asked for."""
    text = open(sys.argv[1], encoding="utf-8").read()
    page, what = Page(text), sys.argv[2]
    if what == "check":
        print(check(page, text))
    elif what == "table":
        for row in find(tabs(page, "table")[sys.argv[3]], "tr")[1:]:
            print("|".join(c[3].strip() for c in row[2]))
    elif what == "values":
        for card in find(tabs(page, "values")[sys.argv[3]], "div", class_="card"):
            for row in find(card, "tr"):
                print("|".join([sys.argv[3], find(card, "h4")[0][3], row[2][0][3], row[2][1][3].replace(",", "")]))
    elif what == "latency":
        for card in find(page.root, "div", class_="card wide"):
            print(find(card, "h4")[0][3] + ": " + find(card, "span")[0][3])
    else:
        data = json.loads(find(page.root, "script", id="timeline-data")[0][3])
        if what == "lost":
            print(sum(n for n in data["lost"] if n > 0))
        for group in data["groups"] if what == "timeline" else []:
            for name, total, counts in group["rows"]:
                buckets = sum(-n if n < 0 else 1 for n in counts)
                print("%s|%s|%d|%d%s" % (group["name"], name, total, sum(n for n in counts if n > 0),
                                         "" if buckets == data["buckets"] else "|%d buckets" % buckets))


main()
