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
const SEARCH = 'merger-with-initech';

describe('the service', () => {
  const sandbox = new Sandbox();
  const mine = recording('Ada', { media: 'long.mp4' });
  let database: TestDatabase;
  let service: RunningService;

  beforeAll(async () => {
    database = await createDatabase();
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      LOG_LEVEL: 'trace',
      SEALING_KEY,
    };
    await sandbox.importInto(settings, { users: [user('Ada')], recordings: [mine] }, { 'long.mp4': MEDIA });
    service = await sandbox.start(settings);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  it('logs caller and request, but no secrets', async () => {
    const api = service.api.as(keyOf('Ada'));
    const me = (await api.get('/me')).body.data;
    await api.get(`/recordings?search=${SEARCH}`, { headers: { 'x-request-id': 'asked-by-a-test' } });
    const { videoUrl } = (await api.get(`/recordings/${mine.id}`)).body.data;
    const { share_token: token } = (await api.post(`/recordings/${mine.id}/share-link`, {})).body.data;
    await api.get(`//s/${token}`);
    await fetch(videoUrl, { method: 'HEAD' });
    const unknown = 'mrs_thisKeyIsKnownToNobodyAtAllButTheLog000000';
    await api.as(unknown).get('/me');
    await until('the log', () => service.log.some(({ status }) => status === 401));

    const line = service.log.find(({ requestId }) => requestId === 'asked-by-a-test');
    expect(line).toMatchObject({
      method: 'GET',
      path: '/api/v1/recordings',
      status: 200,
      ms: expect.any(Number),
      userId: me.id,
      apiKeyPrefix: keyOf('Ada').slice(0, 12),
    });
    const paths = service.log.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/s/:token', `/media/${mine.id}/video`]));
    const signature = new URL(videoUrl).searchParams.get('signature')!;
    const secrets = [keyOf('Ada'), unknown, SEARCH, signature, token, new URL(database.url).password];
    expect(secrets.filter((secret: string) => service.program.stdout.includes(secret))).toEqual([]);
    expect(service.program.stderr).toBe('');
  });

  it('never logs a token, password or access token of a share link', async () => {
    const api = service.api.as(keyOf('Ada'));
    const body = { permission: 'download', password: 'open-sesame' };
    const { id, share_token: token } = (await api.post(`/recordings/${mine.id}/share-link`, body)).body.data;
    const begun = service.log.length;
    const pass = (await api.post(`/shares/${token}/access`, { password: 'open-sesame' })).body.data
      .access_token;
    const headers = { 'x-share-access': pass, cookie: `share_access=${pass}` };
    const { hlsUrl, videoUrl } = (await api.get(`/shares/${token}`, { headers })).body.data.recording;
    for (const address of [videoUrl, hlsUrl ?? videoUrl]) await fetch(address, { method: 'HEAD' });
    const paths = [
      '',
      '/',
      '/captions.vtt',
      '/transcript?format=txt',
      '/no/such/file',
      '?password=open-sesame',
    ];
    for (const path of paths) await fetch(`${service.base}/s/${token}${path}`, { headers });
    for (const path of [`/S/${token}`, `/api/v1/SHARES/${token}/`, `/base/s/${token}`, `/s//${token}`])
      await fetch(service.base + path, { headers });
    for (const password of ['open-sesame', 'wrong-sesame'])
      await fetch(`${service.base}/s/${token}`, { method: 'POST', body: new URLSearchParams({ password }) });
    await api.delete(`/recordings/${mine.id}/share-links/${id}`);
    await until('the log', () => service.log.some(({ method }) => method === 'DELETE'));

    const logged = service.log.slice(begun).map(({ path }) => path);
    expect(logged).toEqual(
      expect.arrayContaining([
        '/api/v1/shares/:token/access',
        '/api/v1/shares/:token',
        '/s/:token/captions.vtt',
      ]),
    );
    const written = service.program.stdout + service.program.stderr;
    const secrets = [token, 'sesame', pass.split('.')[1]];
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
  });

  it('at level trace, logs the statements of a request without values', async () => {
    const api = service.api.as(keyOf('Ada'));
    const begun = service.log.length;
    await api.get(`/recordings/${mine.id}`);
    await api.get(`/recordings?search=${SEARCH}`);
    const { share_token: token } = (await api.post(`/recordings/${mine.id}/share-link`, {})).body.data;
    const title = 'Known to nobody but the database';
    const headers = { 'x-request-id': 'the-last-one' };
    await api.patch(`/recordings/${mine.id}`, { title }, { headers });
    await until('the log', () => service.log.some(({ requestId }) => requestId === 'the-last-one'));

    const statements = service.log.slice(begun).filter(({ sql }) => sql !== undefined);
    const key = statements.find(({ sql }) => /FROM api_keys/.test(String(sql)));
    expect(key).toEqual({
      level: 10,
      time: expect.any(String),
      sql: expect.stringContaining('$1'),
      ms: expect.any(Number),
      rows: 1,
      msg: 'statement',
    });
    const texts = statements.map(({ sql }) => String(sql));
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringContaining('LEFT JOIN share_links'),
        `START TRANSACTION; SELECT set_config('meeting_recordings.change_source', ...`,
        expect.stringMatching(/^UPDATE "recordings" SET .*"title" = \$\d/),
        'COMMIT',
      ]),
    );
    const hash = createHash('sha256').update(keyOf('Ada')).digest('hex');
    const { id } = (await api.get('/me')).body.data;
    const values = [keyOf('Ada'), hash, id, mine.id, mine.title, title, SEARCH, token];
    expect(values.filter((value) => texts.some((text) => text.includes(value)))).toEqual([]);
  });

  it('stopped during startup, leaves no PostgreSQL behind', async () => {
    const dataDir = await sandbox.folder();
    const program = await sandbox.launch({ DATA_DIR: dataDir, DEMO: 'false' });
    await until('PostgreSQL', () => program.hasEnded || postmasterPid(dataDir) !== undefined, 20_000);
    await program.kill('SIGTERM');
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('shuts down gracefully when one Ctrl-C arrives twice, as npm forwards the signal that the terminal has already sent', async () => {
    const dataDir = await sandbox.folder();
    const running = await sandbox.start({ DATA_DIR: dataDir, DEMO: 'false' });
    running.program.child.kill('SIGINT');
    await until('the first', () => running.log.some(({ msg }) => msg === 'stopping'));
    running.program.child.kill('SIGINT');
    expect(await running.program.ended).toMatchObject({ status: 0, signal: null });
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('exits at once on a second signal', async () => {
    const DATA_DIR = await sandbox.folder();
    const running = await sandbox.start({ DATABASE_URL: database.url, DATA_DIR, SEALING_KEY });
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
    expect(service.log.at(-1)).toMatchObject({ msg: 'stopped' });
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
  await client.query('LOCK TABLE recordings IN EXCLUSIVE MODE');
  const waiting = `SELECT FROM pg_locks WHERE relation = 'recordings'::regclass AND NOT granted`;
  return {
    waitedFor: () => until('a waiting write', async () => (await client.query(waiting)).rowCount !== 0),
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
