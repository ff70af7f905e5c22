import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { postgresProcesses, Sandbox, type Ended, type Program } from '../support/process.js';

const BENCH = fileURLToPath(new URL('../../bench/run.js', import.meta.url));

interface Row {
  readonly case: string;
  /** Bytes of answers that were the same. */
  readonly compared?: number;
}

/** On small data: that it runs, and that the service and what it is measured against answer alike. No time is judged. */
describe('npm run bench', () => {
  const sandbox = new Sandbox();
  let program: Program | undefined;

  afterAll(async () => {
    if (program && !program.hasEnded) await program.kill('SIGTERM');
    await sandbox.cleanUp();
  });

  async function bench(...args: string[]): Promise<Ended> {
    program = await sandbox.run([BENCH, ...args], {});
    // It takes all that the machine has, and other tests run beside it.
    setPriority(program.child.pid!, constants.priority.PRIORITY_LOW);
    return program.ended;
  }

  it('measures every case of the API after its answers were compared, and leaves nothing running', async () => {
    const data = await sandbox.folder();
    const out = join(data, 'results.json');
    const small = ['--recordings', '4000', '--rounds', '1', '--seconds', '0.2'];
    const { status, stdout, stderr } = await bench('api', ...small, '--data', data, '--out', out);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);

    const { api } = JSON.parse(readFileSync(out, 'utf8')) as { api: { parts: { rows: Row[] }[] } };
    const rows = api.parts.flatMap((part) => part.rows);
    const compared = rows.filter((row) => row.compared !== undefined);
    expect(compared.map((row) => row.case)).toEqual([
      'GET /recordings, first page, personal owner',
      'the same, EDITOR with folders, large organization',
      'GET /recordings/:id',
      'GET .../transcript, 50 chunks',
      'POST .../share-link, made anew',
      'POST .../share-link, asked again',
      'OWNER, first page',
      'OWNER, status=COMPLETED',
      'OWNER, dates, whole days',
      'OWNER, dates, to the millisecond',
      'OWNER, folder',
      'title search, rare word (Solota77)',
      'title search, middling word (Legal)',
      'title search, frequent word (Weekly)',
      'offset=400',
      'cursor at 0, 20, 400, 760',
      'Range of 1 MiB, streamed',
    ]);
    expect(compared.filter((row) => row.compared === 0)).toEqual([]);
    expect(rows.map((row) => row.case)).toEqual(
      expect.arrayContaining([
        'If-None-Match, answered 304',
        'memory after 80, 400, 800 requests',
        'npm start until ready',
      ]),
    );
    for (const row of rows) expect(stdout).toContain(row.case);
    expect(postgresProcesses(join(data, 'api-4000'))).toEqual([]);
  }, 180_000);

  it.each([
    ['an unknown bench', ['nonsense']],
    ['an unknown option', ['--nonsense']],
    ['too few recordings', ['api', '--recordings', '10']],
    ['no rounds', ['api', '--rounds', '0']],
    ['a time that is none', ['api', '--seconds', 'long']],
  ])('says how it is used, and nothing else, given %s', async (_, args) => {
    const { status, stdout, stderr } = await bench(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^usage: npm run bench .*\n$/);
  });
});
