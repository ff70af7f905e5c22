import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Reply } from './client.js';
import { until } from './process.js';
import { at, demoVideo, TUS } from './uploads.js';

const OVER = new Error('the load is over');
const CHUNK = 20_000;

/**
 * Clients that write all the time, and repeat what was not acknowledged; they know what was. Any answer but one that
 * asks to repeat the request is a failure.
 */
export class PersistentClients {
  /** What was acknowledged: ids, and the number of the last sentence. */
  readonly recordings: string[] = [];
  readonly links: string[] = [];
  readonly uploads: string[] = [];
  sentence = 0;
  /** Ids of the events that a follower got. */
  readonly events: string[] = [];
  readonly failures: unknown[] = [];
  /** When each reply arrived, in milliseconds; with 0 as status, if none did. */
  private readonly replies: { readonly at: number; readonly status: number }[] = [];
  private isOver = false;
  private offered = 0;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly api: Client,
    private readonly transcribed: string,
    private cursor: string,
  ) {
    this.loops = [
      ...Array.from({ length: 4 }, () => this.repeat(() => this.share())),
      this.repeat(() => this.correct()),
      this.repeat(() => this.upload()),
      this.repeat(() => this.follow()),
    ];
  }

  /** Resolves when some more of everything has been acknowledged. */
  async goOn(): Promise<void> {
    const [links, uploads, sentence] = [this.links.length + 10, this.uploads.length + 1, this.sentence + 5];
    await until('more writes', () => {
      if (this.failures.length > 0) throw new Error('a client failed', { cause: this.failures[0] });
      return this.links.length > links && this.uploads.length > uploads && this.sentence > sentence;
    });
  }

  /** Which refusals there were since then, and the seconds until the last. */
  outage(since: number): { readonly statuses: number[]; readonly seconds: number } {
    const refused = this.replies.filter((reply) => reply.at > since && !isSuccess(reply.status));
    const seconds = ((refused.at(-1)?.at ?? since) - since) / 1_000;
    return { statuses: [...new Set(refused.map(({ status }) => status))], seconds };
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  /** Gets the events since the last time. */
  async follow(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const { body } = await this.acknowledged('GET', `/events?limit=100&cursor=${this.cursor}`);
      this.events.push(...body.data.map(({ id }: { id: string }) => id));
      ({ next_cursor: this.cursor, has_more: hasMore } = body.pagination);
    }
  }

  private async repeat(work: () => Promise<unknown>): Promise<void> {
    while (!this.isOver) {
      await work().catch((error: unknown) => error === OVER || this.failures.push(error));
      await sleep(20);
    }
  }

  private async share(): Promise<string> {
    const { body: created } = await this.acknowledged('POST', '/recordings', { title: 'Meeting' });
    this.recordings.push(created.data.id);
    const { body } = await this.acknowledged('POST', `/recordings/${created.data.id}/share-link`, {});
    this.links.push(body.data.id);
    return created.data.id;
  }

  private async correct(): Promise<void> {
    this.offered += 1;
    const text = `Sentence ${this.offered}`;
    await this.acknowledged('PATCH', `/recordings/${this.transcribed}/transcript/segments/0`, { text });
    this.sentence = this.offered;
  }

  private async upload(): Promise<void> {
    const id = await this.share();
    const [path, video] = [`/uploads/${id}`, demoVideo()];
    for (let offset = 0; offset < video.length;) {
      const body = video.subarray(offset, offset + CHUNK);
      const isLast = offset + body.length === video.length;
      const headers = at(offset, isLast ? { 'upload-length': String(video.length) } : {});
      const reply = await this.send('PATCH', path, body, headers);
      if (reply) offset += body.length;
      if (reply && isLast) this.uploads.push(id);
      if (reply) continue;
      const found = await this.acknowledged('HEAD', path, undefined, TUS);
      const held = Number(found.headers.get('upload-offset'));
      if (held < offset) throw new Error(`${offset} bytes were acknowledged, ${held} are held`);
      offset = held;
    }
    await sleep(500);
  }

  /** Repeats a request until it is acknowledged; with another key where what came of the first is not known. */
  private async acknowledged(method: string, path: string, body?: unknown, headers = {}): Promise<Reply> {
    for (;;) {
      const key = body === undefined ? [] : [['idempotency-key', randomUUID()]];
      const reply = await this.send(method, path, body, { ...Object.fromEntries(key), ...headers });
      if (reply) return reply;
      if (this.isOver) throw OVER;
      await sleep(100);
    }
  }

  /** Null if the request is to be repeated. */
  private async send(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const reply = await this.api.request(method, path, { body, headers }).catch(() => null);
    const status = reply?.status ?? 0;
    this.replies.push({ at: performance.now(), status });
    if (isSuccess(status)) return reply;
    if ([0, 502, 503].includes(status) || (status === 409 && path.startsWith('/uploads'))) return null;
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(reply?.body)}`);
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
