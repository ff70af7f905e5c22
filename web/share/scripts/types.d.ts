/** Types of the modules; not served. What the API answers is `Share` of the API document, as far as the page needs it. */
export type ScriptFacts = import('../../../src/modules/sharing/page/share-page.view.js').ScriptFacts;
export type HlsLibrary = typeof import('hls.js').default;
export type HlsPlayer = import('hls.js').default;
export type Engine = 'native' | 'hls' | 'file';

export interface Segment {
  start: number;
  text: string;
  speaker: string;
}

export interface SharedRecording {
  status: string;
  progress: number;
  videoUrl?: string | null;
  hlsUrl?: string | null;
  thumbnailUrl?: string | null;
  downloadUrl?: string | null;
}

export interface Share {
  recording: SharedRecording;
  transcript: {
    status: string;
    revision: number;
    segments: Segment[];
    pagination: { has_more: boolean };
  } | null;
  summary: { status: string } | null;
}

declare global {
  /** What `hls.light.min.js` leaves behind. */
  var Hls: HlsLibrary | undefined;
}
