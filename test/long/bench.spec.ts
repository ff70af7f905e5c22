import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { childProcesses } from '../support/media.js';
import { postgresProcesses, Sandbox, type Ended, type Program } from '../support/process.js';
import { FFMPEG } from '../support/requirements.js';

const BENCH = fileURLToPath(new URL('../../bench/run.js', import.meta.url));

/** Minimal data and times, as only what is measured is checked. */
const SMALL = ['--recordings', '1000', '--rounds', '1', '--seconds', '0.05'];
const REACH = [
  'GET /recordings, first page, personal owner',
  'the same, EDITOR with folders, large organization',
  'GET /recordings/:id',
  'GET .../transcript, 50 chunks',
  'POST .../share-link, created',
  'POST .../share-link, requested again',
];

interface Row {
  readonly case: string;
  readonly measured: object;
}

interface Compared extends Row {
  readonly differs?: string;
}

interface Cost {
  readonly case: string;
  readonly side: string;
  readonly statements: number;
  readonly wal: number;
}

interface Processes {
  readonly case: string;
  readonly processes: number;
  readonly rps: number;
}

interface Packaging {
  readonly rows: readonly {
    readonly case: string;
    readonly side: string;
    readonly seconds: number;
    readonly cpuSeconds: number;
    readonly megabytes: number;
  }[];
}

interface Fairness {
  readonly refused: readonly string[];
  readonly loads: readonly {
    readonly id: string;
    readonly load: string;
    readonly operations: object;
    readonly replies: object;
  }[];
}

/**
 * Only checks that it runs, on minimal data, and that the yardstick returns what the service returns; timings are not
 * judged. Most of the time is spent on a new database and three starts of the service.
 */
