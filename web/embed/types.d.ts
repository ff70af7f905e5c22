/** The types of `meeting-recording-client/player`, which defines `<meeting-player>`. */
import type { Schemas } from 'meeting-recording-client';

export type Segment = Schemas['TranscriptSegment'];

/** Why a call has failed: the `code` of the API, `CONNECTION` (status 0) without a reply, or `INVALID_SRC`. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** None of them bubbles. */
export interface MeetingPlayerEvents {
  /** It can be used; also each time that it is shown anew. `duration`: seconds. */
  ready: CustomEvent<{ readonly title: string; readonly duration: number | null }>;
  timeupdate: CustomEvent<{ readonly currentTime: number }>;
  /** Another segment is being said. */
  segment: CustomEvent<{ readonly segment: Segment }>;
  error: CustomEvent<Refusal>;
}

/** `<meeting-player src="..." token="..." start="90">`; says things in English, or in German where `lang` is `de`. */
export declare class MeetingPlayerElement extends HTMLElement {
  /** `https://HOST/api/v1/recordings/ID`, or a share link. */
  src: string;
  /**
   * Sent as `Authorization: Bearer` if `src` is a recording. Set a new one before it ends, or after an `error` with status 401: what
   * was refused continues where it was. Not reflected as an attribute, which recorders of sessions would see.
   */
  set token(value: string);
  /** Of a share link that has one. */
  set password(value: string);
  /** Seconds. To begin elsewhere, use the attribute `start`: until `ready`, setting it does nothing. */
  currentTime: number;
  /** Goes on there, playing or paused, and shows what is said. */
  seek(seconds: number): void;
  /** A browser may refuse to play before someone has clicked on the page. */
  play(): void;
  pause(): void;
  addEventListener<E extends keyof MeetingPlayerEvents>(
    type: E,
    listener: (event: MeetingPlayerEvents[E]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(...all: Parameters<HTMLElement['addEventListener']>): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'meeting-player': MeetingPlayerElement;
  }
}
