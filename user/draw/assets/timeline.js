// SPDX-License-Identifier: GPL-2.0
// The timeline of `report --html`: counts of samples over time, with a brush.
(function () {
'use strict';

const { make, grouped } = window.ringtail;

function Timeline(box, data, group) {
	const RIGHT = 12, OVER = 64, AXIS = 22, ROW = 17, HEAD = 22;
	const decode = function (list) {
		const out = [];
		for (const n of list) if (n < 0) for (let i = 0; i < -n; i++) out.push(0); else out.push(n);
		return out;
	};
	const n = data.buckets, all = new Array(n).fill(0), lost = decode(data.lost), groups = [];
	let LABEL = 170, lines = [], height = 0;
	for (const group of data.groups) {
		const rows = group.rows.map(r => ({ name: r[0], total: r[1], count: decode(r[2]) }));
		if (group === data.groups[0]) for (const r of rows) r.count.forEach((c, i) => { all[i] += c; });
		const largest = Math.max(1, ...rows.map(r => Math.max(...r.count)));
		// sums[i]: of all steps before i
		for (const r of rows) {
			r.sums = new Float64Array(n + 1);
			for (let i = 0; i < n; i++) r.sums[i + 1] = r.sums[i] + (r.count[i] || 0);
		}
		groups.push({ name: group.name, rows: rows, largest: largest });
	}
	const canvas = make('canvas', { tabindex: '0', role: 'img', 'aria-label': 'samples over time, by event, CPU and task' });
	const output = make('output', {}), hint = make('div', { class: 'hint' });
	hint.hidden = true;
	box.append(output, canvas, hint);
	let from = 0, to = n, width = 0, drag = null;

	const inner = () => width - LABEL - RIGHT;
	const xOf = b => LABEL + (b - from) / (to - from) * inner();
	const bucketAt = x => from + (x - LABEL) / inner() * (to - from);
	const duration = function (ns) {
		const units = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' µs'], [1, ' ns']];
		const u = units.find(v => Math.abs(ns) >= v[0]) || units[3];
		return +(ns / u[0]).toPrecision(4) + u[1];
	};
	const sum = (count, a, b) => { let s = 0; for (let i = a; i < b; i++) s += count[i]; return s; };

	const sumOf = (row, a, b) => row.sums[b] - row.sums[a];

	// Rows that are empty in the chosen part vanish, and so do groups without rows.
	function layOut(c) {
		let y = OVER + AXIS, widest = c.measureText('all samples').width;
		lines = [];
		for (const group of groups) {
			const rows = group.rows.filter(r => sumOf(r, from, to));
			if (!rows.length) continue;
			lines.push({ head: group.name, y: y });
			y += HEAD;
			for (const r of rows) {
				lines.push({ row: r, y: y, largest: group.largest });
				widest = Math.max(widest, c.measureText(r.name).width);
				y += ROW;
			}
		}
		height = y + 4;
		// As wide as the longest name, but at most half.
		LABEL = Math.ceil(Math.min(widest + 14, width / 2));
	}

	function label(c, text, x, y, room) {
		while (text.length > 2 && c.measureText(text).width > room) text = text.slice(0, text.endsWith('…') ? -2 : -1) + '…';
		c.fillText(text, x, y);
	}

	function draw() {
		width = box.clientWidth;
		if (!width) return;
		const ratio = window.devicePixelRatio || 1, css = getComputedStyle(document.documentElement);
		const color = name => css.getPropertyValue(name).trim();
		const font = canvas.getContext('2d');
		font.font = '12px system-ui, sans-serif';
		layOut(font);
		canvas.width = width * ratio;
		canvas.height = height * ratio;
		canvas.style.height = height + 'px';
		const c = canvas.getContext('2d');
		c.scale(ratio, ratio);
		c.font = '12px system-ui, sans-serif';
		c.textBaseline = 'middle';
		const heat = color('--heat'), per = Math.ceil((to - from) / Math.max(1, Math.floor(inner() / 2)));
		const cells = Math.ceil((to - from) / per), w = inner() * per / (to - from);
		// The overview: everything that was sampled.
		let largest = 1;
		const bars = [];
		for (let i = 0; i < cells; i++) {
			bars.push(sum(all, from + i * per, Math.min(to, from + (i + 1) * per)));
			largest = Math.max(largest, bars[i]);
		}
		c.fillStyle = color('--muted');
		label(c, 'all samples', 0, OVER / 2, LABEL - 12);
		c.fillStyle = 'rgb(' + heat + ')';
		bars.forEach(function (v, i) {
			const h = v / largest * (OVER - 10);
			if (v) c.fillRect(LABEL + i * w, OVER - Math.max(1, h), Math.max(.8, w - (w > 3 ? .6 : 0)), Math.max(1, h));
		});
		// The axis.
		c.strokeStyle = color('--line');
		c.beginPath();
		c.moveTo(LABEL, OVER + .5);
		c.lineTo(width - RIGHT, OVER + .5);
		const span = (to - from) * data.width, rough = span / Math.max(2, inner() / 110), base = Math.pow(10, Math.floor(Math.log10(rough)));
		const step = [1, 2, 5, 10].map(m => m * base).find(s => s >= rough);
		c.fillStyle = color('--muted');
		c.textAlign = 'center';
		for (let t = Math.ceil(from * data.width / step) * step; t <= to * data.width; t += step) {
			const x = xOf(t / data.width);
			c.moveTo(x + .5, OVER);
			c.lineTo(x + .5, OVER + 4);
			const text = duration(t), half = c.measureText(text).width / 2;
			c.fillText(text, Math.max(LABEL + half, Math.min(x, width - half - 1)), OVER + 13);
		}
		c.stroke();
		c.textAlign = 'left';
		for (const line of lines) {
			if (line.head) {
				c.fillStyle = color('--muted');
				c.font = '600 11.5px system-ui, sans-serif';
				c.fillText(line.head, 0, line.y + HEAD / 2 + 2);
				c.font = '12px system-ui, sans-serif';
				continue;
			}
			c.fillStyle = color('--fg');
			label(c, line.row.name, 0, line.y + ROW / 2, LABEL - 12);
			c.fillStyle = color('--bg');
			c.fillRect(LABEL, line.y + 1, inner(), ROW - 2);
			const most = line.largest * per;
			for (let i = 0; i < cells; i++) {
				const v = sumOf(line.row, from + i * per, Math.min(to, from + (i + 1) * per));
				if (!v) continue;
				c.fillStyle = 'rgba(' + heat + ',' + Math.min(1, .18 + .82 * Math.sqrt(v / most)).toFixed(3) + ')';
				c.fillRect(LABEL + i * w, line.y + 1, Math.max(.8, w + .3), ROW - 2);
			}
		}
		// Losses go through all rows.
		for (let i = Math.floor(from); i < to; i++) {
			if (!lost[i]) continue;
			const x = xOf(i), lw = Math.max(2, inner() / (to - from));
			c.fillStyle = color('--bad');
			c.globalAlpha = .28;
			c.fillRect(x, 0, lw, height);
			c.globalAlpha = 1;
			c.beginPath();
			c.moveTo(x - 4 + lw / 2, 0);
			c.lineTo(x + 4 + lw / 2, 0);
			c.lineTo(x + lw / 2, 7);
			c.fill();
		}
		if (drag && Math.abs(drag.to - drag.from) > 2) {
			c.fillStyle = color('--accent');
			c.globalAlpha = .2;
			c.fillRect(Math.min(drag.from, drag.to), 0, Math.abs(drag.to - drag.from), height);
			c.globalAlpha = 1;
		}
		const missing = sum(lost, from, to);
		output.textContent = duration(from * data.width) + ' to ' + duration(to * data.width) + ' after ' + data.start + ' s: ' +
			grouped(sum(all, from, to)) + ' samples' + (missing ? ', ' + grouped(missing) + ' lost' : '');
		box.dataset.from = from;
		box.dataset.to = to;
	}

	function show(a, b) {
		const least = Math.min(n, 4);
		a = Math.max(0, Math.min(a, n - least));
		b = Math.min(n, Math.max(b, a + least));
		from = Math.floor(a);
		to = Math.ceil(b);
		hint.hidden = true;
		draw();
		tell();
	}
	// Tables and graphs know slices of time, which are longer than the steps of the timeline.
	const start = BigInt(data.start.replace('.', ''));
	function seconds(bucket, less) {
		const text = String(start + BigInt(bucket) * BigInt(data.width) - less).padStart(10, '0');
		return text.slice(0, -9) + '.' + text.slice(-9);
	}
	function tell() {
		if (!group) return;
		const first = Math.floor(from / group), last = Math.ceil(to / group), end = Math.min(n, last * group);
		const name = duration(first * group * data.width) + ' to ' + duration(end * data.width);
		document.dispatchEvent(new CustomEvent('part', { detail: from === 0 && to === n ? null : {
			from: first, to: last, name: name,
			text: 'Only from ' + name + ', in whole steps of ' + duration(group * data.width) + '.',
			command: 'ringtail report --time ' + seconds(first * group, 0n) + ',' + seconds(end, 1n),
		} }));
	}
	document.addEventListener('whole', () => show(0, n));
	const clampX = x => Math.max(LABEL, Math.min(width - RIGHT, x));
	canvas.addEventListener('pointerdown', function (event) {
		if (event.offsetX < LABEL) return;
		drag = { from: event.offsetX, to: event.offsetX };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener('pointermove', function (event) {
		if (drag) {
			drag.to = clampX(event.offsetX);
			hint.hidden = true;
			draw();
			return;
		}
		const line = lines.find(l => l.row && event.offsetY >= l.y && event.offsetY < l.y + ROW), x = event.offsetX;
		hint.hidden = x < LABEL || x > width - RIGHT || !(line || event.offsetY < OVER);
		if (hint.hidden) return;
		const b = Math.floor(bucketAt(x)), count = line ? line.row.count : all;
		const near = lost[b] ? '\n' + grouped(lost[b]) + ' lost' : '';
		hint.textContent = (line ? line.row.name : 'all samples') + '\n' + duration(b * data.width) + ': ' + grouped(count[b] || 0) + ' samples' +
			(line ? '\n' + grouped(line.row.total) + ' in all' : '') + near;
		hint.style.left = Math.min(x + 14, width - hint.offsetWidth - 4) + 'px';
		hint.style.top = event.offsetY + canvas.offsetTop + 16 + 'px';
	});
	canvas.addEventListener('pointerleave', function () { hint.hidden = true; });
	canvas.addEventListener('pointerup', function () {
		if (!drag) return;
		const a = bucketAt(Math.min(drag.from, drag.to)), b = bucketAt(Math.max(drag.from, drag.to)), far = Math.abs(drag.to - drag.from) > 4;
		drag = null;
		if (far) show(a, b); else draw();
	});
	canvas.addEventListener('dblclick', () => show(0, n));
	canvas.addEventListener('keydown', function (event) {
		const span = to - from, middle = (from + to) / 2, step = Math.max(1, Math.round(span / 5));
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		switch (event.key) {
		case 'ArrowLeft': { const by = Math.min(step, from); show(from - by, to - by); break; }
		case 'ArrowRight': { const by = Math.min(step, n - to); show(from + by, to + by); break; }
		case '+': case '=': show(middle - span / 4, middle + span / 4); break;
		case '-': show(middle - span, middle + span); break;
		case 'Home': show(0, span); break;
		case 'End': show(n - span, n); break;
		case '0': case 'Escape': show(0, n); break;
		default: return;
		}
		event.preventDefault();
	});
	window.addEventListener('resize', draw);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
	window.addEventListener('beforeprint', draw);
	draw();
}

const element = document.getElementById('timeline-data'), slices = document.getElementById('slices-data');
if (element) Timeline(document.querySelector('.timeline'), JSON.parse(element.textContent), slices && JSON.parse(slices.textContent).group);
})();
