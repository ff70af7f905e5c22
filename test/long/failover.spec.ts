import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { Client, type Reply } from '../support/client.js';
import { startNginx } from '../support/nginx.js';
import { freePort, query, Sandbox, until, type Program } from '../support/process.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { NGINX } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';
import { OpenStream } from '../support/event-stream.js';
import { eventually } from '../support/service.js';
import { demoVideo, RawTus } from '../support/uploads.js';

const entrypoint = (name: string): string =>
  fileURLToPath(new URL(`../../dist/src/entrypoints/${name}.js`, import.meta.url));

/** A process, started again whenever it ends, as by systemd or Kubernetes. */
class Supervised {
  starts = 0;
  program: Program | undefined;
  private over = false;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly args: readonly string[],
    private readonly settings: Readonly<Record<string, string>>,
    private readonly isReady: (program: Program) => Promise<boolean> | boolean,
  ) {}

  async run(): Promise<void> {
    while (!this.over) {
      this.starts += 1;
      this.program = await this.sandbox.run(this.args, this.settings);
      await this.program.ended;
    }
  }

  async ready(): Promise<void> {
    const isReady = () => !!this.program && this.isReady(this.program);
    await until(this.args.join(' '), isReady, 120_000).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.program?.stdout}${this.program?.stderr}`);
    });
  }

  async crash(): Promise<void> {
    const before = this.starts;
    this.program?.child.kill('SIGKILL');
    await until('the next start', () => this.starts > before);
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.program?.kill('SIGTERM');
  }
}

/** What clients were told that it is stored; they repeat what was not, as their own tools would. */
class Clients {
  readonly recordings: string[] = [];
  readonly links: { recording: string; id: string }[] = [];
  readonly uploads: string[] = [];
  readonly statuses = new Map<string, number>();
  sentence = 0;
  offered = 0;
  /** When writes were acknowledged, in milliseconds. */
  readonly times: number[] = [];
  readonly failures: unknown[] = [];
  private over = false;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly api: Client,
    private readonly transcribed: string,
  ) {
    this.loops = [
      ...Array.from({ length: 4 }, () => this.repeat(() => this.create())),
      this.repeat(() => this.correct()),
      this.repeat(() => this.upload()),
      this.repeat(() => this.acknowledged('GET', '/recordings?limit=5')),
    ];
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.loops);
  }

  private async repeat(work: () => Promise<unknown>): Promise<void> {
    while (!this.over) {
      // What is not acknowledged at the end may be stored or not.
      await work().catch((error: unknown) => this.over || this.failures.push(error));
      await sleep(20);
    }
  }

  private async create(): Promise<string> {
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await this.acknowledged('POST', '/recordings', { title: 'Meeting' }, key);
    const { id } = body.data as { id: string };
    this.recordings.push(id);
    const shared = await this.acknowledged(
      'POST',
      `/recordings/${id}/share-link`,
      {},
      { 'idempotency-key': randomUUID() },
    );
    this.links.push({ recording: id, id: shared.body.data.id });
    return id;
  }

  private async correct(): Promise<void> {
    this.offered += 1;
    const text = `Sentence ${this.offered}`;
    await this.acknowledged('PATCH', `/recordings/${this.transcribed}/transcript/segments/0`, { text });
    this.sentence = this.offered;
  }

  private async upload(): Promise<void> {
    const video = demoVideo();
    const id = await this.create();
    const tus = new RawTus(this.api, id);
    for (let offset = 0; offset < video.length && !this.over;) {
      const end = Math.min(offset + 20_000, video.length);
      const headers: Record<string, string> = end === video.length ? { 'upload-length': String(end) } : {};
      const { status } = await tus
        .patch(offset, video.subarray(offset, end), headers)
        .catch(() => ({ status: 0 }));
      if (status === 204) {
        offset = end;
        this.times.push(performance.now());
        if (end === video.length) this.uploads.push(id);
        continue;
      }
      await sleep(100);
      const found = await this.acknowledged('HEAD', `/uploads/${id}`, undefined, {
        'tus-resumable': '1.0.0',
      });
      const held = Number(found.headers.get('upload-offset'));
      if (held < offset) throw new Error(`${offset} bytes were acknowledged, ${held} are held`);
      offset = held;
    }
    await sleep(1_000);
  }

  /** Repeats the request until it is acknowledged. */
  private async acknowledged(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    for (;;) {
      const reply = await this.api.request(method, path, { body, headers }).catch(() => null);
      const status = reply?.status ?? 0;
      const outcome = `${status} ${reply?.body?.error?.code ?? ''}`;
      this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1);
      if (reply && status < 300) {
        if (method !== 'GET') this.times.push(performance.now());
        return reply;
      }
      if (status !== 503 && status !== 502 && status !== 0 && status !== 409)
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(reply?.body)}`);
      if (this.over) throw new Error(`${method} ${path}: never acknowledged`);
      await sleep(100);
    }
  }
}

