import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { LIMITS } from '../../../contract/limits.js';

/** Treats HTML as text. */
const markdown = new MarkdownIt('default', { html: false, maxNesting: 20 });
// A link reference definition can be used thousands of times: a few kilobytes would grow to hundreds of megabytes.
markdown.disable('reference');
// Images become their alternative text, because share pages load nothing from other hosts.
markdown.renderer.rules['image'] = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '');

/** The page itself uses h1 and h2. */
const HEADINGS = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

const TEXT = ['p', 'br', 'hr', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'];
const TABLES = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

/** `(10:45)`: a time reference in a summary, which the page turns into a link. */
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

/** Limit of the characters of HTML; ordinary text takes about a tenth more than its Markdown. */
export const MAX_HTML = 4 * LIMITS.summaryContent.max;

/**
 * Renders untrusted Markdown as safe HTML: one library renders, another sanitizes. Null if the result would exceed
 * `MAX_HTML` characters. Takes up to a second for hostile text, so it must run in a worker thread.
 */
export default function safeHtml(text: string): string | null {
  const rendered = markdown.render(text);
  if (rendered.length > MAX_HTML) return null;
  const html = sanitizeHtml(rendered, ALLOWED);
  return html.length > MAX_HTML ? null : html;
}
