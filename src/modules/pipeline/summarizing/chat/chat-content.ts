import { clockTime } from '../../../../platform/clock/clock-time.js';
import type { CheckedPoint, CheckedSummary } from './chat-checks.js';
import { quote } from '../../../../lib/extractive-summary/extractive-content.js';
import { markdownText } from '../../../summaries/public/summary-markdown.js';
import type {
  GeneratedSummary,
  SummaryKeyPoint,
  SummaryTopic,
} from '../../../../lib/extractive-summary/summary.js';

/** Characters; a longer summary would be of no use. */
const MAX_CONTENT = 20_000;

/**
 * Turns a checked reply into a summary. The Markdown is built here from plain text, so that nothing a model writes
 * becomes a link, an image or HTML, even if someone in the meeting instructed it to.
 */
export function toSummary(checked: CheckedSummary): GeneratedSummary {
  return { content: contentOf(checked), topics: checked.topics.map(topicOf) };
}

function contentOf({
  overview,
  decisionsHeading,
  decisions,
  followUpsHeading,
  followUps,
}: CheckedSummary): string {
  const blocks = [
    ...overview.map(markdownText),
    ...listOf(decisionsHeading, decisions.map(lineOf)),
    ...listOf(
      followUpsHeading,
      followUps.map((one) => `${one.owner ? `**${markdownText(one.owner)}**: ` : ''}${lineOf(one)}`),
    ),
  ];
  return wholeBlocks(blocks);
}

function listOf(heading: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [`### ${markdownText(heading)}`, ...lines.map((line) => `- ${line}`)] : [];
}

function lineOf({ text, segments }: CheckedPoint): string {
  const [first] = segments;
  return `${markdownText(text)}${first ? ` (${clockTime(first.start)})` : ''}`;
}

/** Joins as many blocks as fit. The lines of a list are not separated. */
function wholeBlocks(blocks: readonly string[]): string {
  let content = '';
  for (const block of blocks) {
    const together = block.startsWith('- ') && content.slice(content.lastIndexOf('\n') + 1).startsWith('- ');
    const longer = content ? `${content}${together ? '\n' : '\n\n'}${block}` : block;
    if (longer.length > MAX_CONTENT) break;
    content = longer;
  }
  return content;
}

function topicOf({ title, points }: CheckedSummary['topics'][number]): SummaryTopic {
  const keyPoints = points.map(keyPointOf);
  const starts = keyPoints.flatMap(({ start }) => start ?? []);
  return { title, start: starts.length > 0 ? Math.min(...starts) : null, keyPoints };
}

function keyPointOf({ text, segments, quotes }: CheckedPoint): SummaryKeyPoint {
  return {
    point: text,
    start: segments[0]?.start ?? null,
    details: quotes.map(({ segment, text: words }) => quote(segment.speaker, segment.start, words)),
  };
}
