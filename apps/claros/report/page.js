// SPDX-License-Identifier: BSD-3-Clause
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 400, LEFT = 76, RIGHT = 14, TOP = 14, BOTTOM = 52;

const element = (name, attributes = {}, text) => {
  const svg = ["svg", "path", "text", "rect", "circle"].includes(name);
  const made = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const numbers = list => list === "" ? [] : list.split(",").map(word => word === "" ? NaN : Number(word));
const column = (member, name) => typeof member[name] === "string" ? member[name] = numbers(member[name]) : member[name];
const shown = value => Number.isNaN(value) ? "unknown"
  : Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(6)));
const superscript = number => String(number).replace(/[-0-9]/g, c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);

// The same rules as axis_ticks and tick_label of chart.cpp.
const ticks = (low, high, log) => {
  const found = [];
  if (log && high / low >= 10) {
    const decades = Math.log10(high / low), every = Math.max(1, Math.ceil(decades / 7));
    for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; ++e)
      for (const digit of [1, 2, 5]) {
        const tick = digit * 10 ** e;
        if (tick <= high * (1 + 1e-9) && (digit === 1 ? e % every === 0 : decades < 2)) found.push(tick);
      }
    return found;
  }
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw)), share = raw / power;
  const step = power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) if (!log || k > 0) found.push(k * step);
  return found;
};
const tickLabel = (value, log) => {
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  if ((value === 0 || (power > -4 && power < 5)) && !(log && (power < -2 || power > 3))) return shown(value);
  const digits = value / 10 ** power, ten = "10" + superscript(power);
  return Math.abs(digits - 1) < 1e-6 ? ten : Number(digits.toPrecision(4)) + "·" + ten;
};

// Median and quartiles of curves over the x that all of them cover, as band() of quartiles.hpp.
const interpolated = (x, y, at, log) => {
  let low = 0, high = x.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (x[middle] <= at) low = middle; else high = middle; }
  if (x[high] <= at) return y[high];
  const share = x[high] === x[low] ? 0 : (at - x[low]) / (x[high] - x[low]);
  return log ? Math.exp((1 - share) * Math.log(y[low]) + share * Math.log(y[high])) : (1 - share) * y[low] + share * y[high];
};
const quantile = (sorted, share) => {
  const at = share * (sorted.length - 1), k = Math.floor(at), next = Math.min(k + 1, sorted.length - 1);
  return sorted[k] + (at - k) * (sorted[next] - sorted[k]);
};
const bandOf = (series, log) => {
  const members = series.map(([x, y]) => {
    const kept = [[], []];
    for (let k = 0; k < x.length; ++k) {
      if (!Number.isFinite(x[k]) || !Number.isFinite(y[k]) || (log && y[k] <= 0)) continue;
      if (kept[0].length && kept[0].at(-1) === x[k]) kept[1][kept[1].length - 1] = y[k];
      else kept[0].push(x[k]), kept[1].push(y[k]);
    }
    return kept;
  }).filter(([x]) => x.length);
  const band = {x: [], lower: [], median: [], upper: [], members: members.length};
  if (!members.length) return band;
  const from = Math.max(...members.map(([x]) => x[0])), to = Math.min(...members.map(([x]) => x.at(-1)));
  let places = [...new Set(members.flatMap(([x]) => x))].filter(x => x >= from && x <= to).sort((a, b) => a - b);
  if (places.length > 400) places = Array.from({length: 400}, (_, k) => places[Math.round(k * (places.length - 1) / 399)]);
  for (const at of places) {
    const sorted = members.map(([x, y]) => interpolated(x, y, at, log)).sort((a, b) => a - b);
    const own = log ? sorted.map(Math.log) : sorted, back = log ? Math.exp : value => value;
    band.x.push(at);
    [["lower", .25], ["median", .5], ["upper", .75]].forEach(([name, share]) => band[name].push(back(quantile(own, share))));
  }
  return band;
};

