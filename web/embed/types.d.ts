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
  /** It can be used. `duration`: seconds. */
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
  /** Of a recording: set another before it expires, or after an `error` with status 401, and playback continues. Never an attribute. */
  set token(value: string);
  /** Of a share link that has one. */
  set password(value: string);
  /** Seconds. */
  readonly currentTime: number;
  /** Jumps to this second, playing or paused as before. To begin there, use the attribute `start`. */
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
