// Markdown of summaries as elements: hostile Markdown, too, becomes text and a few harmless tags.

/** @typedef {{ tag: string, props: object, children: Node[] } | string} Node */
/** @typedef {{ mark: string, nodes: Node[] }} Emphasis */

const MAX_NESTING = 6;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9})[.)])[ \t]+(.*)$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}> ?/;
const ROW = /^ {0,3}\|/;
const EDGES = /^\||\|$/g;
const DELIMITERS = /^[ \t|:-]+$/;
/** No part of it can be read more than once from the same place, so that time grows with length only. */
const INLINE =
  /\\([!-/:-@[-`{-~])|`([^`]+)`|\[([^[\]]+)\]\(((?:https?:\/\/|mailto:)[^\s()<>]+)\)|\((\d{1,3}(?::[0-5]\d){1,2})\)|(\*\*|__|[*_])/g;

/** What a text in Markdown consists of. Its links lead to websites, and `(10:45)` to that moment. @param {string} text */
export const readMarkdown = (text) => blocks(text.split(/\r\n?|\n/), 0);

/** @param {string} tag @param {Node[]} children @param {object} [props] @returns {Node} */
const element = (tag, children, props = {}) => ({ tag, props, children });

/** @param {readonly string[]} lines @param {number} depth @returns {Node[]} */
function blocks(lines, depth) {
  /** @type {Node[]} */
  const nodes = [];
  let at = 0;
  const take = (/** @type {(line: string) => boolean} */ belongs) => {
    const from = at;
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line)?.[1];
    if (line.trim() === '') at += 1;
    else if (heading) {
      // The page itself has h1 and h2, as for those who a recording is shared with.
      const level = Math.min(6, Math.max(3, (heading[1] ?? '').length + 1));
      nodes.push(element(`h${level}`, inline(heading[2] ?? '')));
      at += 1;
    } else if (fence) {
      at += 1;
      const code = take((one) => !one.trimStart().startsWith(fence));
      at += 1;
      nodes.push(element('pre', [element('code', [code.join('\n')])]));
    } else if (RULE.test(line)) {
      nodes.push(element('hr', []));
      at += 1;
    } else if (QUOTE.test(line)) {
      const quoted = take((one) => QUOTE.test(one)).map((one) => one.replace(QUOTE, ''));
      const inside = depth < MAX_NESTING ? blocks(quoted, depth + 1) : [quoted.join('\n')];
      nodes.push(element('blockquote', inside));
    } else if (ITEM.test(line)) {
      const items = take((one) => ITEM.test(one) || /^[ \t]+\S/.test(one));
      nodes.push(list(items, depth));
    } else if (ROW.test(line) && DELIMITERS.test(lines[at + 1] ?? '')) {
      nodes.push(table(take((one) => ROW.test(one))));
    } else {
      at += 1;
      nodes.push(element('p', inline([line, ...take((one) => !beginsBlock(one))].join('\n'))));
    }
  }
  return nodes;
}

/** @param {string} line */
const beginsBlock = (line) =>
  line.trim() === '' || [HEADING, ITEM, RULE, FENCE, QUOTE, ROW].some((pattern) => pattern.test(line));

/** A list; what is indented below an item is in it. @param {readonly string[]} lines @param {number} depth @returns {Node} */
function list(lines, depth) {
  const [, indent = '', number] = ITEM.exec(lines[0] ?? '') ?? [];
  /** @type {{ text: string, below: string[] }[]} */
  const items = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    const last = items.at(-1);
    if (found && (!last || depth >= MAX_NESTING || (found[1] ?? '').length <= indent.length + 1))
      items.push({ text: found[3] ?? '', below: [] });
    else if (found || last?.below.length) last?.below.push(line);
    else if (last) last.text += `\n${line.trim()}`;
  }
  const nodes = items.map(({ text, below }) =>
    element('li', [...inline(text), ...(below.length > 0 ? [list(below, depth + 1)] : [])]),
  );
  return element(number ? 'ol' : 'ul', nodes, number ? { start: Number(number) } : {});
}

/** @param {readonly string[]} lines */
function table(lines) {
  const [head, , ...body] = lines.map((line) => line.trim().replace(EDGES, '').split('|'));
  const row = (/** @type {readonly string[]} */ cells, /** @type {string} */ tag) =>
    element(
      'tr',
      cells.map((cell) => element(tag, inline(cell.trim()))),
    );
  const rows = body.map((cells) => row(cells, 'td'));
  return element('table', [element('thead', [row(head ?? [], 'th')]), element('tbody', rows)]);
}

/** @param {string} text @returns {Node[]} */
function inline(text) {
  /** @type {[Emphasis, ...Emphasis[]]} */
  const open = [{ mark: '', nodes: [] }];
  const add = (/** @type {Node[]} */ ...nodes) => void (open.at(-1) ?? open[0]).nodes.push(...nodes);
  // Emphasis that does not end is the text that it is.
  const giveUp = () => {
    const { mark, nodes } = /** @type {Emphasis} */ (open.pop());
    add(mark);
    for (const node of nodes) add(node);
  };
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, character, code, label, url, moment, mark = ''] = match;
    if (match.index > end) add(text.slice(end, match.index));
    const before = text[match.index - 1] ?? ' ';
    end = match.index + all.length;
    const after = text[end] ?? ' ';
    const opened = mark && /\S/.test(before) ? open.findIndex((one) => one.mark === mark) : -1;
    if (character) add(character);
    else if (code) add(element('code', [code]));
    else if (url)
      add(element('a', [label ?? ''], { href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }));
    else if (moment) add('(', element('a', [moment], { href: `#t=${moment}` }), ')');
    else if (opened > 0 && !(mark[0] === '_' && /\w/.test(after))) {
      while (open.length > opened + 1) giveUp();
      const { nodes } = /** @type {Emphasis} */ (open.pop());
      add(element(mark.length > 1 ? 'strong' : 'em', nodes));
    } else if (open.length <= MAX_NESTING && /\S/.test(after) && !(mark[0] === '_' && /\w/.test(before)))
      open.push({ mark, nodes: [] });
    else add(mark);
  }
  if (end < text.length) add(text.slice(end));
  while (open.length > 1) giveUp();
  return open[0].nodes;
}
