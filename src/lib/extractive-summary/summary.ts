import type { SpokenSegment } from '../transcript-formats/transcript.js';

/** What a summary is written from. */
export interface SummarySource {
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** Labels, in the order in which they first speak. */
  readonly speakers: readonly string[];
  /** Sorted by time. */
  readonly segments: readonly SpokenSegment[];
}

export interface GeneratedSummary {
  /** Markdown. */
  readonly content: string;
  readonly topics: readonly SummaryTopic[];
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
