import { expect } from '@jest/globals';
import { keyOf, summary, transcript } from '../factories/workspace.js';
import type { Client, Reply } from './client.js';
import { demoVideo } from './uploads.js';

const BYTES = { 'content-type': 'application/octet-stream' };

/** A recording that a client has made, and what of it has been acknowledged. */
interface Made {
  readonly id: string;
  readonly key: string;
  title: string;
  revision?: number;
  token?: string;
}

/** A client that makes recordings with all they can have, one after another, and reads them, until it is stopped. */
export class UpgradeLoad {
  readonly made: Made[] = [];
  /** Of every reply: method, path without ids, status and code. */
  readonly replies = new Map<string, number>();
  rounds = 0;
  private ending = false;
  private loop: Promise<void> | undefined;

  /** `api` may be replaced while it runs. */
  constructor(public api: Client) {}

  start(): void {
    this.loop = this.run();
  }

  async end(): Promise<void> {
    this.ending = true;
    await this.loop;
  }

  /**
   * Everything that was acknowledged is there, and what is sent again with its `Idempotency-Key` is not done again. Replies that
   * 1.0.0 kept do not say who may have them: the newer release does not repeat them.
   */
  async expectAllIn(api: Client): Promise<void> {
    expect(this.made.length).toBeGreaterThan(0);
    for (const { id, key, title, revision, token } of this.made) {
      const { body } = await api.get(`/recordings/${id}`);
      expect([id, body.data?.title]).toEqual([id, title]);
      expect([`201 ${id}`, '409 IDEMPOTENCY_REPLY_LOST']).toContain(await sendAgain(api, key));
      if (revision === undefined) continue;
      const [text, sum] = [
        await api.get(`/recordings/${id}/transcript`),
        await api.get(`/recordings/${id}/summary`),
      ];
      expect(text.body.data.segments).toHaveLength(3);
      expect(sum.body.data).toMatchObject({ status: 'completed', content: summary.content });
      if (token === undefined) continue;
      const links = (await api.get(`/recordings/${id}/share-links`)).body.data;
      expect(links.map((link: { share_token: string }) => link.share_token)).toContain(token);
      expect((await api.get(`/shares/${token}`)).status).toBe(200);
    }
  }

  private async run(): Promise<void> {
    for (; !this.ending; this.rounds += 1) await this.round(`round-${this.rounds}-${crypto.randomUUID()}`);
  }

  private async round(key: string): Promise<void> {
    const created = await this.send('POST', '/recordings', bodyOf(key), { 'idempotency-key': key });
    if (created.status !== 201) return;
    const made: Made = { id: created.body.data.id, key, title: key };
    this.made.push(made);
    const path = `/recordings/${made.id}`;
    // Packaging it would be most of the load.
    if (this.rounds % 3 === 0) await this.send('PUT', `${path}/media`, demoVideo(), BYTES);
    const text = await this.send('PUT', `${path}/transcript`, transcript(3));
    const written = await this.send('PUT', `${path}/summary`, summary);
    if (text.status === 200 && written.status === 200) made.revision = 1;
    const renamed = `Crème brûlée ${key}`;
    if ((await this.send('PATCH', path, { title: renamed })).status === 200) made.title = renamed;
    await this.send('POST', `${path}/share-link`, { permission: 'view', label: 'Board' });
    const link = await this.send('POST', `${path}/share-link`, { permission: 'view' });
    if (link.status < 300) made.token = link.body.data.share_token;
    const same = await this.send('POST', `${path}/share-link`, { permission: 'view' });
    if (link.status < 300 && same.status < 300)
      expect(same.body.data.share_token).toBe(link.body.data.share_token);
    for (const read of [
      '/me',
      '/recordings?limit=5',
      '/recordings?search=a',
      path,
      `${path}/transcript`,
      `${path}/summary`,
    ])
      await this.send('GET', read);
    for (const read of [
      '/recordings/search?q=sentence',
      '/organizations',
      '/webhooks',
      '/api-keys',
      '/events?limit=5',
    ])
      await this.send('GET', read);
    if (made.token !== undefined) await this.send('GET', `/shares/${made.token}`);
  }

  private async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    const reply = await this.api.request(method, path, { body, headers });
    const code = reply.status < 400 ? '' : ` ${reply.body.error?.code} ${reply.body.error?.message}`;
    const kind = `${method} ${path.replace(/[0-9a-f-]{36}/, ':id').replace(/shares\/.+/, 'shares/:token')}`;
    const line = `${kind} ${reply.status}${code}`;
    this.replies.set(line, (this.replies.get(line) ?? 0) + 1);
    return reply;
  }
}

const bodyOf = (key: string): object => ({ title: key });

/** Status and id, or code, of the reply: it is that of whichever release did it, so that it fits no single contract. */
async function sendAgain({ base }: Client, idempotencyKey: string): Promise<string> {
  const response = await fetch(`${base}/api/v1/recordings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keyOf('Ada')}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(bodyOf(idempotencyKey)),
  });
  const { data, error } = (await response.json()) as { data?: { id: string }; error?: { code: string } };
  return `${response.status} ${data?.id ?? error?.code}`;
}
