import { RecordingFailedError, TimeoutError } from './errors.js';
import { events } from './events.js';
import { limit, sleep, type Limit } from './limits.js';
import type { Transport } from './transport.js';
import type { Schemas } from './types.js';

type Recording = Schemas['RecordingDetail'];

/** What a recording can be waited for: that it can be played, with the media uploaded last; that it has a transcript, or a summary. */
export type Awaited = 'playable' | 'transcript' | 'summary';

export interface WaitOptions {
  /** Ends the wait; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which it rejects with a `TimeoutError`; by default an hour. */
  readonly timeout?: number | undefined;
}

const TIMEOUT_MS = 3_600_000;
/** How often to look without news: where the stream of events is out of reach, this is all there is. */
const LOOK_MS = { first: 500, factor: 1.5, longest: 15_000 };
/** The service may be restarted meanwhile. */
const RETRIES = 8;

/** Resolves with the recording once it has what is awaited; rejects with a `RecordingFailedError` if that will not come. */
export async function waitFor(
  transport: Transport,
  id: string,
  awaited: Awaited,
  { signal, timeout = TIMEOUT_MS }: WaitOptions,
): Promise<Recording> {
  const late = new TimeoutError(`Recording ${id}: no ${awaited} within ${timeout} ms`);
  const wait = limit(signal, timeout, late);
  const news = new News(transport, id, wait.signal);
  try {
    for (let delay = LOOK_MS.first; ; delay = Math.min(delay * LOOK_MS.factor, LOOK_MS.longest)) {
      const call = { path: { id }, signal: wait.signal, retries: RETRIES };
      const reply = await transport.call('get', '/recordings/{id}', call);
      const { data: recording } = reply.data as { data: Recording };
      if (has(recording, awaited)) return recording;
      await news.next(delay);
    }
  } finally {
    wait.release();
    wait.abort();
  }
}

function has(recording: Recording, awaited: Awaited): boolean {
  const { status, statusReason, media, newMedia, transcription, summary } = recording;
  const fail = (reason: string): never => {
    throw new RecordingFailedError(recording, reason);
  };
  if (awaited === 'playable') {
    if (newMedia?.status === 'failed') fail(newMedia.statusReason ?? 'The new media cannot be used');
    if (newMedia) return false;
    if (media === 'none') fail('The recording has no media');
    return media === 'available' || (status === 'ERROR' && fail(statusReason ?? 'The recording failed'));
  }
  const steps = awaited === 'summary' ? [transcription, summary] : [transcription];
  const last = awaited === 'summary' ? summary : transcription;
  if (last.status === 'completed') return true;
  const failed = steps.find((step) => step.status === 'failed');
  if (failed) fail(failed.statusReason ?? `The ${awaited} failed`);
  if (status === 'ERROR') fail(statusReason ?? 'The recording failed');
  const isAtWork = status !== 'COMPLETED' || steps.some((step) => step.status === 'processing');
  return !isAtWork && fail(`The recording has no ${awaited}, and none is being made`);
}

/** Whether something has happened to a recording. */
class News {
  #isFresh = false;
  #nap: Limit | undefined;

  constructor(
    transport: Transport,
    id: string,
    private readonly signal: AbortSignal,
  ) {
    // The stream may be out of reach, such as for a key without the scope for events; then looking regularly has to do.
    this.#follow(transport, id).catch(() => undefined);
  }

  /** Resolves when there is news since the last call, or after this time; rejects when the signal aborts. */
  async next(withinMs: number): Promise<void> {
    this.#nap = limit(this.signal);
    if (this.#isFresh) this.#nap.abort();
    await sleep(withinMs, this.#nap.signal).catch(() => this.signal.throwIfAborted());
    this.#nap.release();
    this.#isFresh = false;
  }

  async #follow(transport: Transport, id: string): Promise<void> {
    for await (const _ of events(transport, { recording_id: id, signal: this.signal })) {
      this.#isFresh = true;
      this.#nap?.abort();
    }
  }
}
