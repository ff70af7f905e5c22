/** The data of the templates in `web/share`. Text is not escaped (templates do that); URLs are paths of this host. */
export interface SharePageView extends PageFrame {
  readonly title: string;
  readonly recordedAt: { readonly iso: string; readonly text: string };
  readonly duration: ClockTime | null;
  readonly speakers: readonly string[];
  /** `processing`: it will become playable without further action; `failed`: it will not; `words`: it has no media. */
  readonly state: 'playable' | 'processing' | 'failed' | 'words';
  /** Shown in place of the player; null if there is something to play, and if there is no place for it. */
  readonly status: ViewStatus | null;
  readonly media: { readonly video: string; readonly hls: string | null } | null;
  readonly isAudio: boolean;
  readonly poster: string | null;
  readonly captions: { readonly url: string; readonly language: string | null } | null;
  /** Topics with a start time. */
  readonly chapters: readonly ViewChapter[];
  readonly summary: ViewSummary | null;
  readonly transcript: ViewTranscript | null;
  /** Why there is no transcript; null if there is one, or if `status` says what there is. */
  readonly transcriptNote: string | null;
  readonly downloads: ViewDownloads | null;
  readonly script: ScriptFacts;
}

/** Common to all pages. */
export interface PageFrame {
  readonly nonce: string;
  readonly assets: {
    readonly style: string;
    readonly script: string;
    /** Modules that the script imports. */
    readonly imports: readonly string[];
    readonly player: string;
  };
}

/** The password form. It reveals nothing about the recording. */
export interface PasswordView extends PageFrame {
  /** Why the last password was rejected. */
  readonly mistake: string | null;
}

/** A page with only a message. */
export interface NoticeView extends PageFrame {
  readonly title: string;
  readonly text: string;
}

export interface ClockTime {
  readonly seconds: number;
  /** `2:03`, `1:02:03`. */
  readonly clock: string;
}

export interface ViewStatus {
  readonly title: string;
  readonly text: string;
  /** Progress of upload and processing together, in whole percent; null if unknown. */
  readonly percent: number | null;
}

export interface ViewChapter extends ClockTime {
  readonly title: string;
}

export interface ViewSummary {
  /** Sanitized HTML, headings from h3 on. */
  readonly html: string | null;
  /** The Markdown source, if it could not be rendered. Both null: topics only. */
  readonly text: string | null;
  readonly language: string | null;
  readonly topics: readonly {
    readonly title: string;
    readonly start: ClockTime | null;
    readonly keyPoints: readonly {
      readonly point: string;
      readonly start: ClockTime | null;
      readonly details: readonly string[];
    }[];
  }[];
}

/** The first rows of the transcript; the script loads the others. */
export interface ViewTranscript {
  readonly language: string | null;
  readonly revision: number;
  readonly rows: readonly ViewRow[];
  /** The chunks on the page: from `fromChunk` up to but not including `toChunk`. */
  readonly fromChunk: number;
  readonly toChunk: number;
  readonly totalChunks: number;
  /** URLs of the previous and next pages, for browsers without script. */
  readonly previous: string | null;
  readonly next: string | null;
}

export interface ViewRow extends ClockTime {
  readonly id: number;
  readonly end: number;
  /** Null if unknown, or the same as in the previous row. */
  readonly speaker: string | null;
  readonly text: string;
}

export interface ViewDownloads {
  /** Null if there is none. */
  readonly video: string | null;
  readonly transcripts: readonly { readonly label: string; readonly url: string }[];
}

/** Data for the script, as JSON in the page. */
export interface ScriptFacts {
  /** `GET` returns the state of the link; see `Share` in the API document. */
  readonly api: string;
  readonly state: SharePageView['state'];
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
  } | null;
}
