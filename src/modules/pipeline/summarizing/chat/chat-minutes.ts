import { checkSummary, citedIn, type CheckedSummary } from './chat-checks.js';
import type { Evidence } from './chat-evidence.js';
import { checkFindings, type Finding } from './chat-findings.js';
import type { MeetingPart } from './chat-parts.js';
import type { MergeReply, PartReply } from './chat-reply.js';
import { mergeFindings } from './merge-findings.js';

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
  return {
    ...checkSummary(reply, segments),
    decisions: mergeFindings([await checkFindings(reply.decisions, segments, evidence)]),
    actionItems: mergeFindings([await checkFindings(reply.action_items, segments, evidence)]),
  };
}

/** Overview and topics as the model has merged them; decisions and action items are merged without it. */
export function mergedMinutes(reply: MergeReply, parts: readonly Minutes[], evidence: Evidence): Minutes {
  return { ...checkSummary(reply, evidence.segments, citedIn(parts)), ...mergedFindings(parts) };
}

/** Overviews and topics of all parts one after another. */
export function joinedMinutes(parts: readonly Minutes[]): Minutes {
  return {
    overview: parts.flatMap(({ overview }) => overview),
    topics: parts.flatMap(({ topics }) => topics),
    ...mergedFindings(parts),
  };
}

function mergedFindings(parts: readonly Minutes[]): Pick<Minutes, 'decisions' | 'actionItems'> {
  return {
    decisions: mergeFindings(parts.map(({ decisions }) => decisions)),
    actionItems: mergeFindings(parts.map(({ actionItems }) => actionItems)),
  };
}
