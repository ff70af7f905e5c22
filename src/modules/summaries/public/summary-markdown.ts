import { clockTime } from '../../../platform/clock/clock-time.js';
import { escaped } from '../../../lib/extractive-summary/extractive-content.js';
import type { Summary } from '../entities/summary.entity.js';
import type { SummaryTopic } from '../../../lib/extractive-summary/summary.js';

/** A summary as one Markdown document. `content` is Markdown already; everything else is escaped. */
export function summaryMarkdown(
  title: string,
  { content, topics }: Pick<Summary, 'content' | 'topics'>,
): string {
  const parts = [`# ${lineOf(title)}`, ...(content ? [content.trim()] : []), ...topics.map(topicMarkdown)];
  return `${parts.join('\n\n')}\n`;
}

function topicMarkdown({ title, start, keyPoints }: SummaryTopic): string {
  const heading = `## ${lineOf(title)}${when(start)}`;
  const points = keyPoints.map(({ point, start: at, details }) =>
    [`- ${lineOf(point)}${when(at)}`, ...details.map((detail) => `  - ${lineOf(detail)}`)].join('\n'),
  );
  return points.length > 0 ? `${heading}\n\n${points.join('\n')}` : heading;
}

const when = (seconds: number | null | undefined): string =>
  typeof seconds === 'number' ? ` (${clockTime(seconds)})` : '';

const lineOf = (text: string): string => markdownText(text.replace(/\s+/g, ' ').trim());

/** Escapes one line of text for Markdown, also at the beginning of a line. */
export function markdownText(text: string): string {
  return escaped(text)
    .replace(/^([-+=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}
