import type { ShownStatus, RecordingStatus } from '../../../policy/recording-status.js';

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

const SOON = 'You can watch it here soon after the meeting ends.';
const UPDATES = 'This page updates automatically.';
const CONTACT = 'For help, contact the person who sent you the link.';

/** What recipients can read if the recording failed. */
interface Readable {
  readonly transcript: boolean;
  readonly summary: boolean;
}

/** Shown in place of the player; null if there is none. */
export function recordingStatus(
  status: RecordingStatus,
  progress: number,
  isUploadStarted: boolean,
  readable: Readable,
  isLive: boolean,
): ViewStatus | null {
  const percent = Math.round(progress * 100);
  if (isLive && (status === 'RECORDING' || status === 'UPLOADING'))
    return waiting('Recording in progress', `Read along here. ${SOON}`);
  switch (status) {
    case 'STARTING':
      return waiting('Waiting to start', 'The recording is being set up.');
    case 'CONNECTING':
      return waiting('Waiting to start', 'The recorder is joining the meeting.');
    case 'WAIT_APPROVAL':
      return waiting('Waiting to start', 'Someone in the meeting has to approve the recording first.');
    case 'RECORDING':
      return waiting('Recording in progress', SOON);
    case 'UPLOADING':
      if (!isUploadStarted)
        return waiting('Nothing uploaded yet', 'You can watch the recording here once it has been uploaded.');
      // Without a known length there is no progress to show.
      return waiting(
        'Uploading recording',
        'You can watch it here once it has been uploaded and processed.',
        percent > 0 ? percent : null,
      );
    case 'PROCESSING':
    case 'TRANSCODING':
      return waiting('Processing recording', 'It will be ready to watch soon.', percent);
    case 'ERROR':
      return failed(readable);
    case 'MIGRATING':
    case 'COMPLETED':
      return null;
  }
}

/** Of what the link does not permit; the page does not say whose decision that is. */
export const withheld = (what: string): string => `${what} isn't available with this link.`;

/** Why there is no transcript. Status null: it is withheld from recipients. */
export function missingTranscript(status: ShownStatus | null, isAudio: boolean): string {
  const still = `You can still ${isAudio ? 'listen to the recording' : 'watch the video'}.`;
  if (status === 'processing')
    return `The transcript is still being created. Check back in a few minutes. ${still}`;
  if (status === 'failed') return `The transcript couldn't be created. ${still}`;
  if (status === null) return `${withheld('The transcript')} ${still}`;
  return `This recording doesn't have a transcript. ${still}`;
}

/** The same if there is no video either. */
export function missingWords(status: ShownStatus | null): string {
  const none = "There's no video or audio of this meeting";
  if (status === 'processing') return `${none}, and its transcript is still being created. ${UPDATES}`;
  if (status === 'failed') return `${none}, and its transcript couldn't be created. ${CONTACT}`;
  if (status === null) return `${none}, and its transcript isn't available with this link. ${CONTACT}`;
  return `${none}, and it doesn't have a transcript yet. ${CONTACT}`;
}

const waiting = (title: string, text: string, percent: number | null = null): ViewStatus => ({
  title,
  text: `${text} ${UPDATES}`,
  percent,
});

function failed(readable: Readable): ViewStatus {
  const text = `Something went wrong while recording or processing it, so there's no video to watch.`;
  return { title: 'This recording failed', text: `${text} ${whatRemains(readable)}`, percent: null };
}

function whatRemains({ transcript, summary }: Readable): string {
  const parts = [transcript && 'transcript', summary && 'summary'].filter((part) => part !== false);
  return parts.length > 0 ? `You can still read the ${parts.join(' and ')}.` : CONTACT;
}
