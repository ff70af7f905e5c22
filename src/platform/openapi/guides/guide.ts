import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { PROJECT_ROOT } from '../../../lib/project-root.js';

export interface Guide {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** A heading and what follows it. */
interface Section {
  /** The anchor of the heading, as GitHub makes it. */
  readonly id: string;
  readonly level: number;
  readonly heading: string;
  text: string;
}

// A guide may contain HTML, as it is part of the service.
const markdown = new MarkdownIt({ html: true });
const { rules } = markdown.renderer;
const fence = rules.fence!;
// What scrolls sideways takes the focus, so that keys scroll it.
rules.fence = (...args) => fence(...args).replace('<pre', '<pre tabindex="0"');
rules['table_open'] = () => '<div class="wide" tabindex="0"><table>';
rules['table_close'] = () => '</table></div>';

type Tokens = ReturnType<typeof markdown.parse>;

/**
 * Renders the Markdown document at `path` of the project. `addressOf`: the URL of a file of the project that it links to,
 * undefined if that is not served.
 */
export function readGuide(path: string, addressOf: (path: string) => string | undefined): Guide {
  const tokens = markdown.parse(readFileSync(posix.join(PROJECT_ROOT, path), 'utf8'), {});
  const sections: Section[] = [];
  for (const [at, token] of tokens.entries()) {
    const children = token.children ?? [];
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[at + 1]?.children ?? []);
      const slug = slugOf(heading);
      const count = sections.filter((section) => slugOf(section.heading) === slug).length;
      const id = count === 0 ? slug : `${slug}-${count}`;
      token.attrSet('id', id);
      sections.push({ id, level: Number(token.tag.slice(1)), heading, text: '' });
    } else if (tokens[at - 1]?.type !== 'heading_open' && sections.length > 0)
      sections.at(-1)!.text += `${token.type === 'fence' ? token.content : textOf(children)} `.trimStart();
    relink(children, (file) => addressOf(posix.join(posix.dirname(path), file)));
  }
  // An empty header is no header.
  const html = markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<th></th>', '<td></td>');
  return { title: sections[0]?.heading ?? path, html, sections };
}

const textOf = (tokens: Tokens): string =>
  tokens
    .map(({ type, content }) => (type === 'html_inline' ? '' : type.endsWith('break') ? ' ' : content))
    .join('');

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** Links to files that are served lead there; others become text that says where the file is. */
function relink(tokens: Tokens, addressOf: (file: string) => string | undefined): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_close' && isText) token.tag = 'span';
    if (token.type !== 'link_open') continue;
    const [file = '', anchor = ''] = String(token.attrGet('href')).split(/(?=#)/);
    const address = /^[a-z]+:|^$/.test(file) ? file : addressOf(file);
    isText = address === undefined;
    if (address !== undefined) token.attrSet('href', address + anchor);
    else [token.tag, token.attrs] = ['span', [['title', `${file}, in the repository of the service`]]];
  }
}
