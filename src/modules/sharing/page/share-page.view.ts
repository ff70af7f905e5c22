/** `processing`: it will become playable without further action; `failed`: it will not; `words`: it has no media. */
export type PageState = 'playable' | 'processing' | 'failed' | 'words';

/** Shown in place of the player. */
export interface ViewStatus {
  readonly title: string;
  readonly text: string;
  /** Progress of upload and processing together, in whole percent; null if unknown. */
  readonly percent: number | null;
}

/** Data for the script, as JSON in the page. */
export interface ScriptFacts {
  /** `GET` returns the state of the link; see `Share` in the API document. */
  readonly api: string;
  /** `POST` counts a view. */
  readonly views: string;
  readonly state: PageState;
  /** Seconds; null if unknown. */
  readonly duration: number | null;
  readonly hls: string | null;
  readonly video: string | null;
  /** When the media URLs and the link expire, in milliseconds from now, because clocks of recipients may be wrong. */
  readonly mediaEndsIn: number | null;
  readonly linkEndsIn: number | null;
  readonly transcript: {
    readonly revision: number;
    readonly fromChunk: number;
    readonly toChunk: number;
    readonly totalChunks: number;
    /** The meeting is in progress, and more is being said. */
    readonly isLive: boolean;
  } | null;
}
