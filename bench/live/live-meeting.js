import { setTimeout as sleep } from 'node:timers/promises';
import { Meeting } from '../speech/meeting.js';

const PIECE_SECONDS = 1;
const POLL_MS = 250;

/** A meeting that is sent as it is recorded, and whose words are read meanwhile. */
export class LiveMeeting {
  /** Of each new draft, the seconds since the first of its new words was acknowledged. */
  delays = [];
  #client;
  #data;
  #seconds;
  /** By the seconds of the meeting that were sent by then. */
  #acknowledgedAt = [];
  #heardUntil = 0;
  #ended = null;

  /** `seconds`: how long it takes. */
  static async begin(client, title, seconds) {
    const { data, status } = await client.api('POST', '/recordings', { title });
    if (!data) throw new Error(`the recording was not created: ${status ?? 'no reply'}`);
    return new LiveMeeting(client, data, seconds);
  }

  constructor(client, data, seconds) {
    this.#client = client;
    this.#data = data;
    this.#seconds = seconds;
  }

  async record(media) {
    const begun = performance.now();
    const reading = this.#read();
    const pieces = Math.ceil(this.#seconds / PIECE_SECONDS);
    for (let piece = 1, offset = 0; piece <= pieces; piece++) {
      await sleep(Math.max(0, begun + piece * PIECE_SECONDS * 1000 - performance.now()));
      const end = Math.round((media.length * piece) / pieces);
      await this.#send(media.subarray(offset, end), offset, piece === pieces);
      offset = end;
      this.#acknowledgedAt.push({ seconds: piece * PIECE_SECONDS, at: performance.now() });
    }
    this.#ended = new Meeting(this.#client, this.#data.id);
    await reading;
  }

  /** Sends it in real time until there are words; returns how many seconds that took. */
  async untilWords(media) {
    const begun = performance.now();
    const heard = new AbortController();
    const sending = this.sendUntil(media, heard.signal);
    while (this.#heardUntil === 0) await this.#look();
    heard.abort();
    await sending;
    return (performance.now() - begun) / 1000;
  }

  /** Sends it in real time until its end, or until `stop` aborts. */
  async sendUntil(media, stop) {
    const size = Math.ceil((media.length * PIECE_SECONDS) / this.#seconds);
    for (let offset = 0; offset < media.length && !stop.aborted; offset += size) {
      await sleep(PIECE_SECONDS * 1000);
      await this.#send(media.subarray(offset, offset + size), offset, false);
    }
  }

  /** Returns the seconds since the last byte. */
  summarized() {
    return this.#ended.summarized();
  }

  async #send(body, offset, isLast) {
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(isLast && { 'upload-length': String(offset + body.length) }),
    };
    const path = new URL(this.#data.upload_url).pathname;
    const { status } = await this.#client.send('PATCH', path, { headers, body, keep: true });
    if (status !== 204) throw new Error(`a piece was not taken: ${status ?? 'no reply'}`);
  }

  async #read() {
    while (this.#ended === null) await this.#look();
  }

  async #look() {
    await sleep(POLL_MS);
    const path = `/recordings/${this.#data.id}/transcript?limit=100`;
    const { data } = await this.#client.api('GET', path);
    if (data) this.#note(data.segments);
  }

  #note(segments) {
    const heard = segments.at(-1)?.end ?? 0;
    if (heard <= this.#heardUntil) return;
    const first = segments.find(({ end }) => end > this.#heardUntil);
    const from = Math.max(this.#heardUntil, first.start);
    const acknowledged = this.#acknowledgedAt.find(({ seconds }) => seconds > from);
    if (acknowledged) this.delays.push((performance.now() - acknowledged.at) / 1000);
    this.#heardUntil = heard;
  }
}
