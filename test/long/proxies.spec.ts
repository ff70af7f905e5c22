import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { OpenStream } from '../support/event-stream.js';
import { query, Sandbox, type RunningService } from '../support/process.js';
import { startCaddy, startNginx, type Proxy } from '../support/proxies.js';
import { CADDY, NGINX } from '../support/requirements.js';
import { eventually } from '../support/service.js';
import { at, created, demoVideo, fakeVideo, MIB, RawTus } from '../support/uploads.js';

const FILE = fakeVideo(60 * MIB);
/** A proxy that buffers would hold it back for longer. */
const HELD_BACK_MS = 10_000;
const OUTAGE = JSON.stringify({
  error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is unavailable.' },
});
const addressOf = (base: string): string => new URL(base).host;

/** What the recipe of a proxy in deploy/ has to do for the service. */
function worksBehind(
  start: (sandbox: Sandbox, upstreams: readonly string[]) => Promise<Proxy>,
  { repeats503 }: { repeats503: boolean },
): void {
  const sandbox = new Sandbox();
  const programs: Proxy[] = [];
  let database: TestDatabase;
  let [first, second]: RunningService[] = [];
  let ada: Client;
  const proxy = async (...upstreams: string[]): Promise<Client> => {
    const started = await start(sandbox, upstreams);
    programs.push(started);
    return new Client(started.base, keyOf('Ada'));
  };

  beforeAll(async () => {
    database = await createDatabase();
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      TRUST_PROXY: 'loopback',
      AUTO_TRANSCRIBE: 'false',
    };
    const workspace = { users: [user('Ada')] };
    expect(await sandbox.importInto(settings, workspace)).toMatchObject({ status: 0 });
    [first, second] = await Promise.all([sandbox.start(settings), sandbox.start(settings)]);
    // It publishes events.
    await eventually(async () =>
      expect(first!.log).toContainEqual(expect.objectContaining({ msg: 'worker started' })),
    );
    ada = await proxy(addressOf(first!.base), addressOf(second!.base));
  });
  afterAll(async () => {
    for (const { stop } of programs) await stop();
    await sandbox.cleanUp();
    await database.drop();
  });

  it('takes an upload of 60 MiB as it is sent, and its rest after a lost connection', async () => {
    const { id } = await created(ada, { size: FILE.length });
    const lost = request(`${ada.base}/api/v1/uploads/${id}`, {
      method: 'PATCH',
      headers: { ...at(0), authorization: `Bearer ${keyOf('Ada')}`, 'content-length': FILE.length },
    });
    lost.on('error', () => undefined);
    lost.write(FILE.subarray(0, 40 * MIB));
    const arrived = `SELECT count(*)::int AS parts FROM upload_parts WHERE recording_id = '${id}'`;
    await eventually(
      async () => expect(await query(database.url, arrived)).not.toEqual([{ parts: 0 }]),
      HELD_BACK_MS,
    );
    lost.destroy();
    const tus = new RawTus(ada, id);
    // What the proxy had of it may still arrive.
    await eventually(async () => {
      const offset = await tus.offset();
      expect(offset).toBeGreaterThan(0);
      const { status, headers } = await tus.patch(offset, FILE.subarray(offset));
      expect([status, headers.get('upload-offset')]).toEqual([204, String(FILE.length)]);
    });
  });

  it('passes on events as they are published', async () => {
    const stream = await OpenStream.open(ada, keyOf('Ada'));
    const { id } = await created(ada);
    await stream.until(
      ({ events }) => events.some(({ data }) => data.data.recording_id === id),
      HELD_BACK_MS,
    );
    stream.close();
  });

  it('passes on ranges of media', async () => {
    const { id } = await created(ada, { size: demoVideo().length });
    await new RawTus(ada, id).patch(0, demoVideo());
    let url = '';
    await eventually(async () => {
      url = (await ada.get(`/recordings/${id}`)).body.data.downloadUrl;
      expect(url).toEqual(expect.any(String));
    });
    const { pathname, search } = new URL(url);
    const reply = await fetch(ada.base + pathname + search, { headers: { range: 'bytes=100-199' } });
    expect([reply.status, reply.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-199/${demoVideo().length}`,
    ]);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(demoVideo().subarray(100, 200));
  });

  it('names the client, whatever the client says', async () => {
    const from = request(`${ada.base}/api/v1/recordings?limit=7`, {
      localAddress: '127.0.0.9',
      headers: { authorization: `Bearer ${keyOf('Ada')}`, 'x-forwarded-for': '203.0.113.1' },
    }).end();
    const [reply] = (await once(from, 'response')) as [IncomingMessage];
    reply.resume();
    expect(reply.statusCode).toBe(200);
    const id = reply.headers['x-request-id'];
    await eventually(async () =>
      expect([...first!.log, ...second!.log].filter(({ requestId }) => requestId === id)).toEqual([
        expect.objectContaining({ address: '127.0.0.9' }),
      ]),
    );
  });

  if (repeats503)
    it('has a GET that got 503 answered by another API, and repeats no POST', async () => {
      const posts: string[] = [];
      const stopped = createServer((incoming, response) => {
        if (incoming.method === 'POST') posts.push(incoming.url!);
        incoming.resume();
        response.writeHead(503, { 'content-type': 'application/json' }).end(OUTAGE);
      });
      await once(stopped.listen(0, '127.0.0.1'), 'listening');
      const { port } = stopped.address() as AddressInfo;
      const client = await proxy(`127.0.0.1:${port}`, addressOf(first!.base));
      const gets = await times(6, () => client.get('/recordings?limit=1'));
      expect(gets.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const made = await times(6, () => client.post('/recordings', { title: 'Once' }));
      expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 503, 503, 503]);
      expect(posts).toHaveLength(3);
      stopped.close();
    });

  it('goes on with one API when the other is stopped', async () => {
    await second!.stop();
    const gets = await times(10, () => ada.get('/recordings?limit=1'));
    expect(gets.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const made = await times(4, () => ada.post('/recordings', { title: 'Beside' }));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });
}

async function times<Result>(count: number, ask: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) results.push(await ask());
  return results;
}

NGINX.describe('behind nginx', () => worksBehind(startNginx, { repeats503: true }));
CADDY.describe('behind Caddy', () => worksBehind(startCaddy, { repeats503: false }));
