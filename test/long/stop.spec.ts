import { createHash, randomBytes } from 'node:crypto';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { keyOf, recording, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import {
  postgresProcesses,
  postmasterPid,
  query,
  Sandbox,
  until,
  type RunningService,
} from '../support/process.js';

/** Of both services on the same database. */
const SEALING_KEY = 'the key of all services of this test';

/** Far more than fits into the buffers of a connection. */
const MEDIA = Buffer.concat(Array<Buffer>(48).fill(randomBytes(1024 * 1024)));

describe.each(['1', '2'])('the service with %s processes for the API', (WEB_CONCURRENCY) => {
  const sandbox = new Sandbox();
  const mine = recording('Ada', { media: 'long.mp4' });
  let database: TestDatabase;
  let service: RunningService;

  beforeAll(async () => {
    database = await createDatabase();
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      SEALING_KEY,
      WEB_CONCURRENCY,
    };
    await sandbox.importInto(settings, { users: [user('Ada')], recordings: [mine] }, { 'long.mp4': MEDIA });
    service = await sandbox.start(settings);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  it('stopped during startup, leaves no PostgreSQL behind', async () => {
    const dataDir = await sandbox.folder();
    const program = await sandbox.launch({ DATA_DIR: dataDir, DEMO: 'false', WEB_CONCURRENCY });
    await until('PostgreSQL', () => program.hasEnded || postmasterPid(dataDir) !== undefined);
    await program.kill('SIGTERM');
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('that cannot start because its port is in use, leaves no PostgreSQL behind', async () => {
    const dataDir = await sandbox.folder();
    const program = await sandbox.launch({ DATA_DIR: dataDir, PORT: String(service.port), WEB_CONCURRENCY });
    const { status, stderr } = await program.ended;
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Meeting Recording Service already runs on http.*\n$/),
    ]);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('shuts down gracefully when one Ctrl-C arrives twice, as npm forwards the signal that the terminal has already sent', async () => {
    const dataDir = await sandbox.folder();
    const running = await sandbox.start({ DATA_DIR: dataDir, DEMO: 'false', WEB_CONCURRENCY });
    running.program.child.kill('SIGINT');
    await until('the first', () => running.log.some(({ msg }) => msg === 'stopping'));
    running.program.child.kill('SIGINT');
    expect(await running.program.ended).toMatchObject({ status: 0, signal: null });
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('exits at once on a second signal', async () => {
    const DATA_DIR = await sandbox.folder();
    const running = await sandbox.start({
      DATABASE_URL: database.url,
      DATA_DIR,
      SEALING_KEY,
      WEB_CONCURRENCY,
    });
    const lock = await lockRecordings(database.url);
    const api = running.api.as(keyOf('Ada'));
    const slow = api.patch(`/recordings/${mine.id}`, { title: 'Never' }).catch(() => 'cut off');
    await lock.waitedFor();
    running.program.child.kill('SIGTERM');
    await setTimeout(1_000);
    running.program.child.kill('SIGTERM');
    expect(await running.program.ended).toMatchObject({ status: null, signal: 'SIGTERM' });
    expect(await slow).toBe('cut off');
    await lock.release();
  });

  it('on shutdown finishes requests in progress, accepts no new ones, and exits with status 0', async () => {
    const api = service.api.as(keyOf('Ada'));
    const { videoUrl } = (await api.get(`/recordings/${mine.id}`)).body.data;
    const agent = new Agent({ keepAlive: true });
    const download = await open(videoUrl, agent);
    // That it has been viewed is written soon after, and must not wait for the lock.
    const unseen = 'SELECT id FROM recordings WHERE viewed_at IS NULL';
    await until('a view', async () => (await query(database.url, unseen)).length === 0);
    const idle = await idleConnection(service.port);
    const lock = await lockRecordings(database.url);
    const slow = api.patch(`/recordings/${mine.id}`, { title: 'Written while stopping' });
    await lock.waitedFor();

    const ended = service.stop();
    await until('no new connections', () => refusesConnections(service.port));
    await lock.release();
    expect((await slow).status).toBe(200);
    expect(await query(database.url, 'SELECT title FROM recordings')).toEqual([
      { title: 'Written while stopping' },
    ]);
    expect(service.program.hasEnded).toBe(false);
    expect(await digest(download)).toBe(createHash('sha256').update(MEDIA).digest('hex'));

    const finished = performance.now();
    expect(await ended).toMatchObject({ status: 0, signal: null, stderr: '' });
    expect(performance.now() - finished).toBeLessThan(3_000);
    const messages = service.log.map(({ msg }) => msg);
    expect(messages.filter((message) => message === 'stopping')).toHaveLength(1);
    expect(messages.indexOf('stopped')).toBe(messages.length - 1);
    agent.destroy();
    idle.destroy();
  });
});

function open(url: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent }, resolve).once('error', reject));
}

async function digest(content: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** An idle keep-alive connection, such as those of browsers and proxies. */
async function idleConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  return socket;
}

function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}

/** Blocks every write to a recording. */
async function lockRecordings(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM recordings FOR UPDATE');
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return {
    waitedFor: () => until('a waiting write', async () => (await client.query(waiting)).rowCount !== 0),
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
