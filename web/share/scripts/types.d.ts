/** Types of the modules; not served. `Share` has the fields of the API document's `Share` that the page needs. */
import type { MediaUrls } from './media.js';
import type { Navigation } from './navigation.js';
import type { Player } from './player.js';
import type { Search } from './search.js';
import type { Transcript } from './transcript.js';
import type { TranscriptFollower } from './transcript-follower.js';

export type ScriptFacts = import('../../../src/modules/sharing/page/share-page.view.js').ScriptFacts;
export type HlsLibrary = typeof import('hls.js').default;
export type HlsPlayer = import('hls.js').default;
export interface Support {
  readonly nativeHls: boolean;
  readonly mediaSource: boolean;
  readonly airPlay: boolean;
}
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
  downloadUrl?: string | null;
}

export interface TranscriptPart {
  status: string;
  revision: number;
  speakers?: string[];
  segments: Segment[];
  pagination: { has_more: boolean };
}

export interface Share {
  recording: SharedRecording;
  transcript: TranscriptPart | null;
  summary: { status: string } | null;
}

export interface TranscriptSource {
  readonly isClosed: boolean;
  /** Resolves to nothing if it fails. */
  fetchTranscript(startChunk: number, chunks: number): Promise<TranscriptPart | null | undefined>;
}

/** Where the components get a recording from. Dispatches `closed` when it can no longer be opened. */
export interface RecordingSource extends TranscriptSource, EventTarget {
  /** In milliseconds on the browser's clock. */
  readonly expiresAt: number;
  fetchRecording(): Promise<SharedRecording | null | undefined>;
}

export interface PlayerOptions {
  readonly source: RecordingSource;
  readonly urls: MediaUrls;
  readonly loadHls: () => Promise<HlsLibrary | null>;
  readonly onMove: (seconds: number) => void;
  /** Ends its listeners; the player itself ends with its source. */
  readonly signal?: AbortSignal;
  readonly texts?: typeof Player.texts;
}

/** What is on the page; read at each jump or key, as a player or a transcript may come later. `signal` ends its listeners. */
export interface NavigationParts {
  /** A part of a page whose URL is not to be changed. */
  readonly root?: ShadowRoot;
  readonly video: HTMLVideoElement | null;
  readonly player: Player | null;
  readonly follower: TranscriptFollower | null;
  readonly duration: number | null;
  readonly onMove: (seconds: number) => void;
  readonly signal?: AbortSignal;
}

export interface ShortcutParts {
  readonly video: HTMLVideoElement | null;
  readonly player: Player | null;
  readonly navigation: Navigation;
  readonly search: Search | null;
  readonly signal?: AbortSignal;
}

export type Action = 'toggle' | 'mute' | 'fullscreen' | 'captions' | 'search' | 'help';
/** `seek`: seconds. */
export type Shortcut = { seek: number } | Action;

export interface SearchOptions {
  readonly transcript: Transcript;
  readonly follower: TranscriptFollower;
  readonly goTo: (seconds: number) => void;
}

/** What of a transcript is to be loaded; `revision` null: of any. */
export interface Extent {
  readonly fromChunk: number;
  readonly toChunk: number;
  readonly totalChunks: number;
  readonly revision: number | null;
}

export interface Listeners {
  /** Rows have been added, starting with this one. */
  readonly onRows: (from: number) => void;
  readonly onPage: () => void;
  /** It has changed while it was loaded. */
  readonly onSuperseded: () => void;
}

declare global {
  /** Global defined by `hls.light.min.js`. */
  var Hls: HlsLibrary | undefined;
}
