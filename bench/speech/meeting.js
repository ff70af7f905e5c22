import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** Far longer than any of the targets. */
const DEADLINE_MS = 30 * 60 * 1000;
/** The longest that a step may take to be started. */
const START_DEADLINE_MS = 30_000;
const PLAYABLE = new Set(['MIGRATING', 'COMPLETED']);

/**
 * A recording on its way from the last byte to its summary. The times are in seconds since the service acknowledged the
 * last byte.
 */
export class Meeting {
  static async upload(client, { title, media }) {
    const { data, status } = await client.api('POST', '/recordings', { title, size: media.length });
    if (!data) throw new Error(`the recording was not created: ${status ?? 'no reply'}`);
    const sent = await client.send('PUT', `/api/v1/recordings/${data.id}/media`, { body: media, keep: true });
    if (sent.status !== 200)
      throw new Error(`the upload failed: ${sent.status ?? 'no reply'} ${sent.body ?? ''}`);
    return new Meeting(client, data.id);
  }

  constructor(client, id) {
    this.client = client;
    this.id = id;
    this.uploaded = performance.now();
  }

  playable() {
    return this.#until('playable', ({ status, statusReason }) => {
      if (status === 'ERROR') throw new Error(`packaging failed: ${statusReason}`);
      return PLAYABLE.has(status);
    });
  }

  transcribing() {
    return this.#untilStarted('transcription');
  }

  transcribed() {
    return this.#untilCompleted('transcription');
  }

  summarized() {
    return this.#untilCompleted('summary');
  }

  /** The text of all segments. */
  async text() {
    const texts = [];
    for (let chunk = 0, more = true; more;) {
      const path = `/api/v1/recordings/${this.id}/transcript?start_chunk=${chunk}`;
      const { status, body } = await this.client.send('GET', path, { keep: true });
      if (status !== 200) throw new Error(`no transcript: ${status ?? 'no reply'} ${body ?? ''}`);
      const { data } = JSON.parse(body);
      texts.push(...data.segments.map(({ text }) => text));
      more = data.pagination.has_more;
      chunk += 50;
    }
    return texts.join(' ');
  }

  async #untilStarted(step) {
    const from = performance.now();
    return this.#until(`started its ${step}`, (recording) => {
      const { status } = recording[step];
      if (status === 'not_started' && performance.now() - from > START_DEADLINE_MS)
        throw new Error(`the service did not start its ${step}`);
      return status !== 'not_started';
    });
  }

  async #untilCompleted(step) {
    await this.#untilStarted(step);
    return this.#until(`completed its ${step}`, (recording) => {
      const { status, statusReason } = recording[step];
      if (status === 'failed') throw new Error(`the ${step} failed: ${statusReason}`);
      return status === 'completed';
    });
  }

  /** Returns the seconds since the last byte. */
  async #until(what, reached) {
    while (performance.now() < this.uploaded + DEADLINE_MS) {
      const { data, status } = await this.client.api('GET', `/recordings/${this.id}`);
      if (!data) throw new Error(`no recording: ${status ?? 'no reply'}`);
      if (reached(data)) return (performance.now() - this.uploaded) / 1000;
      await sleep(POLL_MS);
    }
    throw new Error(`the recording was not ${what} in time`);
  }
}