class Figure {
  constructor(section, figure) {
    this.section = section, this.figure = figure;
    this.id = section.dataset.figure;
    this.hidden = new Set();
    this.state = {x: figure.x[0].name, y: figure.y[0].name, logX: figure.logX, logY: figure.logY};
    this.first = {...this.state};
    this.recall();
    this.drawing = section.querySelector(".drawing");
    this.readout = section.querySelector(".readout");
    this.drawing.tabIndex = 0;
    this.drawing.title = "Drag to zoom, double click for the whole. Keys: arrows move along the curves, + and - zoom, 0 the whole.";
    this.makeControls();
    for (const key of section.querySelectorAll(".key")) key.addEventListener("click", () => this.toggle(key));
    this.listen();
    this.draw();
  }
  // What the reader chose stays when a page that follows a run loads itself again.
  recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem("figure" + this.id) || "{}");
      const has = (axes, name) => axes.some(axis => axis.name === name);
      if (has(this.figure.x, kept.x) && has(this.figure.y, kept.y)) Object.assign(this.state, kept);
    } catch { /* a browser that keeps nothing for files */ }
  }
  keep() {
    try { if (data.live) sessionStorage.setItem("figure" + this.id, JSON.stringify(this.state)); } catch { /* as above */ }
  }
  makeControls() {
    const controls = this.section.querySelector(".controls");
    for (const [axis, words] of [["x", "horizontal"], ["y", "vertical"]]) {
      const line = element("div", {role: "group", "aria-label": words + " axis"});
      line.append(element("span", {class: "axis"}, words));
      if (this.figure[axis].length > 1)
        for (const {name, label} of this.figure[axis]) line.append(this.button(name, label, axis, name));
      line.append(this.button("log", "logarithmic " + words + " axis", "log" + axis.toUpperCase(), null));
      if (axis === "y") {
        this.whole = element("button", {type: "button"}, "whole range");
        this.whole.addEventListener("click", () => this.zoom(null));
        line.append(this.whole);
      }
      controls.append(line);
    }
  }
  button(text, title, key, value) {
    const made = element("button", {type: "button", title, "data-key": key}, text);
    made.addEventListener("click", () => {
      this.state[key] = value === null ? !this.state[key] : value;
      if (key === "y") this.state.logY = /gap|residual|error/.test(value) ? true : value === this.first.y ? this.first.logY : false;
      this.view = null, this.keep(), this.draw();
    });
    (this.buttons ??= []).push([made, () => value === null ? this.state[key] : this.state[key] === value]);
    return made;
  }
  toggle(key) {
    const curve = Number(key.dataset.curve), hides = !this.hidden.has(curve);
    if (hides) this.hidden.add(curve); else this.hidden.delete(curve);
    key.setAttribute("aria-pressed", String(!hides));
    this.draw();
  }
  bands() {
    const {x, y, logY} = this.state, {lower, upper} = this.figure;
    return this.figure.curves.map((curve, number) => {
      const members = curve.members.filter(member => x in member && y in member)
        .map(member => Object.fromEntries([x, y, lower, upper].filter(name => name in member).map(name => [name, column(member, name)])));
      const band = lower && members.length && y === this.figure.y[0].name
        ? {x: members[0][x], lower: members[0][lower], median: members[0][y], upper: members[0][upper], members: 2}
        : members.length === 1 ? {x: members[0][x], lower: members[0][y], median: members[0][y], upper: members[0][y], members: 1}
        : bandOf(members.map(member => [member[x], member[y]]), logY);
      return {curve, number, band};
    }).filter(({number}) => !this.hidden.has(number));
  }
  shows(axis, value) { return Number.isFinite(value) && (!this.state["log" + axis] || value > 0); }
  range(axis, values, room) {
    const log = this.state["log" + axis];
    let low = Infinity, high = -Infinity;
    for (const value of values) if (this.shows(axis, value)) low = Math.min(low, value), high = Math.max(high, value);
    if (!(low <= high)) [low, high] = log ? [.1, 1] : [0, 1];
    if (log) { const factor = low === high ? 2 : (high / low) ** room; return [low / factor, high * factor]; }
    const around = low === high ? (low === 0 ? 1 : .5 * Math.abs(low)) : room * (high - low);
    return [low - around, high + around];
  }
  scale(axis, [low, high], first, last) {
    const log = this.state["log" + axis];
    const to = value => first + (last - first) * (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
    to.back = pixel => {
      const share = (pixel - first) / (last - first);
      return log ? low * (high / low) ** share : low + share * (high - low);
    };
    return Object.assign(to, {low, high, log});
  }
  draw() {
    const {figure, state} = this;
    this.curves = this.bands();
    const xs = [], ys = [];
    for (const {band} of this.curves) band.x.forEach((x, k) => {
      if (!this.shows("X", x) || !this.shows("Y", band.median[k])) return;
      xs.push(x), ys.push(band.lower[k], band.median[k], band.upper[k]);
    });
    const width = this.width = Math.max(300, this.drawing.clientWidth || 760), right = width - RIGHT, floor = HEIGHT - BOTTOM;
    const [xFirst, xLast] = figure.fallingX ? [right, LEFT] : [LEFT, right];
    const across = this.across = this.scale("X", this.view?.x ?? this.range("X", xs, 0), xFirst, xLast);
    const up = this.up = this.scale("Y", this.view?.y ?? this.range("Y", ys, .04), floor, TOP);
    const label = (axes, name) => axes.find(axis => axis.name === name).label;
    const fitting = (text, room) => text.length * 7 <= room ? text : text.replace(/ \(.*/, "");
    const svg = this.svg = element("svg", {class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
      "aria-label": `${figure.title}: ${label(figure.y, state.y)} against ${label(figure.x, state.x)}`});
    const several = this.curves.some(({band}) => band.members > 1) && !figure.lower;
    let last = -Infinity;
    for (const t of ticks(across.low, across.high, across.log).sort((a, b) => across(a) - across(b))) {
      svg.append(element("path", {class: "grid", d: `M${across(t)} ${TOP}V${floor}`}));
      if (across(t) - last < 52) continue;  // labels do not touch
      last = across(t);
      svg.append(element("text", {class: "tick", x: Math.min(across(t), width - 20), y: floor + 18, "text-anchor": "middle"},
        tickLabel(t, across.log)));
    }
    for (const t of ticks(up.low, up.high, up.log))
      svg.append(element("path", {class: "grid", d: `M${LEFT} ${up(t)}H${right}`}),
        element("text", {class: "tick", x: LEFT - 6, y: up(t) + 4, "text-anchor": "end"}, tickLabel(t, up.log)));
    svg.append(element("path", {class: "frame", d: `M${LEFT} ${TOP}V${floor}H${right}`}),
      element("text", {class: "label", x: (LEFT + right) / 2, y: HEIGHT - 10, "text-anchor": "middle"},
        fitting(label(figure.x, state.x), right - LEFT)),
      element("text", {class: "label", transform: `translate(16 ${(TOP + floor) / 2}) rotate(-90)`, "text-anchor": "middle"},
        fitting(label(figure.y, state.y) + (several ? " (median, quartiles)" : ""), floor - TOP)));
    figure.marks.forEach(({label: name, x}, k) => {
      if (!this.shows("X", x) || x < across.low || x > across.high) return;
      const left = across(x) > right - 160;
      svg.append(element("path", {class: "mark", d: `M${across(x)} ${TOP}V${floor}`}),
        element("text", {class: "tick over", x: across(x) + (left ? -5 : 5), y: TOP + 12 + 16 * k, "text-anchor": left ? "end" : "start"}, name));
    });
    // A nested svg cuts what a zoom leaves outside.
    const inside = element("svg", {x: LEFT, y: TOP, width: right - LEFT, height: floor - TOP, viewBox: `${LEFT} ${TOP} ${right - LEFT} ${floor - TOP}`});
    for (const {number, band} of this.curves)
      if (band.members > 1) inside.append(element("path", {class: `band s${number % 7}`, d: this.outline(band)}));
    for (const {curve, number, band} of [...this.curves].reverse())
      inside.append(element("path", {class: curve.background ? "line rest" : `line s${number % 7} d${number % 5}`, d: this.path(band)}));
    this.overlay = element("svg");
    svg.append(inside, this.overlay);
    this.drawing.replaceChildren(svg);
    for (const [button, on] of this.buttons) button.setAttribute("aria-pressed", String(on()));
    this.whole.disabled = !this.view;
    this.readout.textContent = ys.length ? "" : "No number of this column can be shown on this axis.";
    this.table(label(figure.x, state.x), label(figure.y, state.y));
  }
  path(band) {
    let path = "", open = false;
    band.x.forEach((x, k) => {
      const visible = this.shows("X", x) && this.shows("Y", band.median[k]);
      if (visible) path += (open ? "L" : "M") + this.across(x).toFixed(1) + " " + this.up(band.median[k]).toFixed(1);
      open = visible;
    });
    return path;
  }
  outline(band) {
    const forth = [], back = [];
    band.x.forEach((x, k) => {
      if (![x].every(v => this.shows("X", v)) || !this.shows("Y", band.lower[k]) || !this.shows("Y", band.upper[k])) return;
      forth.push(this.across(x).toFixed(1) + " " + this.up(band.upper[k]).toFixed(1));
      back.unshift(this.across(x).toFixed(1) + " " + this.up(band.lower[k]).toFixed(1));
    });
    return forth.length ? "M" + forth.concat(back).join("L") + "Z" : "";
  }
  // At most 12 points of each curve, filled in when it is opened.
  table(x, y) {
    const details = this.section.querySelector(".numbers");
    const fill = () => {
      const body = element("tbody");
      for (const {curve, band} of this.curves) {
        if (curve.background) continue;
        const points = band.x.map((at, k) => [at, band.median[k]]).filter(([, value]) => Number.isFinite(value));
        const every = Math.max(1, (points.length - 1) / 11);
        for (let k = 0; k < Math.min(12, points.length); ++k) {
          const row = element("tr"), [at, value] = points[Math.round(k * every)];
          row.append(element("td", {}, curve.label), element("td", {class: "n"}, shown(at)), element("td", {class: "n"}, shown(value)));
          body.append(row);
        }
      }
      const head = element("tr");
      for (const name of ["curve", x, y]) head.append(element("th", {scope: "col"}, name));
      const table = details.querySelector("table");
      table.tHead.replaceChildren(head), table.tBodies[0].replaceWith(body);
    };
    details.ontoggle = () => details.open && fill();
    if (details.open) fill();
  }
  zoom(view) { this.view = view; this.draw(); }
  point(event) {
    const box = this.svg.getBoundingClientRect(), ratio = this.width / box.width;
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  }
  listen() {
    let from = null;
    const clamp = ([x, y]) => [Math.min(Math.max(x, LEFT), this.width - RIGHT), Math.min(Math.max(y, TOP), HEIGHT - BOTTOM)];
    const {drawing} = this;
    drawing.addEventListener("pointerdown", event => {
      if (event.pointerType === "touch" || event.button !== 0) return;
      from = clamp(this.point(event)), drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", event => {
      const [x, y] = clamp(this.point(event));
      if (!from) return this.read(this.across.back(x));
      this.overlay.replaceChildren(element("rect", {class: "zoom", x: Math.min(x, from[0]), y: Math.min(y, from[1]),
        width: Math.abs(x - from[0]), height: Math.abs(y - from[1])}));
    });
    drawing.addEventListener("pointerup", event => {
      if (!from) return this.read(this.across.back(clamp(this.point(event))[0]));
      const to = clamp(this.point(event)), begin = from;
      from = null;
      if (Math.abs(to[0] - begin[0]) < 8 || Math.abs(to[1] - begin[1]) < 8) return this.overlay.replaceChildren();
      const sorted = (a, b) => a < b ? [a, b] : [b, a];
      this.zoom({x: sorted(this.across.back(begin[0]), this.across.back(to[0])), y: sorted(this.up.back(begin[1]), this.up.back(to[1]))});
    });
    drawing.addEventListener("pointercancel", () => { from = null; this.overlay.replaceChildren(); });
    drawing.addEventListener("pointerleave", () => { if (!from) this.overlay.replaceChildren(); });
    drawing.addEventListener("dblclick", () => this.zoom(null));
    drawing.addEventListener("keydown", event => this.key(event));
    let width = drawing.clientWidth;
    new ResizeObserver(() => { if (drawing.clientWidth !== width) width = drawing.clientWidth, this.draw(); }).observe(drawing);
  }
  key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key], factor = {"+": .5, "=": .5, "-": 2}[event.key];
    if (event.key === "0" || event.key === "Escape") this.zoom(null);
    else if (step) {
      this.at = Math.min(Math.max((this.at ?? LEFT) + step * (this.width - LEFT - RIGHT) / 50, LEFT), this.width - RIGHT);
      this.read(this.across.back(this.at));
    } else if (factor) {
      const middle = this.at ?? (LEFT + this.width - RIGHT) / 2, half = factor * (this.width - LEFT - RIGHT) / 2;
      const ends = [this.across.back(middle - half), this.across.back(middle + half)].sort((a, b) => a - b);
      this.zoom({x: ends, y: [this.up.low, this.up.high]});
    } else return;
    event.preventDefault();
  }
  // The value of every curve at its point nearest to x.
  read(x) {
    const words = [], marks = [element("path", {class: "cursor", d: `M${this.across(x)} ${TOP}V${HEIGHT - BOTTOM}`})];
    for (const {curve, number, band} of this.curves) {
      if (curve.background) continue;
      let best = -1;
      band.x.forEach((at, k) => {
        if (!this.shows("X", at) || !this.shows("Y", band.median[k])) return;
        if (best < 0 || Math.abs(this.across(at) - this.across(x)) < Math.abs(this.across(band.x[best]) - this.across(x))) best = k;
      });
      if (best < 0) continue;
      const cx = this.across(band.x[best]), cy = this.up(band.median[best]);
      words.push(`${curve.label}: ${shown(band.median[best])} at ${shown(band.x[best])}`);
      if (cx >= LEFT - 1 && cx <= this.width - RIGHT + 1 && cy >= TOP - 1 && cy <= HEIGHT - BOTTOM + 1)
        marks.push(element("circle", {class: `dot s${number % 7}`, cx, cy, r: 3.5}));
    }
    this.overlay.replaceChildren(...marks);
    this.readout.textContent = words.slice(0, 12).join(";  ") + (words.length > 12 ? `;  and ${words.length - 12} more` : "");
  }
}

