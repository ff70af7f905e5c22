import { readFileSync, readdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { LIMITS } from '../../src/contract/limits.js';
import { keyOf, recording, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { OpenStream } from '../support/event-stream.js';
import { freePort, kill, processRuns, Sandbox, until, type RunningService } from '../support/process.js';
import { LINUX } from '../support/requirements.js';

const PER_MINUTE = 20;

LINUX.describe('the API in two processes', () => {
  const sandbox = new Sandbox();
  const mine = recording('Ada');
  let database: TestDatabase;
  let settings: Record<string, string>;
  let service: RunningService;

  beforeAll(async () => {
    database = await createDatabase();
    settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      WEB_CONCURRENCY: '2',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(PER_MINUTE),
    };
    await sandbox.importInto(settings, { users: [user('Ada')], recordings: [mine] });
    service = await sandbox.start(settings);
    await until('both', () => listening(service) === 2);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  /** Again if the connection is closed, as those of a killed process are. */
  const changeTitle = (title: string): Promise<void> =>
    until('the change', async () => {
      const api = service.api.as(keyOf('Ada'));
      const reply = await api.patch(`/recordings/${mine.id}`, { title }).catch(() => null);
      return reply?.status === 200;
    });

  LINUX.it('allows as many requests as the limit says, whichever of them counts', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < PER_MINUTE + 5; sent += 1) statuses.push(await anonymousStatus(service));
    expect(statuses.filter((status) => status === 404)).toHaveLength(PER_MINUTE);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  LINUX.it(
    'sends what changes to the streams of both; if one is killed, the other goes on and a third comes',
    async () => {
      const streams = await openStreams(service, 6);
      await changeTitle('Seen by both');
      for (const stream of streams) await stream.until(({ types }) => types.includes('recording.updated'));

      const before = listening(service);
      const [killed, other] = apiProcesses(service);
      kill(killed!, 'SIGKILL');
      await until('the end of its stream', () => streams.some(({ isOpen }) => !isOpen));
      await changeTitle('Seen by the other');
      const open = streams.filter(({ isOpen }) => isOpen);
      expect(open.length).toBeGreaterThan(0);
      for (const stream of open) await stream.until(({ types }) => types.length === 2);
      await until('another', () => listening(service) > before);
      expect(apiProcesses(service)).toContain(other);
      expect(service.log).toContainEqual(
        expect.objectContaining({
          level: 50,
          signal: 'SIGKILL',
          msg: 'an API process exited; restarting it',
        }),
      );
      expect(service.program.stdout.match(/Service is ready/g)).toHaveLength(1);
      for (const stream of open) stream.close();
    },
  );

  LINUX.it(
    'limits the streams of a user over both; when both are killed, they come back on the same port, and without these streams',
    async () => {
      const streams = await openStreams(service, LIMITS.eventStreams + 1);
      expect(streams.map(({ response }) => response.status)).toEqual([
        ...Array<number>(LIMITS.eventStreams).fill(200),
        429,
      ]);
      killAll(service);
      await until('an answer', async () => (await statusOfMe(service).catch(() => 0)) === 200);
      const again = await openStreams(service, LIMITS.eventStreams);
      for (const { response } of again) expect(response.status).toBe(200);
      for (const stream of [...streams, ...again]) stream.close();
    },
  );

  LINUX.it('counts in each process while their primary process does not answer', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await statusOfMe(service, { agent })).toBe(200);
    service.program.child.kill('SIGSTOP');
    const answered = await statusOfMe(service, { agent });
    service.program.child.kill('SIGCONT');
    expect(answered).toBe(200);
    agent.destroy();
  });

  LINUX.it('ends with its primary process, and starts again', async () => {
    const processes = childrenOf(service.program.child.pid!);
    await service.program.kill('SIGKILL');
    await until('the end of all', () => !processes.some(processRuns));
    service = await sandbox.start({ ...settings, PORT: String(service.port) });
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
  });

  LINUX.it('reports in one line why it cannot start', async () => {
    const unreachable = `postgres://mrs@127.0.0.1:${await freePort()}/mrs`;
    const programs = [
      sandbox.launch({ ...settings, LOG_LEVEL: 'loud' }),
      sandbox.launch({ ...settings, DATABASE_URL: unreachable }),
    ];
    const ended = await Promise.all(programs.map(async (program) => (await program).ended));
    expect(ended).toEqual([
      {
        status: 1,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(/^Invalid setting: LOG_LEVEL.*\n$/),
      },
      {
        status: 1,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED.*\n$/),
      },
    ]);
  });
});

/** Each on a connection of its own, which goes to the next process. */
async function openStreams({ api }: RunningService, count: number): Promise<OpenStream[]> {
  const streams: OpenStream[] = [];
  for (let opened = 0; opened < count; opened += 1) streams.push(await OpenStream.open(api, keyOf('Ada')));
  return streams;
}

const anonymousStatus = ({ base }: RunningService): Promise<number> =>
  statusOf(`${base}/api/v1/nothing-here`);

const statusOfMe = ({ base }: RunningService, options: object = {}): Promise<number> =>
  statusOf(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${keyOf('Ada')}` }, ...options });

/** On a new connection, unless `options` has an agent that keeps them. */
const statusOf = (url: string, options: object = {}): Promise<number> =>
  new Promise((resolve, reject) =>
    get(url, { agent: false, ...options }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    }).once('error', reject),
  );

/** How many processes have listened so far, the first one included. */
const listening = ({ log }: RunningService): number =>
  1 + log.filter(({ msg }) => msg === 'another API process listens').length;

function killAll(service: RunningService): void {
  for (const pid of apiProcesses(service)) kill(pid, 'SIGKILL');
}

function apiProcesses({ program }: RunningService): number[] {
  return childrenOf(program.child.pid!).filter((pid) => commandOf(pid).includes('api-process.js'));
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => processRuns(pid) && parentOf(pid) === parent);
}

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1]);
const commandOf = (pid: number): string => read(pid, 'cmdline');

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