NGINX.describe('two APIs and two workers, with a primary and a replica', () => {
  const sandbox = new Sandbox();
  const meeting = recording('Ada', { transcript: transcript(3) });
  let postgres: ReplicatedPostgres;
  let bucket: TestBucket | undefined;
  let apis: Supervised[];
  let workers: Supervised[];
  let ada: Client;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start(sandbox);
    const settings: Record<string, string> = {
      DATABASE_URL: postgres.url,
      DATA_DIR: await sandbox.folder(),
      DATABASE_POOL_SIZE: '5',
      WORKER_CONCURRENCY: '1',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_COSTLY_PER_MINUTE: '0',
    };
    if (process.env['MRS_TEST_S3_ENDPOINT']) {
      bucket = await TestBucket.make();
      const { bucket: name, endpoint = '', region, credentials } = bucket.settings;
      Object.assign(settings, {
        S3_BUCKET: name,
        S3_ENDPOINT: endpoint,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: credentials!.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
      });
    }
    const imported = await sandbox.importInto(settings, { users: [user('Ada')], recordings: [meeting] });
    expect(imported.status).toBe(0);
    const ports = [await freePort(), await freePort()];
    apis = ports.map((port) => {
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      return new Supervised(
        sandbox,
        [entrypoint('api')],
        { ...settings, PORT: String(port), WEB_CONCURRENCY: '1' },
        isReady,
      );
    });
    workers = [1, 2].map(
      () =>
        new Supervised(sandbox, [entrypoint('worker')], settings, ({ stdout }) =>
          stdout.includes('worker started'),
        ),
    );
    for (const one of [...apis, ...workers]) void one.run();
    for (const one of [...apis, ...workers]) await one.ready();
    ada = new Client(await startNginx(sandbox, ports), keyOf('Ada'));
  }, 180_000);
  afterAll(async () => {
    for (const one of [...(apis ?? []), ...(workers ?? [])]) await one.stop();
    await sandbox.cleanUp();
    await bucket?.remove();
  });

  /** Kills each process in turn, then the primary; returns how often each process had started before that. */
  async function underLoad(clients: Clients): Promise<number[]> {
    for (const one of [...apis, ...workers]) {
      const before = clients.times.length;
      await one.crash();
      await one.ready();
      await until('more writes', () => clients.times.length > before + 20);
    }
    const starts = [...apis, ...workers].map((one) => one.starts);
    expect(starts).toEqual([2, 2, 2, 2]);

    await postgres.primary.stop();
    await postgres.replica.promote();
    const promoted = performance.now();
    await until('writes', () => clients.times.some((time) => time > promoted + 200));
    const first = clients.times.find((time) => time > promoted)!;
    expect((first - promoted) / 1_000).toBeLessThan(10);
    return starts;
  }

  it('lose nothing acknowledged when each process crashes and the replica is promoted, and need no restart', async () => {
    const start = (await ada.get('/events')).body.pagination.next_cursor as string;
    const clients = new Clients(ada, meeting.id);
    let starts: Awaited<ReturnType<typeof underLoad>>;
    try {
      starts = await underLoad(clients);
    } finally {
      await clients.end();
    }
    expect(clients.failures).toEqual([]);

    const { url } = postgres.replica;
    const stored = new Set(
      (await query(url, 'SELECT id FROM recordings')).map((row) => (row as { id: string }).id),
    );
    expect(clients.recordings.filter((id) => !stored.has(id))).toEqual([]);
    const links = new Set(
      (await query(url, 'SELECT id FROM share_links')).map((row) => (row as { id: string }).id),
    );
    expect(clients.links.filter(({ id }) => !links.has(id))).toEqual([]);
    const [segment] = (await ada.get(`/recordings/${meeting.id}/transcript`)).body.data.segments;
    expect(Number(segment.text.replace('Sentence ', ''))).toBeGreaterThanOrEqual(clients.sentence);

    // Jobs go on.
    await eventually(async () => {
      for (const id of clients.uploads)
        expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('COMPLETED');
    }, 120_000);
    // Every change has become one event, in an order without gaps.
    await eventually(async () =>
      expect(await query(url, 'SELECT count(*)::int AS left FROM unpublished_changes')).toEqual([
        { left: 0 },
      ]),
    );
    const created = new Set<string>();
    for (let cursor = start, more = true; more;) {
      const { body } = await ada.get(`/events?limit=100&cursor=${cursor}`);
      for (const event of body.data as { type: string; data: { id: string } }[])
        if (event.type === 'recording.created') created.add(event.data.id);
      ({ next_cursor: cursor, has_more: more } = body.pagination);
    }
    expect(clients.recordings.filter((id) => !created.has(id))).toEqual([]);
    // Notifications: each API hears of a change at once.
    for (const one of apis) {
      const base = `http://127.0.0.1:${(one as unknown as { settings: Record<string, string> }).settings['PORT']}`;
      const stream = await OpenStream.open(
        new Client(base),
        keyOf('Ada'),
        `?cursor=${(await ada.get('/events')).body.pagination.next_cursor}`,
      );
      await ada.patch(`/recordings/${meeting.id}`, { title: `Heard by ${base}` });
      await stream.until(({ types }) => types.includes('recording.updated'), 5_000);
      stream.close();
    }
    expect([...apis, ...workers].map((one) => one.starts)).toEqual(starts);
  }, 600_000);
});
