/** What the templates in `web/share` are given; text as it is (templates escape it), addresses as paths of this host. */
export interface SharePageView extends PageFrame {
  readonly title: string;
  readonly recordedAt: { readonly iso: string; readonly text: string };
  readonly duration: ClockTime | null;
  readonly speakers: readonly string[];
  /** `processing`: it will be there by itself; `failed`: it will not. */
  readonly state: 'playable' | 'processing' | 'failed';
  /** What stands in place of the player; null: there is something to play. */
  readonly status: ViewStatus | null;
  readonly media: { readonly video: string; readonly hls: string | null } | null;
  readonly isAudio: boolean;
  readonly poster: string | null;
  readonly captions: { readonly url: string; readonly language: string | null } | null;
  /** Topics that carry times. */
  readonly chapters: readonly ViewChapter[];
  readonly summary: ViewSummary | null;
  readonly transcript: ViewTranscript | null;
  /** Why there is no transcript beside what plays; null: there is one, or nothing plays. */
  readonly transcriptNote: string | null;
  readonly downloads: ViewDownloads | null;
  readonly script: ScriptFacts;
}

/** What every page has. */
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

/** The password form; says nothing of what lies behind. */
export interface PasswordView extends PageFrame {
  /** What was wrong with the last try. */
  readonly mistake: string | null;
}

/** One plain page with a few words. */
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
  /** Whole per cent of uploading and processing together; null where that says nothing. */
  readonly percent: number | null;
}

export interface ViewChapter extends ClockTime {
  readonly title: string;
}

export interface ViewSummary {
  /** Sanitised HTML, headings from h3 on. */
  readonly html: string | null;
  /** The Markdown itself, where there is no HTML of it; both null: topics only. */
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
  /** The chunks that are on the page: from `fromChunk` up to, without, `toChunk`. */
  readonly fromChunk: number;
  readonly toChunk: number;
  readonly totalChunks: number;
  /** Pages of the chunks before and after, for browsers without script. */
  readonly previous: string | null;
  readonly next: string | null;
}

export interface ViewRow extends ClockTime {
  readonly id: number;
  readonly end: number;
  /** Null: the same as in the row before, or not known. */
  readonly speaker: string | null;
  readonly text: string;
}

export interface ViewDownloads {
  readonly video: string;
  readonly transcripts: readonly { readonly label: string; readonly url: string }[];
}

/** What the script works with, as JSON in the page. */
export interface ScriptFacts {
  /** `GET` gives the state of the link; see `Share` in the API document. */
  readonly api: string;
  readonly state: SharePageView['state'];
  /** Seconds; null when not known. */
  readonly duration: number | null;
  readonly hls: string | null;
  readonly video: string | null;
  /** When the media addresses and the link end, in milliseconds from now: clocks of recipients may be wrong. */
  readonly mediaEndsIn: number | null;
  readonly linkEndsIn: number | null;
  readonly transcript: {
    readonly revision: number;
    readonly fromChunk: number;
    readonly toChunk: number;
    readonly totalChunks: number;
  } | null;
}
