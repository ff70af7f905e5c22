/** Types of the modules; not served. `Share` has the fields of the API document's `Share` that the page needs. */
export type ScriptFacts = import('../../../src/modules/sharing/page/share-page.view.js').ScriptFacts;
export type HlsLibrary = typeof import('hls.js').default;
export type HlsPlayer = import('hls.js').default;
export type Engine = 'native' | 'hls' | 'file';

export interface Segment {
  start: number;
  text: string;
  speaker: string;
  noise?: boolean;
}

export interface SharedRecording {
  status: string;
  progress: number;
  media?: string;
  videoUrl?: string | null;
  hlsUrl?: string | null;
  thumbnailUrl?: string | null;
  captionsUrl?: string | null;
  downloadUrl?: string | null;
}

export interface TranscriptPart {
  status: string;
  revision: number;
  segments: Segment[];
  pagination: { has_more: boolean };
}

export interface Share {
  recording: SharedRecording;
  transcript: TranscriptPart | null;
  summary: { status: string } | null;
}

/** Where the components get a recording from. Dispatches `closed` when it can no longer be opened; requests that fail resolve to null. */
export interface RecordingSource extends EventTarget {
  readonly isClosed: boolean;
  /** In milliseconds on the browser's clock. */
  readonly expiresAt: number;
  fetchRecording(): Promise<SharedRecording | null>;
  fetchTranscript(startChunk: number, chunks: number): Promise<TranscriptPart | null>;
}

declare global {
  /** Global defined by `hls.light.min.js`. */
  var Hls: HlsLibrary | undefined;
}
