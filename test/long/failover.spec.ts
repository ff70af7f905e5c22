import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { Client } from '../support/client.js';
import { OpenStream } from '../support/event-stream.js';
import { PersistentClients } from '../support/persistent-clients.js';
import { PASSWORD, PostgresServer } from '../support/postgres-servers.js';
import { startNginx } from '../support/nginx.js';
import { freePort, Sandbox, until, type Program } from '../support/process.js';
import { NGINX } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';
import { eventually } from '../support/service.js';

const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_COSTLY_PER_MINUTE: '0',
  MAX_OPEN_UPLOADS: '100000',
};

/** A process that is started again whenever it ends, as by systemd or Kubernetes. */
class Supervised {
  /** What it said when it ended on its own. */
  readonly endings: string[] = [];
  private starts = 0;
  private program: Program | undefined;
  private isOver = false;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly entrypoint: 'api' | 'worker',
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  async run(): Promise<void> {
    const script = fileURLToPath(
      new URL(`../../dist/src/entrypoints/${this.entrypoint}.js`, import.meta.url),
    );
    while (!this.isOver) {
      this.program = await this.sandbox.run([script], this.settings);
      this.starts += 1;
      const { signal, stdout, stderr } = await this.program.ended;
      if (signal !== 'SIGKILL' && !this.isOver) this.endings.push(stdout.slice(-5_000) + stderr);
    }
  }

  /** A worker is, once it says that it has started. */
  async ready(): Promise<void> {
    const health = `http://127.0.0.1:${this.settings['PORT']}/health/ready`;
    const isServing = () =>
      fetch(health).then(
        ({ ok }) => ok,
        () => false,
      );
    const isReady = () =>
      this.entrypoint === 'api' ? isServing() : this.program?.stdout.includes('worker started') === true;
    await until(this.entrypoint, isReady, 120_000).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.program?.stdout}${this.program?.stderr}`);
    });
  }

  async crash(): Promise<void> {
    const { starts } = this;
    await this.program?.kill('SIGKILL');
    await until('the next start', () => this.starts > starts);
    await this.ready();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.program?.kill('SIGTERM');
  }
}

NGINX.describe('two APIs and two workers, with a primary and a replica', () => {
  const sandbox = new Sandbox();
  const meeting = recording('Ada', { transcript: transcript(3) });
  let primary: PostgresServer;
  let replica: PostgresServer;
  let bucket: TestBucket | undefined;
  let ports: readonly number[];
  let processes: readonly Supervised[] = [];
  let ada: Client;

  beforeAll(async () => {
    primary = await PostgresServer.create();
    replica = await primary.addReplica({ isSynchronous: true });
    const settings: Record<string, string> = {
      ...UNLIMITED,
      DATABASE_URL: `postgres://meetings:${PASSWORD}@${primary.host},${replica.host}/meetings`,
      DATA_DIR: await sandbox.folder(),
      DATABASE_POOL_SIZE: '5',
      WEB_CONCURRENCY: '1',
      WORKER_CONCURRENCY: '1',
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
    ports = [await freePort(), await freePort()];
    processes = [
      ...ports.map((port) => new Supervised(sandbox, 'api', { ...settings, PORT: String(port) })),
      ...[1, 2].map(() => new Supervised(sandbox, 'worker', settings)),
    ];
    for (const one of processes) void one.run();
    for (const one of processes) await one.ready();
    ada = new Client(await startNginx(sandbox, ports), keyOf('Ada'));
  }, 180_000);
  afterAll(async () => {
    for (const one of processes) await one.stop();
    await sandbox.cleanUp();
    await replica?.remove();
    await primary?.remove();
    await bucket?.remove();
  });

  /** Of one column, where the service writes now. */
  const stored = async (server: PostgresServer, select: string): Promise<unknown[]> =>
    (await server.sql(select)).flatMap((row) => Object.values(row) as unknown[]);
  const allPublished = (server: PostgresServer) =>
    eventually(async () =>
      expect(await stored(server, 'SELECT count(*)::int FROM unpublished_changes')).toEqual([0]),
    );

  it('lose nothing acknowledged when each process crashes and the replica is promoted, and need no restart', async () => {
    await allPublished(primary);
    const [begin] = await stored(primary, 'SELECT coalesce(max(position), 0)::text FROM events');
    const clients = new PersistentClients(
      ada,
      meeting.id,
      (await ada.get('/events')).body.pagination.next_cursor,
    );
    try {
      for (const one of processes) {
        await clients.goOn();
        await one.crash();
      }
      await clients.goOn();
      const stopped = performance.now();
      await primary.stop('immediate');
      await replica.promote();
      await clients.goOn();
      const outage = clients.outage(stopped);
      expect(outage.statuses).toEqual([503]);
      expect(outage.seconds).toBeLessThan(30);
    } finally {
      await clients.end();
    }
    expect(clients.failures).toEqual([]);
    expect(processes.flatMap(({ endings }) => endings)).toEqual([]);

    expect(await stored(replica, 'SELECT id FROM recordings')).toEqual(
      expect.arrayContaining(clients.recordings),
    );
    expect(await stored(replica, 'SELECT id FROM share_links')).toEqual(
      expect.arrayContaining(clients.links),
    );
    const [segment] = (await ada.get(`/recordings/${meeting.id}/transcript`)).body.data.segments;
    expect(Number(segment.text.replace('Sentence ', ''))).toBeGreaterThanOrEqual(clients.sentence);

    // Jobs go on.
    await eventually(async () => {
      for (const id of clients.uploads)
        expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('COMPLETED');
    }, 120_000);

    // A follower gets each change once, in order.
    await allPublished(replica);
    await clients.follow();
    expect(clients.events).toEqual(
      await stored(replica, `SELECT change_id FROM events WHERE position > ${begin} ORDER BY position`),
    );
    expect(await stored(replica, "SELECT recording_id FROM events WHERE type = 'recording.created'")).toEqual(
      expect.arrayContaining(clients.recordings),
    );

    // Both APIs are notified of new events.
    for (const port of ports) {
      const stream = await OpenStream.open(new Client(`http://127.0.0.1:${port}`), keyOf('Ada'));
      await ada.patch(`/recordings/${meeting.id}`, { title: `Heard at ${port}` });
      await stream.until(({ types }) => types.includes('recording.updated'), 5_000);
      stream.close();
    }
  }, 600_000);
});