describe('npm run bench', () => {
  const sandbox = new Sandbox();
  let program: Program | undefined;

  afterAll(async () => {
    if (program && !program.hasEnded) await program.kill('SIGTERM');
    await sandbox.cleanUp();
  });

  async function bench(...args: string[]): Promise<Ended> {
    program = await sandbox.run([BENCH, ...args], {});
    // It uses the whole machine, and other tests run in parallel.
    setPriority(program.child.pid!, constants.priority.PRIORITY_LOW);
    return program.ended;
  }

  /** Targets may be missed, and that is the only thing that may be wrong. */
  function expectMeasured(status: number | null, stderr: string): void {
    expect(stderr).not.toContain('Replies differ');
    const last = stderr.trimEnd().split('\n').at(-1)!;
    expect([status, status === 0 ? '' : last]).toEqual(
      status === 0 ? [0, ''] : [1, expect.stringMatching(/^Targets missed: /)],
    );
  }

  it('measures every case of the API, prints and saves the results, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const small = [...SMALL, '--requests', '200'];
    const { status, stdout, stderr } = await bench('api', ...small, '--data', data, '--out', out);
    expectMeasured(status, stderr);

    const { api } = JSON.parse(readFileSync(out, 'utf8')) as { api: { parts: { rows: Row[] }[] } };
    const rows = api.parts.flatMap((part) => part.rows);
    // If `pgbench` is installed, its rows follow.
    expect(rows.map((row) => row.case).filter((name) => !name.startsWith('pgbench'))).toEqual([
      ...REACH,
      ...REACH,
      'OWNER, first page',
      'OWNER, status=COMPLETED',
      'OWNER, dates, whole days',
      'OWNER, dates, to the millisecond',
      'OWNER, folder',
      'title search, rare word (Solota77)',
      'title search, middling word (Legal)',
      'title search, frequent word (Weekly)',
      'offset=100',
      'cursor at 0, 20, 100, 190',
      'Range of 1 MiB, streamed',
      'If-None-Match, 304 replies',
      'memory after 20, 100, 200 requests',
      'API until ready, beside a bare Nest application',
      'npm start (API and worker) until ready',
    ]);
    for (const row of rows) {
      expect(Object.keys(row.measured)).not.toEqual([]);
      expect(stdout).toContain(row.case);
    }
    expect(postgresProcesses(join(data, 'api-1000'))).toEqual([]);
  }, 180_000);

  it('measures only the ratios and the CPU per request, quickly, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const { status, stdout, stderr } = await bench('quick', ...SMALL, '--data', data, '--out', out);
    expectMeasured(status, stderr);

    const { quick } = JSON.parse(readFileSync(out, 'utf8')) as { quick: { parts: { rows: Row[] }[] } };
    expect(quick.parts.map(({ rows }) => rows.map((row) => row.case))).toEqual([REACH, REACH]);
    for (const name of REACH) expect(stdout).toContain(name);
    expect(postgresProcesses(join(data, 'api-1000'))).toEqual([]);
  }, 180_000);

  it('measures what a request costs, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const { status, stdout, stderr } = await bench('costs', ...SMALL, '--data', data, '--out', out);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);

    const { costs } = JSON.parse(readFileSync(out, 'utf8')) as { costs: { parts: { rows: Cost[] }[] } };
    const rows = costs.parts.flatMap((part) => part.rows);
    expect(rows.map((row) => [row.case, row.side])).toEqual([
      ...REACH.flatMap((name) => ['service', 'yardstick'].map((side) => [name, side])),
      ['POST /recordings', 'service'],
      ['PATCH /recordings/:id, the title', 'service'],
      ['DELETE /recordings/:id', 'service'],
    ]);
    for (const { case: name, statements, wal } of rows) {
      expect(stdout).toContain(name);
      // Those of a last request, which is not waited for, count too.
      expect(statements).toBeGreaterThanOrEqual(name === REACH[4] ? 3 : 2);
      if (name.startsWith('POST /recordings')) expect(wal).toBeGreaterThan(500);
    }
    expect(postgresProcesses(join(data, 'writes-1000'))).toEqual([]);
  }, 180_000);

  it('measures lists on one process and on two, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const { status, stdout, stderr } = await bench('cores', ...SMALL, '--data', data, '--out', out);
    expectMeasured(status, stderr);

    const { cores } = JSON.parse(readFileSync(out, 'utf8')) as { cores: { rows: Processes[] } };
    for (const name of REACH.slice(0, 2)) {
      expect(stdout).toContain(name);
      const rows = cores.rows.filter((row) => row.case === name);
      expect(rows.slice(0, 2).map(({ processes }) => processes)).toEqual([1, 2]);
      for (const { rps } of rows) expect(rps).toBeGreaterThan(0);
    }
    expect(postgresProcesses(join(data, 'api-1000'))).toEqual([]);
  }, 180_000);

  it('measures a normal user beside a heavy one, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const small = ['--segments', '100', '--loads', '3b', '--rounds', '1', '--seconds', '0.2'];
    const { status, stdout, stderr } = await bench('fairness', ...small, '--data', data, '--out', out);
    // With so few requests it may report them as too slow.
    expect([0, 1]).toContain(status);

    expect([existsSync(out), existsSync(out) ? '' : stderr]).toEqual([true, '']);
    const { fairness } = JSON.parse(readFileSync(out, 'utf8')) as { fairness: Fairness };
    expect(fairness.refused).toEqual([]);
    expect(fairness.loads.map(({ id }) => id)).toEqual(['3b']);
    for (const { load, operations, replies } of fairness.loads) {
      expect(stdout).toContain(load);
      expect(Object.keys(replies)).not.toEqual([]);
      expect(Object.keys(operations)).toEqual(['list', 'get', 'upload', 'share page']);
    }
    expect(postgresProcesses(join(data, 'fairness'))).toEqual([]);
  }, 180_000);

  it('sends webhooks to receivers of which some hang, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const small = ['--events', '100', '--endpoints', '10'];
    const { status, stdout, stderr } = await bench('webhooks', ...small, '--data', data, '--out', out);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    const { webhooks } = JSON.parse(readFileSync(out, 'utf8')) as { webhooks: object };
    expect(webhooks).toMatchObject({ events: 100, hanging: 3, expected: 70, delivered: 70 });
    expect(stdout).toContain('delivered (of 70)');
    expect(postgresProcesses(join(data, 'webhooks'))).toEqual([]);
  }, 180_000);

  it('measures writes, which leave the same rows as those by hand, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const small = ['--recordings', '1000', '--events', '100', '--rounds', '1', '--seconds', '0.05'];
    const { status, stdout, stderr } = await bench('writes', ...small, '--data', data, '--out', out);
    // With so few requests it may miss its targets.
    expect([0, 1]).toContain(status);

    expect([existsSync(out), existsSync(out) ? '' : stderr]).toEqual([true, '']);
    const { writes } = JSON.parse(readFileSync(out, 'utf8')) as { writes: { parts: { rows: Compared[] }[] } };
    const rows = writes.parts.flatMap((part) => part.rows);
    expect(rows.map((row) => [row.case, row.differs])).toEqual([
      ['POST /recordings', undefined],
      ['PATCH /recordings/:id, the title', undefined],
      ['DELETE /recordings/:id', undefined],
      ['PUT .../media, 1 MB, one at a time', undefined],
      ['PUT .../transcript, one hour, one at a time', undefined],
      ['POST /recordings/bulk, 1000 deleted', undefined],
      ['100 events published', undefined],
    ]);
    for (const row of rows) expect(stdout).toContain(row.case);
    expect(existsSync(join(data, 'writes-1000', 'copy'))).toBe(false);
    expect(postgresProcesses(join(data, 'writes-1000'))).toEqual([]);
  }, 180_000);

  FFMPEG.it(
    'packages each kind of media beside FFmpeg, and leaves nothing running',
    async () => {
      const data = await sandbox.folder();
      const out = join(data, 'results.json');
      const small = ['--megabytes', '1', '--clip', '1', '--rounds', '1'];
      const { status, stdout, stderr } = await bench('packaging', ...small, '--data', data, '--out', out);
      // With so little to do, starting a process takes longer than FFmpeg's work.
      expect([0, 1]).toContain(status);

      expect([existsSync(out), existsSync(out) ? '' : stderr]).toEqual([true, '']);
      const { packaging } = JSON.parse(readFileSync(out, 'utf8')) as { packaging: Packaging };
      const sides = ['ffmpeg', 'service', 'service, FFMPEG_PATH'];
      const cases = ['VP8, 720p, 1 s', 'VP9, 720p, 1 s', 'MP3, 20 s', 'Opus, 20 s'];
      const expected = [expect.stringMatching(/^H\.264 and AAC, \d+ MB$/), ...cases];
      expect(packaging.rows.map((row) => [row.case, row.side])).toEqual(
        expected.flatMap((name) => sides.map((side) => [name, side])),
      );
      for (const row of packaging.rows) {
        expect(stdout).toContain(row.case);
        expect(row.seconds).toBeGreaterThan(0);
        if (process.platform !== 'linux') continue;
        expect(row.cpuSeconds).toBeGreaterThan(0);
        expect(row.megabytes).toBeGreaterThan(10);
      }
      expect(readdirSync(join(data, 'packaging')).filter((name) => name.startsWith('output'))).toEqual([]);
      expect(childProcesses('packaging/run.js')).toEqual([]);
    },
    300_000,
  );
});
