/** Types of `share.js`; not served. What the API answers is the `Share` of the API document, as far as the page needs it. */
type ScriptFacts = import('../../src/modules/sharing/share-page.view.js').ScriptFacts;
type HlsLibrary = typeof import('hls.js').default;
type HlsPlayer = import('hls.js').default;
type Engine = 'native' | 'hls' | 'file';

interface Segment {
  start: number;
  text: string;
  speaker: string;
}

interface SharedRecording {
  status: string;
  progress: number;
  videoUrl?: string | null;
  hlsUrl?: string | null;
  thumbnailUrl?: string | null;
  downloadUrl?: string | null;
}

interface Share {
  recording: SharedRecording;
  transcript: {
    status: string;
    revision: number;
    segments: Segment[];
    pagination: { has_more: boolean };
  } | null;
  summary: { status: string } | null;
}

/** What `hls.light.min.js` leaves behind. */
declare var Hls: HlsLibrary | undefined;
