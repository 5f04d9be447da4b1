// The page: one section per question. What it shows is in the script block `data` (report/page/page.cpp).
import {read} from './data.js';
import {h, tell, forgetColours} from './util.js';
import {summary} from './summary.js';
import {timeline} from './timeline.js';
import {source} from './source.js';
import {memory} from './memory.js';
import {roofline} from './roofline.js';
import {cores} from './cores.js';
import {differences} from './diff.js';

const root = document.documentElement;
const wanted = () => root.dataset.choice ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

function useTheme(name) {
  root.dataset.theme = name;
  forgetColours();
  tell('redraw');
}

function themeButton() {
  return h('button', {
    type: 'button', id: 'theme', title: 'Dark or light', onclick: () => {
      root.dataset.choice = wanted() === 'dark' ? 'light' : 'dark';
      useTheme(wanted());
    },
  }, 'Dark / light');
}

function show(title, head, sections) {
  document.title = `${title} - pto-sim`;
  useTheme(wanted());
  document.getElementById('page').replaceChildren(
    h('header', {}, head),
    h('nav', {'aria-label': 'Sections'}, sections.map(section => h('a', {href: `#${section.id}`}, section.title)), themeButton()),
    ...sections.map(section => h('section', {id: section.id}, h('h2', {}, section.title), section.body)));
}

function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  root.dataset.theme = wanted();
  if (data.kind === 'diff') {
    show(`${data.a.program} and ${data.b.program}`, h('h1', {}, `${data.a.name} \u2192 ${data.b.name}`), differences(data));
  } else {
    const model = read(data);
    show(model.run.program, [h('h1', {}, model.run.program || 'program'), h('span', {class: `badge ${model.run.outcome}`}, model.outcome),
      h('span', {class: 'dim'}, [model.run.target, ...(model.run.settings ?? [])].join(', '))],
    [summary(model), timeline(model), source(model), memory(model), roofline(model), cores(model)].filter(Boolean));
  }
  tell('redraw');
  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; tell('redraw'); } });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => useTheme(wanted()));
  addEventListener('beforeprint', () => useTheme('light'));
  addEventListener('afterprint', () => useTheme(wanted()));
  addEventListener('keydown', event => {
    if (event.key !== '/' || event.target.matches('input, select')) return;
    event.preventDefault();
    document.querySelector('input[type=search]')?.focus();
  });
}

start();
