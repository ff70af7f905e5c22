import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/** HTML in it is text. */
const markdown = new MarkdownIt('default', { html: false });
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

/** Markdown of anybody as HTML that only looks: rendered by one library, what may stay decided by another. */
export function safeHtml(text: string): string {
  return sanitizeHtml(markdown.render(text), ALLOWED);
}
