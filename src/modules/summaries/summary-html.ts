import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { LIMITS } from '../../contract/limits.js';

/** HTML in it is text. */
const markdown = new MarkdownIt('default', { html: false, maxNesting: 20 });
// One definition can be used thousands of times: a few kilobytes would become hundreds of megabytes.
markdown.disable('reference');
// Images are their words: the page asks no other host for anything.
markdown.renderer.rules['image'] = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '');

/** The page has h1 and h2 of its own. */
const HEADINGS = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

const TEXT = ['p', 'br', 'hr', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'];
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

/** `(10:45)`: how summaries say where something was said, and how the page goes there. */
const MOMENT = /\((\d{1,3}(?::[0-5]\d){1,2})\)/g;
const NO_MOMENTS = new Set(['a', 'code', 'pre']);

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [...Object.values(HEADINGS), ...TEXT, ...TABLES],
  allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  textFilter: (text, tag) => (NO_MOMENTS.has(tag) ? text : text.replace(MOMENT, '(<a href="#t=$1">$1</a>)')),
  transformTags: {
    ...HEADINGS,
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }),
  },
};

/** Characters of HTML; ordinary text takes a tenth more than its Markdown. */
export const MOST_HTML = 4 * LIMITS.summaryContent.max;

/**
 * Markdown from anyone as harmless HTML: one library renders it, another decides what may stay. Null where it would have
 * more than `MOST_HTML` characters. It runs in a thread, as it takes up to a second for hostile text.
 */
export function safeHtml(text: string): string | null {
  const rendered = markdown.render(text);
  if (rendered.length > MOST_HTML) return null;
  const html = sanitizeHtml(rendered, ALLOWED);
  return html.length > MOST_HTML ? null : html;
}
