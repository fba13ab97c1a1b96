// SPDX-License-Identifier: GPL-2.0
// Zoom, search and keys of a flame graph, alone in its SVG file or inside a page.
// Names and weights are read from the elements that are drawn already.
(function () {
'use strict';

const SVG = 'http://www.w3.org/2000/svg', HTML = 'http://www.w3.org/1999/xhtml';
// The geometry of svg.c.
const ROW = 19, HIGH = 18, PAD = 16, COLUMN = 7.25, INDENT = 4, TOWER = 3, FOOT = 34, LEGEND = 18, BAR = 40;
const ANIMATED_FRAMES = 2500, ANIMATION_MS = 180;

function make(space, name, attributes, text) {
	const e = document.createElementNS(space, name);
	for (const a in attributes) e.setAttribute(a, attributes[a]);
	if (text !== undefined) e.textContent = text;
	return e;
}

const html = (name, attributes, text) => make(HTML, name, attributes, text);
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

// The columns that text takes, as escape.c counts them.
function columns(text) {
	let n = 0;
	for (const c of text) {
		const p = c.codePointAt(0);
		n += p >= 0x1100 && (p <= 0x115f || (p >= 0x2e80 && p <= 0xa4cf) || (p >= 0xac00 && p <= 0xd7a3) ||
			(p >= 0xf900 && p <= 0xfaff) || (p >= 0xff00 && p <= 0xff60) || p >= 0x1f300) ? 2 : 1;
	}
	return n;
}

function fit(name, room) {
	if (columns(name) <= room) return name;
	if (room < 4) return '';
	let text = '', used = 2;
	for (const c of name) {
		used += columns(c);
		if (used > room) break;
		text += c;
	}
	return text + '..';
}

// Numbers as rt_number_packed() writes them.
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', digit = new Uint8Array(128);
for (let i = 0; i < 64; i++) digit[DIGITS.charCodeAt(i)] = i;
function unpack(text) {
	let at = 0;
	return {
		more: () => at < text.length,
		number: function () {
			let n = 0, scale = 1, d;
			do {
				d = digit[text.charCodeAt(at++)];
				n += (d & 31) * scale;
				scale *= 32;
			} while (d & 32);
			return n;
		},
	};
}

// The frames that are not drawn, callers first: draw/undrawn.h says how they are written.
// up[i]: the caller, or -1 - the number of the drawn frame; name[i]: in names; w[i]: the weight.
function Undrawn(element) {
	this.names = [];
	this.up = [];
	this.name = [];
	this.w = [];
	this.cut = !!element && element.dataset.cut === '1';
	if (!element) return;
	const lines = element.textContent.split('\n'), from = unpack(lines[0]), unit = from.number(), open = [];
	this.names = lines.slice(1);
	let drawn = -1, left, caller;
	while (from.more()) {
		drawn += from.number() + 1;
		left = from.number();
		caller = -1 - drawn;
		for (;;) {
			while (!left && open.length) { left = open.pop(); caller = open.pop(); }
			if (!left) break;
			const me = this.up.length;
			this.up.push(caller);
			this.name.push(from.number());
			this.w.push(from.number() * unit);
			open.push(caller, left - 1);
			caller = me;
			left = from.number();
		}
	}
	element.remove();
}

function Flame(svg) {
	const alone = document.documentElement === svg;
	const box = svg.querySelector('.frames');
	const highest = +svg.getAttribute('height');
	let rows = +box.dataset.rows, top = +box.dataset.top, inPart = false;
	let total = +box.dataset.total, icicle = box.dataset.icicle === '1', inner = 0, width = 0;
	let zoomed, here = null, view = { x: 0, w: total }, pending = 0, pattern = null;

	// --- the frames ---------------------------------------------------------------

	const frames = Array.from(box.children, function (g) {
		const title = g.querySelector('title'), lines = title.textContent.split('\n');
		let text = g.querySelector('text');
		if (!text) text = g.appendChild(make(SVG, 'text', {}));
		title.remove(); // the browser's own tool tip would cover ours
		return { g: g, rect: g.querySelector('rect'), text: text, name: lines[0], details: lines.slice(1),
			x: +g.dataset.x, w: +g.dataset.w, depth: +g.dataset.d, up: null, kids: [] };
	});
	const levels = [];
	for (const f of frames) (levels[f.depth] = levels[f.depth] || []).push(f);
	levels.forEach(function (level, depth) {
		level.sort((a, b) => a.x - b.x);
		if (!depth) return;
		const above = levels[depth - 1];
		let at = 0;
		for (const f of level) {
			while (above[at + 1] && above[at].x + above[at].w <= f.x) at++;
			f.up = above[at];
			f.up.kids.push(f);
		}
	});
	const undrawnElement = box.parentNode.querySelector(':scope > .undrawn');
	let undrawn = null; // until a search needs it
	const byElement = new Map(frames.map(f => [f.g, f]));
	const root = zoomed = levels[0][0];

	const contains = (outer, f) => outer.x <= f.x && outer.x + outer.w >= f.x + f.w;
	// Is `f` an ancestor of the frame that fills the view?
	const isAbove = f => f.depth < zoomed.depth && contains(f, zoomed);
	const shown = f => !f.g.classList.contains('off');

	function place(f) {
		const above = isAbove(f);
		const from = above ? 0 : (f.x - view.x) / view.w * inner, to = above ? inner : (f.x + f.w - view.x) / view.w * inner;
		const left = Math.max(0, from), w = Math.min(inner, to) - left;
		const off = !(w >= 0.25) || f.depth >= rows || (!above && f.depth < zoomed.depth);
		f.g.classList.toggle('off', off);
		if (off) return;
		const y = top + ROW * (icicle ? f.depth : rows - 1 - f.depth);
		f.g.classList.toggle('above', above);
		f.rect.setAttribute('x', (PAD + left).toFixed(2));
		f.rect.setAttribute('y', y);
		f.rect.setAttribute('width', (w > 3 ? w - 0.6 : w).toFixed(2));
		f.text.setAttribute('x', (PAD + left + INDENT).toFixed(2));
		f.text.setAttribute('y', y + 13);
		const label = w > INDENT * 2 + COLUMN ? fit(f.name, Math.floor((w - INDENT * 2) / COLUMN)) : '';
		if (f.text.textContent !== label) f.text.textContent = label;
	}

	function draw() { for (const f of frames) place(f); }

	function resize() {
		width = alone ? window.innerWidth : svg.parentNode.clientWidth;
		if (!width) return; // not visible yet
		width = Math.max(240, width);
		inner = width - 2 * PAD;
		svg.setAttribute('width', width);
		for (const foot of svg.querySelectorAll(':scope > .foot')) foot.setAttribute('x', width - PAD);
		fitTitle();
		setHeight(view);
		layoutBar();
		draw();
	}

	// Frames of one or two pixels do not make the picture higher, until they are zoomed to.
	function rowsOf(v) {
		let n = zoomed.depth + 1;
		for (const f of frames)
			if (f.depth >= n && f.w / v.w * inner >= TOWER && f.x + f.w > v.x && f.x < v.x + v.w) n = f.depth + 1;
		return n;
	}

	// The chips of the legend, in as many lines as they need; the remark goes below where it would cover them.
	function layLegend() {
		const chips = Array.from(svg.querySelectorAll(':scope > .legend > g'));
		let x = PAD, line = 0;
		for (const chip of chips) {
			const rect = chip.querySelector('rect'), w = 17 + columns(chip.textContent) * 7 + 14;
			if (x + w > width - PAD && x > PAD) { x = PAD; line++; }
			chip.setAttribute('transform', 'translate(' + (x - rect.getAttribute('x')) + ' ' + LEGEND * line + ')');
			x += w;
		}
		const foot = svg.querySelector(':scope > .foot'), under = foot && x + foot.getComputedTextLength() > width - PAD;
		if (foot) foot.setAttribute('dy', LEGEND * (line + (under ? 1 : 0)));
		return LEGEND * (line + (under ? 1 : 0));
	}

	function setHeight(v) {
		const before = svg.getAttribute('height');
		rows = rowsOf(v);
		top = +box.dataset.top + (alone && !roomBeside() ? BAR : 0);
		const height = top + rows * ROW + FOOT + layLegend(), below = top + rows * ROW + FOOT - highest;
		svg.setAttribute('height', height);
		svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
		for (const e of svg.querySelectorAll(':scope > .legend, :scope > .foot')) e.setAttribute('transform', 'translate(0 ' + below + ')');
		if (before !== String(height)) toRoot();
	}

	// --- zoom ---------------------------------------------------------------------

	function zoom(f) {
		const from = view, to = { x: f.x, w: f.w };
		const still = frames.length > ANIMATED_FRAMES || matchMedia('(prefers-reduced-motion: reduce)').matches;
		zoomed = f;
		resetButton.hidden = f === root;
		cancelAnimationFrame(pending);
		hideTip();
		setHeight(to);
		layoutBar();
		if (still) {
			view = to;
			draw();
			return;
		}
		const began = performance.now();
		(function step() {
			const t = Math.min(1, (performance.now() - began) / ANIMATION_MS), s = t * t * (3 - 2 * t);
			view = { x: from.x + (to.x - from.x) * s, w: from.w + (to.w - from.w) * s };
			draw();
			if (t < 1) pending = requestAnimationFrame(step);
		})();
	}

	// --- search -------------------------------------------------------------------

	function search(words) {
		pattern = null;
		if (words) {
			try {
				pattern = new RegExp(words, 'i');
			} catch (e) { // not a regular expression: look for the text itself
				pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
			}
		}
		box.classList.toggle('searched', !!pattern);
		let sum = 0, count = 0;
		for (const f of frames) {
			f.match = !!pattern && pattern.test(f.name);
			f.g.classList.toggle('match', f.match);
			count += f.match;
		}
		// What is inside of a match counts once.
		const covered = new Set();
		for (const level of levels)
			for (const f of level) {
				if (f.up && covered.has(f.up)) covered.add(f);
				else if (f.match) { sum += f.w; covered.add(f); }
			}
		let text = '';
		if (pattern && !inPart) {
			const rest = searchUndrawn(covered);
			sum += rest.sum;
			count += rest.count;
			text = rest.count ? ', ' + grouped(rest.count) + ' not drawn' : '';
		} else {
			for (const f of frames) f.g.classList.remove('within');
			if (undrawnElement) text = ' that are drawn';
		}
		found.textContent = pattern ? (undrawn && undrawn.cut ? 'at least ' : '') + (total ? (sum * 100 / total).toFixed(2) : '0.00') + '% in ' +
			grouped(count) + (count === 1 ? ' frame' : ' frames') + text : '';
	}

	// The same in frames that are not drawn; those in which one is hidden are marked.
	function searchUndrawn(covered) {
		undrawn = undrawn || new Undrawn(undrawnElement);
		const matches = undrawn.names.map(name => pattern.test(name)), inside = new Uint8Array(undrawn.up.length), within = new Set();
		let sum = 0, count = 0;
		for (let i = 0; i < inside.length; i++) {
			const up = undrawn.up[i], match = matches[undrawn.name[i]];
			inside[i] = up < 0 ? covered.has(frames[-1 - up]) : inside[up];
			if (match) {
				count++;
				if (!inside[i]) sum += undrawn.w[i];
				inside[i] = 1;
				let at = up;
				while (at >= 0) at = undrawn.up[at];
				within.add(frames[-1 - at]);
			}
		}
		for (const f of frames) f.g.classList.toggle('within', within.has(f));
		return { sum: sum, count: count };
	}

	function nextMatch(step) {
		const list = frames.filter(f => f.match && shown(f));
		if (list.length) select(list[(list.indexOf(here) + step + list.length) % list.length]);
	}

	// --- a part of the recorded time ------------------------------------------------

	for (const f of frames) f.whole = { x: f.x, w: f.w, details: f.details };

	function weight(n) {
		if (box.dataset.unit !== 'ns') return grouped(n) + ' ' + box.dataset.unit;
		const u = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs']].find(v => n >= v[0]);
		return u ? (n / u[0]).toFixed(3) + u[1] : n + ' ns';
	}

	// WEIGHTS of the frames, each without those that are drawn below it, or null for everything.
	function showPart(weights, name) {
		inPart = !!weights;
		frames.forEach(function (f, i) {
			f.x = f.whole.x;
			f.w = weights ? weights[i] : f.whole.w;
		});
		// Callers come before their callees.
		if (weights) for (let i = frames.length - 1; i > 0; i--) frames[i].up.w += frames[i].w;
		for (const f of weights ? frames : []) {
			let x = f.x;
			for (const k of f.kids) { k.x = x; x += k.w; }
		}
		total = root.w;
		for (const f of frames) {
			const lines = f.whole.details, kind = f.g.classList.contains('g') ? 0 : 1;
			f.details = weights ? lines.slice(0, kind).concat(name + ': ' + weight(f.w) + ', ' + (total ? f.w * 100 / total : 0).toFixed(2) + '%',
				'everything: ' + lines[kind]) : lines;
		}
		while (!zoomed.w && zoomed.up) zoomed = zoomed.up;
		view = { x: zoomed.x, w: zoomed.w };
		resetButton.hidden = zoomed === root;
		select(null);
		search(input.value);
		if (width) setHeight(view);
		draw();
	}

	// --- details of one frame -----------------------------------------------------

	const tip = svg.appendChild(make(SVG, 'g', { class: 'tip', visibility: 'hidden' }));

	function hideTip() { tip.setAttribute('visibility', 'hidden'); }

	function showTip(f, x, y) {
		const room = Math.max(16, Math.floor((Math.min(width - 2 * PAD, 640) - 24) / COLUMN)), lines = [];
		for (let name = f.name; name && lines.length < 6; name = name.slice(room)) lines.push(name.slice(0, room));
		const names = lines.length;
		for (const d of f.details) lines.push(fit(d, room));
		tip.textContent = '';
		const w = Math.max(...lines.map(columns)) * COLUMN + 24, h = lines.length * 17 + 14;
		tip.append(make(SVG, 'rect', { width: w, height: h }));
		lines.forEach((line, i) => tip.append(make(SVG, 'text', { x: 12, y: 21 + 17 * i, class: i < names ? 'name' : 'detail' }, line)));
		const box = svg.parentNode, whole = +svg.getAttribute('height');
		const height = alone ? whole : Math.min(whole, box.scrollTop + box.clientHeight - 44);
		x = Math.max(4, Math.min(x + 12, width - w - 4));
		y = y + 22 + h > height ? y - h - 10 : y + 22;
		tip.setAttribute('transform', 'translate(' + x.toFixed(1) + ' ' + Math.max(2, Math.min(y, height - h - 2)).toFixed(1) + ')');
		tip.setAttribute('visibility', 'visible');
	}

	function select(f) {
		if (here) here.g.classList.remove('here');
		here = f;
		if (!f) { hideTip(); return; }
		f.g.classList.add('here');
		svg.setAttribute('aria-label', [f.name].concat(f.details).join(', '));
		showTip(f, +f.rect.getAttribute('x'), +f.rect.getAttribute('y'));
	}

	function frameAt(event) {
		const g = event.target.closest && event.target.closest('.frames > g');
		return g ? byElement.get(g) : null;
	}
	function point(event) {
		const r = svg.getBoundingClientRect();
		return [event.clientX - r.left, event.clientY - r.top];
	}
	svg.addEventListener('mousemove', function (event) {
		const f = frameAt(event);
		if (f) showTip(f, ...point(event)); else hideTip();
	});
	svg.addEventListener('mouseleave', hideTip);
	svg.addEventListener('click', function (event) {
		const f = frameAt(event);
		if (f) {
			select(f);
			zoom(f);
		}
	});

	// --- the bar ------------------------------------------------------------------

	const bar = html('div', { class: 'flamebar' });
	const found = html('output', {});
	const input = html('input', { type: 'search', placeholder: 'Search  ( / )', 'aria-label': 'search for functions', spellcheck: 'false' });
	const resetButton = html('button', { type: 'button', class: 'reset' }, 'Reset zoom');
	const turnButton = html('button', { type: 'button', class: 'turn', title: 'turn the graph upside down (i)' }, 'Invert');
	const helpButton = html('button', { type: 'button', class: 'keys', 'aria-label': 'keys', title: 'keys (?)' }, '?');
	resetButton.hidden = true;
	bar.append(found, resetButton, input, turnButton, helpButton);
	const help = html('div', { class: 'flamehelp' },
		'click, Enter\tzoom to a frame\n↑ ↓ ← →\tgo to a neighbour\nBackspace\tzoom out one level\nEsc, 0\tshow everything\n' +
		'/\tsearch: text or regular expression\nn  N\tnext, previous match\ni\tturn upside down');
	let barHolder = bar, helpHolder = help;
	if (alone) {
		barHolder = make(SVG, 'foreignObject', { y: 12, height: 34 });
		helpHolder = make(SVG, 'foreignObject', { y: 52, width: 390, height: 190 });
		barHolder.append(bar);
		helpHolder.append(help);
		svg.append(barHolder, helpHolder);
	} else {
		svg.before(bar, help);
	}
	help.hidden = true;
	helpHolder.setAttribute(alone ? 'display' : 'data-help', 'none');

	// Lines of the head that are longer than the window end with dots.
	const title = svg.querySelector('.title'), heads = Array.from(svg.querySelectorAll('.head text'), t => ({ t: t, text: t.textContent }));
	function fitTitle() {
		for (const h of heads) {
			h.t.textContent = h.text;
			const room = (width - 2 * PAD) / h.t.getComputedTextLength();
			if (room < 1) h.t.textContent = fit(h.text, Math.floor(columns(h.text) * room));
		}
	}
	function roomBeside() { return width - PAD * 3 - (title ? title.getBBox().width : 0) > 480; }

	// The bar stays in view: beside the title if it fits there, else in a line of the head of its own.
	function layoutBar() {
		if (!alone) return;
		const beside = roomBeside();
		svg.querySelector('.head rect').setAttribute('height', top - 4);
		svg.querySelector('.head').setAttribute('transform', 'translate(0 ' + window.scrollY + ')');
		const w = beside ? 470 : Math.min(470, width - 2 * PAD), down = window.scrollY;
		barHolder.setAttribute('width', w);
		barHolder.setAttribute('x', width - PAD - w);
		barHolder.setAttribute('y', down + (beside ? 12 : top - BAR - 4));
		helpHolder.setAttribute('x', Math.max(4, width - PAD - 390));
		helpHolder.setAttribute('y', down + (beside ? 52 : top - 4));
	}
	function toggleHelp() {
		help.hidden = !help.hidden;
		if (alone) helpHolder.setAttribute('display', help.hidden ? 'none' : 'inline');
	}
	// A tall graph begins at its root.
	function toRoot() {
		if (alone) window.scrollTo(0, icicle ? 0 : +svg.getAttribute('height'));
	}
	function turn() {
		icicle = !icicle;
		hideTip();
		draw();
		toRoot();
	}
	input.addEventListener('input', () => search(input.value));
	input.addEventListener('keydown', function (event) {
		event.stopPropagation();
		if (event.key === 'Enter') { svg.focus(); nextMatch(1); }
		if (event.key === 'Escape') { input.value = ''; search(''); svg.focus(); }
	});
	resetButton.addEventListener('click', () => zoom(root));
	turnButton.addEventListener('click', turn);
	helpButton.addEventListener('click', toggleHelp);

	// --- keys ---------------------------------------------------------------------

	function beside(step) {
		const level = levels[here.depth].filter(shown), at = level.indexOf(here) + step;
		if (level[at]) select(level[at]);
	}
	function inwards() {
		const widest = here.kids.reduce((a, b) => a && a.w >= b.w ? a : b, null);
		const inner = isAbove(here) ? levels[here.depth + 1].find(f => contains(f, zoomed)) : widest;
		if (inner && shown(inner)) select(inner);
	}
	const keys = {
		ArrowUp: () => icicle ? here.up && select(here.up) : inwards(),
		ArrowDown: () => icicle ? inwards() : here.up && select(here.up),
		ArrowLeft: () => beside(-1),
		ArrowRight: () => beside(1),
		Enter: () => zoom(here),
		Backspace: () => zoom(zoomed.up || root),
		Escape: function () {
			if (!help.hidden) toggleHelp();
			else if (pattern) { input.value = ''; search(''); } else { select(null); zoom(root); }
		},
		0: () => zoom(root),
		'/': () => input.focus(),
		n: () => nextMatch(1),
		N: () => nextMatch(-1),
		i: turn,
		'?': toggleHelp,
	};
	function onKey(event) {
		const act = keys[event.key];
		if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target.localName === 'button') return;
		event.preventDefault();
		if (!here && /^(Arrow|Enter)/.test(event.key)) { select(zoomed); return; }
		act();
	}
	svg.setAttribute('tabindex', '0');
	(alone ? document : svg).addEventListener('keydown', onKey);

	window.addEventListener('resize', resize);
	window.addEventListener('scroll', layoutBar);
	svg.addEventListener('show', resize); // sent by a page when it makes the graph visible
	svg.addEventListener('part', event => showPart(event.detail && event.detail.weights, event.detail && event.detail.name));
	resize();
	toRoot();
	layoutBar();
}

window.ringtail = { make: html, grouped: grouped, unpack: unpack }; // for the other scripts of a page
for (const svg of document.querySelectorAll('svg.flame')) Flame(svg);
})();
