import { type CheckedPoint, type CheckedSummary, checkSummary, citedIn } from './chat-checks.js';
import type { Evidence } from './chat-evidence.js';
import { checkFindings, type Finding, mergeFindings } from './chat-findings.js';
import type { MeetingPart } from './chat-parts.js';
import type { MergeReply, PartReply } from './chat-reply.js';
import { LIMITS } from '../../../../contract/limits.js';
import { quote } from '../../../../lib/extractive-summary/extractive-content.js';
import { markdownText } from '../../../summaries/public/summary-markdown.js';
import type {
  GeneratedSummary,
  SummaryDecision,
  SummaryKeyPoint,
  SummaryTopic,
} from '../../../../lib/extractive-summary/summary.js';

/** What is known of a part of a meeting, or of the whole. */
export interface Minutes extends CheckedSummary {
  readonly decisions: readonly Finding[];
  readonly actionItems: readonly Finding[];
}

export async function minutesOfPart(
  reply: PartReply,
  { segments }: MeetingPart,
  evidence: Evidence,
): Promise<Minutes> {
  const citable = new Set(segments.map(({ id }) => id));
  return {
    ...checkSummary(reply, citable, evidence),
    decisions: mergeFindings([await checkFindings(reply.decisions, citable, evidence)]),
    actionItems: mergeFindings([await checkFindings(reply.action_items, citable, evidence)]),
  };
}

/** Overview and topics as the model has merged them; decisions and action items are merged without it. */
export function mergedMinutes(reply: MergeReply, parts: readonly Minutes[], evidence: Evidence): Minutes {
  return { ...checkSummary(reply, citedIn(parts), evidence), ...mergedFindings(parts) };
}

/** Overviews and topics of all parts one after another. */
export const joinedMinutes = (parts: readonly Minutes[]): Minutes => ({
  overview: parts.flatMap(({ overview }) => overview),
  topics: parts.flatMap(({ topics }) => topics),
  ...mergedFindings(parts),
});

const mergedFindings = (parts: readonly Minutes[]): Pick<Minutes, 'decisions' | 'actionItems'> => ({
  decisions: mergeFindings(parts.map(({ decisions }) => decisions)),
  actionItems: mergeFindings(parts.map(({ actionItems }) => actionItems)),
});

/** Characters; a longer summary would be of no use. */
const MAX_CONTENT = 20_000;

/** Turns minutes into a summary, as plain text: nothing that a model writes becomes a link, an image or HTML. */
export const toSummary = ({ overview, topics, decisions, actionItems }: Minutes): GeneratedSummary => ({
  content: wholeParagraphs(overview.map(markdownText)),
  topics: topics.slice(0, LIMITS.topics).map(topicOf),
  decisions: decisions.map(decisionOf),
  actionItems: actionItems.map((item) => ({ ...decisionOf(item), owner: item.owner, due: item.due })),
});

/** The summary of a meeting whose parts were summarized in different ways. */
export const inSequence = (one: GeneratedSummary, next: GeneratedSummary): GeneratedSummary => ({
  content: next.topics.length > 0 ? `${one.content}\n\n${next.content}` : one.content,
  topics: [...one.topics, ...next.topics].slice(0, LIMITS.topics),
  decisions: [...one.decisions, ...next.decisions].slice(0, LIMITS.decisions),
  actionItems: [...one.actionItems, ...next.actionItems].slice(0, LIMITS.actionItems),
});

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

const keyPointOf = ({ text, segments, quotes }: CheckedPoint): SummaryKeyPoint => ({
  point: text,
  start: segments[0]?.start ?? null,
  details: quotes.map(({ segment, text: words }) => quote(segment.speaker, segment.start, words)),
});
