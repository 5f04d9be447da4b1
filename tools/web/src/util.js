// Small helpers of the views.
export const grouped = number => Math.round(number).toLocaleString('en-US');
export const percent = (part, of) => {
  if (!of) return '0 %';
  const share = 100 * part / of;
  return `${share >= 10 ? share.toFixed(0) : share >= 0.1 ? share.toFixed(1) : share > 0 ? '< 0.1' : '0'} %`;
};
export const bytes = number => number >= 1 << 20 ? `${(number / (1 << 20)).toFixed(1)} MiB` : number >= 1024 ? `${(number / 1024).toFixed(number % 1024 ? 1 : 0)} KiB`
  : `${number} B`;
export const short = mnemonic => mnemonic.replace(/^pto\./, '');

// An element with attributes, listeners (onclick: ..) and children.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') element.style.cssText = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

// Colours are the style sheet's, so that a theme changes them all.
let colours = null;
export function colour(name) {
  colours ??= getComputedStyle(document.documentElement);
  return colours.getPropertyValue(`--${name}`).trim();
}
export const pipeColour = pipe => colour(`pipe-${pipe}`) || colour('dim');
export const forgetColours = () => (colours = null);

// A canvas that is as sharp as the screen; returns its context in CSS pixels.
export function fit(canvas, width, height) {
  const scale = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}

// What views tell each other: 'domain' (cycles that are shown), 'line' (of the source), 'redraw'.
const listeners = new Map();
export const on = (what, call) => listeners.set(what, [...(listeners.get(what) ?? []), call]);
export const tell = (what, value) => (listeners.get(what) ?? []).forEach(call => call(value));

// The numbers of an axis stay inside of it: the last one stands left of its tick where there is no room.
export const inside = (axis, scale, width) => axis.selectAll('.tick text').attr('text-anchor', value => scale(value) > width - 26 ? 'end' : 'middle');
