import { clockTime } from '../../../lib/clock-time.js';
import { escaped } from '../../../lib/extractive-summary/extractive-content.js';
import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';
import type { ActionItem, ReadSummary } from './summary.response.dto.js';

/** A summary as one Markdown document. `content` is Markdown already; everything else is escaped. */
export function summaryMarkdown(
  title: string,
  { content, topics, decisions, actionItems }: ReadSummary,
): string {
  const parts = [
    `# ${lineOf(title)}`,
    ...(content ? [content.trim()] : []),
    ...listMarkdown('Decisions', decisions.map(decisionMarkdown)),
    ...listMarkdown('Action items', actionItems.map(actionItemMarkdown)),
    ...topics.map(topicMarkdown),
  ];
  return `${parts.join('\n\n')}\n`;
}

const listMarkdown = (title: string, items: readonly string[]): string[] =>
  items.length > 0 ? [`## ${title}\n\n${items.join('\n')}`] : [];

const decisionMarkdown = ({ text, start }: SummaryDecision): string => `- ${lineOf(text)}${when(start)}`;

/** A task of a list, as GitHub writes them. */
function actionItemMarkdown({ text, owner, due, dueDate, start, done }: ActionItem): string {
  const whose = owner === null ? '' : `**${lineOf(owner)}**: `;
  const dates = [...new Set([due, dueDate])].filter((date) => date !== null);
  const until = dates.length === 0 ? '' : ` – ${lineOf(dates.join(', '))}`;
  return `- [${done ? 'x' : ' '}] ${whose}${lineOf(text)}${until}${when(start)}`;
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
