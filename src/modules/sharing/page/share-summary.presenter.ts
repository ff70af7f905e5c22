import { clockTime } from '../../../lib/clock-time.js';
import type { SummaryDecision } from '../../../lib/extractive-summary/summary.js';
import { topicsThatFit } from '../../summaries/public/summary-content.dto.js';
import type { ReadSummary } from '../../summaries/public/summary.response.dto.js';

/** Decisions and action items that are less probable are not on the page. */
const MIN_CONFIDENCE = 0.4;

/** A moment, as the page links to it. */
export interface ClockTime {
  readonly seconds: number;
  /** `2:03`, `1:02:03`. */
  readonly clock: string;
}

/** Null if unknown. */
export function at(seconds: number): ClockTime;
export function at(seconds: number | null | undefined): ClockTime | null;
export function at(seconds: number | null | undefined): ClockTime | null {
  return typeof seconds === 'number' ? { seconds, clock: clockTime(seconds) } : null;
}

/** By time; those without one last. */
export function presentTopics(topics: ReadSummary['topics']) {
  const presented = topicsThatFit(topics).map(({ title, start, keyPoints }) => ({
    title,
    start: at(start),
    keyPoints: keyPoints.map(({ point, start: moment, details }) => ({ point, start: at(moment), details })),
  }));
  const time = ({ start }: (typeof presented)[number]): number => start?.seconds ?? Number.MAX_VALUE;
  return presented.sort((a, b) => time(a) - time(b));
}

/** `html`: sanitized, headings from h3 on; null if the Markdown has to be shown as text. Null if nothing is to be shown. */
export function presentSummary({ content, ...found }: ReadSummary, html: string | null) {
  const [decisions, actionItems] = [found.decisions.filter(isShown), found.actionItems.filter(isShown)];
  if (!content && decisions.length === 0 && actionItems.length === 0) return null;
  return {
    html: content ? html : null,
    text: html ? null : content,
    decisions: decisions.map((decision) => ({ ...decision, start: at(decision.start) })),
    actionItems: actionItems.map((item) => ({ ...item, start: at(item.start) })),
  };
}

/** Whatever people or a chat server wrote is. */
const isShown = ({ confidence }: SummaryDecision): boolean => (confidence ?? 1) >= MIN_CONFIDENCE;
