import { readdirSync, readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { valueOf } from '../support/metrics.js';
import { freePort, kill, query, Sandbox, takenPort, until, type RunningService } from '../support/process.js';
import { LINUX } from '../support/requirements.js';

/** Of each kind; enough that both processes get some. */
const READS = 200;
const AT_ONCE = 20;

LINUX.describe('the metrics of two API processes and a worker', () => {
  const sandbox = new Sandbox();
  const mine = recording('Ada', { title: 'hostile title' });
  let database: TestDatabase;
  let settings: Record<string, string>;
  let service: RunningService;

  beforeAll(async () => {
    database = await createDatabase();
    settings = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      WEB_CONCURRENCY: '2',
      METRICS_PORT: String(await freePort()),
    };
    await sandbox.importInto(settings, { users: [user('Ada')], recordings: [mine] });
    service = await sandbox.start(settings);
    await until('all processes', async () => {
      const text = await scrape();
      return ['role="api",process="1"', 'role="api",process="2"', 'role="worker",process="1"'].every(
        (process) => valueOf(text, `process_open_fds{${process}}`) !== undefined,
      );
    });
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  let lastScrape = '';
  const scrape = async (): Promise<string> => {
    const reply = await fetch(`http://127.0.0.1:${settings['METRICS_PORT']}/metrics`);
    return (lastScrape = await reply.text());
  };
  const counted = (text: string, operation: string, rest: string): number =>
    valueOf(text, `mrs_http_requests_total{operation="${operation}",${rest}}`) ?? 0;
  const lists = async (): Promise<number> =>
    counted(await scrape(), 'listRecordings', 'status="200",caller="key"');

  LINUX.it('count exactly what was done, also while they are scraped', async () => {
    const api = service.api.as(keyOf('Ada'));
    const scrapes = Array.from({ length: 10 }, () => scrape());
    // Fewer at once than a process queues for a caller.
    const limited = pLimit(AT_ONCE);
    const reads = Array.from({ length: READS }, () =>
      limited(() =>
        Promise.all([
          api.get('/recordings?limit=3'),
          api.get(`/recordings/${mine.id}`),
          api.get('/recordings/hostile-path'),
          service.api.get('/me', { headers: { 'User-Agent': 'hostile-agent' } }),
        ]),
      ),
    );
    await Promise.all([...scrapes, ...reads]);
    await until('the last', async () => (await lists()) >= READS);
    const text = await scrape();
    expect({
      list: counted(text, 'listRecordings', 'status="200",caller="key"'),
      detail: counted(text, 'getRecording', 'status="200",caller="key"'),
      missing: counted(text, 'getRecording', 'status="404",caller="key"'),
      anonymous: counted(text, 'getMe', 'status="401",caller="anonymous"'),
      timed: valueOf(text, 'mrs_http_request_duration_seconds_count{operation="getRecording"}'),
    }).toEqual({ list: READS, detail: READS, missing: READS, anonymous: READS, timed: 2 * READS });
    expect(text).not.toContain('hostile');
    expect(valueOf(text, 'mrs_database_up')).toBe(1);
  });

  LINUX.it('count the jobs of the worker, and those that failed for good', async () => {
    await query(
      database.url,
      `SELECT graphile_worker.add_job('audit.seal'), graphile_worker.add_job('nobody.runs', max_attempts => 1);
       UPDATE graphile_worker._private_jobs SET attempts = 1 WHERE task_id = (SELECT id FROM graphile_worker._private_tasks
         WHERE identifier = 'nobody.runs')`,
    );
    await until(
      'the job',
      async () =>
        Number(valueOf(await scrape(), 'mrs_job_duration_seconds_count{name="audit.seal",result="done"}')) >
        0,
    );
    await until(
      'the failed one',
      async () => valueOf(await scrape(), 'mrs_jobs{task="nobody.runs",state="failed"}') === 1,
    );
  });

  LINUX.it('do not fall when a process hangs, and come within two seconds or so', async () => {
    const before = await lists();
    const [hanging] = apiProcesses(service);
    kill(hanging!, 'SIGSTOP');
    try {
      const begun = performance.now();
      expect(await lists()).toBe(before);
      expect(performance.now() - begun).toBeLessThan(3_000);
    } finally {
      kill(hanging!, 'SIGCONT');
    }
  });

  LINUX.it('do not fall when a process is killed and another one takes its place', async () => {
    const before = await lists();
    const [killed] = apiProcesses(service);
    kill(killed!, 'SIGKILL');
    const memory = (process: number) => `process_start_time_seconds{role="api",process="${process}"}`;
    await until('another one', async () => {
      expect(await lists()).toBe(before);
      const started = [1, 2].map((process) => valueOf(lastScrape, memory(process)));
      return !apiProcesses(service).includes(killed!) && started.every((time) => time !== undefined);
    });
  });

  LINUX.it('on a port in use are refused before anything is made', async () => {
    const { port, close } = await takenPort();
    const folder = await sandbox.folder();
    const program = await sandbox.launch({ DATA_DIR: folder, METRICS_PORT: String(port) });
    const { status, stderr } = await program.ended;
    await close();
    expect([status, stderr]).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is already in use; set METRICS_PORT to another port\n`,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function apiProcesses({ program }: RunningService): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${program.child.pid}\n`);
      return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('api-process.js');
    } catch {
      return false;
    }
  });
}
