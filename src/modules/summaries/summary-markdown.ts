import { clockTime } from '../../platform/clock-time.js';
import type { Summary, SummaryTopic } from './entities/summary.entity.js';

/** A summary as one Markdown document. `content` is Markdown already; everything else is escaped. */
export function summaryMarkdown(
  title: string,
  { content, topics }: Pick<Summary, 'content' | 'topics'>,
): string {
  const parts = [`# ${escaped(title)}`, ...(content ? [content.trim()] : []), ...topics.map(topicMarkdown)];
  return `${parts.join('\n\n')}\n`;
}

function topicMarkdown({ title, start, keyPoints }: SummaryTopic): string {
  const heading = `## ${escaped(title)}${when(start)}`;
  const points = keyPoints.map(({ point, start: at, details }) =>
    [`- ${escaped(point)}${when(at)}`, ...details.map((detail) => `  - ${escaped(detail)}`)].join('\n'),
  );
  return points.length > 0 ? `${heading}\n\n${points.join('\n')}` : heading;
}

const when = (seconds: number | null | undefined): string =>
  typeof seconds === 'number' ? ` (${clockTime(seconds)})` : '';

/** Escapes one line of text for Markdown. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
}