const sortBy = (table, column) => {
  const heads = [...table.tHead.rows[0].cells], head = heads[column];
  const rising = head.getAttribute("aria-sort") !== "ascending";
  heads.forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const key = row => row.cells[column]?.textContent ?? "";
  const compared = (a, b) => {
    const x = parseFloat(a), y = parseFloat(b);
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;  // what is not known comes last
    return (Number.isNaN(x) ? a.localeCompare(b) : x - y) * (rising ? 1 : -1);
  };
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => compared(key(a), key(b))));
};

for (const table of document.querySelectorAll("table.sortable"))
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.classList.add("sorts"), head.tabIndex = 0;
    head.addEventListener("click", () => sortBy(table, column));
    head.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") event.preventDefault(), sortBy(table, column); });
  });
const sized = new ResizeObserver(entries => {
  for (const {target: box} of entries) {
    const ways = [box.scrollWidth > box.clientWidth && "sideways", box.scrollHeight > box.clientHeight && "down"].filter(Boolean);
    box.nextElementSibling.textContent = ways.length ? `This table scrolls ${ways.join(" and ")}.` : "";
    box.tabIndex = ways.length ? 0 : -1;  // the keyboard scrolls what it can reach
  }
});
for (const box of document.querySelectorAll(".wide"))
  box.after(element("p", {class: "note scrolls"}, "")), sized.observe(box);
for (const box of document.querySelectorAll(".copied")) {
  const copy = element("button", {type: "button", class: "copy"}, "copy"), text = box.querySelector("pre");
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(text.textContent); copy.textContent = "copied"; }
    catch { getSelection().selectAllChildren(text); copy.textContent = "selected"; }
  });
  box.append(copy);
}
// Those that are out of sight are drawn when they come near.
const near = new IntersectionObserver(entries => {
  for (const {isIntersecting, target} of entries)
    if (isIntersecting) near.unobserve(target), new Figure(target, data.figures[Number(target.dataset.figure)]);
}, {rootMargin: "600px"});
for (const section of document.querySelectorAll(".figure")) near.observe(section);
if (data.live) setTimeout(() => location.reload(), 5000);
})();
