// The markdown of hovers as elements: headings, paragraphs, lists, tables, code. Other text stays as it is.
const make = (tag, ...children) => {
  const element = document.createElement(tag);
  element.append(...children);
  return element;
};

const inline = text => text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map(part =>
  part.startsWith('`') ? make('code', part.slice(1, -1)) : part.startsWith('**') ? make('b', ...inline(part.slice(2, -2))) : part);

const cells = (line, tag) => make('tr', ...line.replace(/^\||\|$/g, '').split('|').map(cell => make(tag, ...inline(cell.trim()))));

export function elements(text) {
  const lines = text.split('\n'), all = [];
  let list = null;
  for (let i = 0; i < lines.length; ++i) {
    const line = lines[i];
    const item = /^\s*- (.*)/.exec(line);
    if (!item) list = null;
    if (line.startsWith('```')) {
      const code = [];
      while (++i < lines.length && !lines[i].startsWith('```')) code.push(lines[i]);
      all.push(make('pre', code.join('\n')));
    } else if (item) {
      if (!list) all.push(list = make('ul'));
      const entry = make('li', ...inline(item[1]));
      if (/^\s/.test(line)) entry.className = 'inner';
      list.append(entry);
    } else if (line.startsWith('|')) {
      const table = make('table', cells(line, 'th'));
      for (++i; i < lines.length && lines[i].startsWith('|'); ++i) if (!/^[|\s:-]+$/.test(lines[i])) table.append(cells(lines[i], 'td'));
      --i;
      all.push(table);
    } else if (line.startsWith('#')) {
      all.push(make('h3', ...inline(line.replace(/^#+ */, ''))));
    } else if (line.trim()) {
      all.push(make('p', ...inline(line)));
    }
  }
  return all;
}
