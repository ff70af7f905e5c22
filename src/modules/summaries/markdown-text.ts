import { escaped } from './extractive/extractive-content.js';

/** Escapes one line of text for Markdown, also at the beginning of a line. */
export function markdownText(text: string): string {
  return escaped(text)
    .replace(/^([-+=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}
