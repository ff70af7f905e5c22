import type { SpokenSegment } from '../transcript-formats/transcript.js';

export interface SummarySource {
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** Labels, in the order in which they first speak. */
  readonly speakers: readonly string[];
  /** Names and terms as they are spelled, by the glossary of the organization. */
  readonly terms?: readonly string[];
  /** Sorted by time. */
  readonly segments: readonly SpokenSegment[];
}

export interface GeneratedSummary {
  /** The overview, in Markdown. */
  readonly content: string;
  readonly topics: readonly SummaryTopic[];
  /** What was agreed, in chronological order. */
  readonly decisions: readonly SummaryDecision[];
  /** What somebody is to do, in chronological order. */
  readonly actionItems: readonly SummaryActionItem[];
}

/** Times are seconds from the start of the recording; missing or null if unknown. */
export interface SummaryTopic {
  readonly title: string;
  readonly start?: number | null;
  readonly keyPoints: readonly SummaryKeyPoint[];
}

export interface SummaryKeyPoint {
  readonly point: string;
  readonly start?: number | null;
  readonly details: readonly string[];
}

export interface SummaryDecision {
  readonly text: string;
  readonly start?: number | null;
  /** Ids of the transcript's segments that it rests on, in order. */
  readonly segmentIds: readonly number[];
  /** 0 to 1: how probable it is that people who were there would note it; missing or null where that was not estimated. */
  readonly confidence?: number | null;
}

export interface SummaryActionItem extends SummaryDecision {
  /** Who is to do it; null if nobody is named. */
  readonly owner: string | null;
  /** When it is due, in the words of the meeting ("by Friday"); null if that was not said. */
  readonly due: string | null;
}
