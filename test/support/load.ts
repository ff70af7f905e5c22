import { expect } from '@jest/globals';
import type { Client, Reply } from './client.js';

/** No request may take longer, even if the database fails. */
const LONGEST_MS = 8_000;
const READERS = ['/me', '/recordings?limit=5', '/recordings?search=a', '//health/ready'];

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
}

/** Clients that write and read continuously, until stopped or until the service is gone. */
export class Load {
  private readonly acknowledged = new Map<string, number>();
  private readonly answers: Answer[] = [];
  private readonly failures: unknown[] = [];
  private readonly loops: Promise<void>[];
  private longest = 0;
  private ending = false;
  acknowledgedWrites = 0;
  refusals = 0;

  /** One writer per recording, each incrementing a counter in the title. */
  constructor(
    private readonly api: Client,
    recordings: readonly string[],
  ) {
    const writers = recordings.map((id) => this.repeat((turn) => this.write(id, turn)));
    this.loops = [...writers, ...READERS.map((path) => this.repeat(() => this.api.get(path)))];
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.loops);
  }

  /** Every acknowledged write has been stored; one in progress may have been. */
  async expectWritesIn(api: Client): Promise<void> {
    expect(this.acknowledged.size).toBeGreaterThan(0);
    for (const [id, turn] of this.acknowledged) {
      const { title } = (await api.get(`/recordings/${id}`)).body.data;
      expect(Number(title)).toBeGreaterThanOrEqual(turn);
    }
  }

  /** Only 200, and 503 in the form required by the contract. */
  expectOnlyUnavailable(): void {
    expect(this.failures).toEqual([]);
    const kinds = this.answers.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`);
    expect([...new Set(kinds)].sort()).toEqual([
      '200 undefined null',
      expect.stringMatching(/^503 SERVICE_UNAVAILABLE \d+$/),
    ]);
    expect(this.longest).toBeLessThan(LONGEST_MS);
  }

  private async repeat(request: (turn: number) => Promise<Reply>): Promise<void> {
    for (let turn = 1; !this.ending; turn += 1) {
      const begun = performance.now();
      const reply = await request(turn).catch((error: unknown) => void this.failures.push(error));
      if (!reply) return;
      this.longest = Math.max(this.longest, performance.now() - begun);
      const { status, headers, body } = reply;
      if (status !== 200) this.refusals += 1;
      this.answers.push({ status, code: body.error?.code, retryAfter: headers.get('retry-after') });
    }
  }

  private async write(id: string, turn: number): Promise<Reply> {
    const reply = await this.api.patch(`/recordings/${id}`, { title: String(turn) });
    if (reply.status === 200) {
      this.acknowledged.set(id, turn);
      this.acknowledgedWrites += 1;
    }
    return reply;
  }
}
