import { LIMITS } from '../../../../contract/limits.js';
import type { CheckedPoint, CheckedSummary } from './chat-checks.js';
import type { Finding } from './chat-findings.js';
import type { Minutes } from './chat-minutes.js';
import { quote } from '../../../../lib/extractive-summary/extractive-content.js';
import { markdownText } from '../../../summaries/public/summary-markdown.js';
import type {
  GeneratedSummary,
  SummaryDecision,
  SummaryKeyPoint,
  SummaryTopic,
} from '../../../../lib/extractive-summary/summary.js';

/** Characters; a longer summary would be of no use. */
const MAX_CONTENT = 20_000;

/**
 * Turns checked minutes into a summary. The Markdown is built here from plain text, so that nothing a model writes
 * becomes a link, an image or HTML, even if someone in the meeting instructed it to.
 */
export function toSummary({ overview, topics, decisions, actionItems }: Minutes): GeneratedSummary {
  return {
    content: wholeParagraphs(overview.map(markdownText)),
    topics: topics.slice(0, LIMITS.topics).map(topicOf),
    decisions: decisions.map(decisionOf),
    actionItems: actionItems.map((item) => ({ ...decisionOf(item), owner: item.owner, due: item.due })),
  };
}

/** The summary of a meeting whose parts were summarized in different ways. */
export function inSequence(one: GeneratedSummary, next: GeneratedSummary): GeneratedSummary {
  return {
    content: next.topics.length > 0 ? `${one.content}\n\n${next.content}` : one.content,
    topics: [...one.topics, ...next.topics].slice(0, LIMITS.topics),
    decisions: [...one.decisions, ...next.decisions].slice(0, LIMITS.decisions),
    actionItems: [...one.actionItems, ...next.actionItems].slice(0, LIMITS.actionItems),
  };
}

function decisionOf({ text, segments }: Finding): SummaryDecision {
  return { text, start: segments[0]?.start ?? null, segmentIds: segments.map(({ id }) => id) };
}

/** Joins as many paragraphs as fit. */
function wholeParagraphs(paragraphs: readonly string[]): string {
  let content = '';
  for (const paragraph of paragraphs) {
    const longer = content ? `${content}\n\n${paragraph}` : paragraph;
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
