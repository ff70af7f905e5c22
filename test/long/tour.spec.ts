import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { codeBlocks } from '../support/code-blocks.js';
import { Sandbox, type Ended, type Environment, type RunningService } from '../support/process.js';
import { CURL, SPEECH } from '../support/requirements.js';
import { findDifferences, readDocuments, shownRuns } from '../support/shown-replies.js';

/** It uploads a meeting and waits for its transcript and its summary, twice. */
const TOUR_TIMEOUT_MS = 300_000;
const WEEKLY = '/recordings/01a1edfd-ddc0-7c01-8c00-5eed0000c001';

/** What separates the output of two blocks. */
const SEPARATOR = '=== block';

SPEECH.describe('the commands of docs', () => {
  const runs = shownRuns('docs/tour.md');
  const sandbox = new Sandbox();
  let service: RunningService;
  let dataDir: string;
  let API: string;

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    service = await sandbox.start({ DATA_DIR: dataDir, AUTO_TRANSCRIBE: 'true' });
    API = `${service.base}/api/v1`;
  });
  afterAll(() => sandbox.cleanUp());

  /** Runs it in the folder of the project; the first command that fails ends it. */
  async function bash(code: string, environment: Environment): Promise<Ended> {
    const script = `cd '${process.cwd()}'\n${code}`;
    return (await sandbox.run(['-euo', 'pipefail', '-c', script], environment, 'bash')).ended;
  }

  CURL.it(
    'the tour works as one block, with replies of the shapes that it shows, leaves the demo as it was, and works again',
    async () => {
      const tour = runs.map(({ code }) => `${code}echo '${SEPARATOR}'`).join('\n');
      const before = (await service.api.get('/recordings')).body.pagination;
      const first = await bash(tour, { API, KEY: service.apiKey });
      expect(first).toMatchObject({ status: 0, stderr: '' });
      expect(repliesOf(first)).toEqual(REPLIES);
      expect(differencesIn(first)).toEqual([]);

      const left = await service.api.get(`${WEEKLY}/transcript`);
      expect(left.body.data).toMatchObject({ revision: 1, speakers: expect.arrayContaining(['Mei Chua']) });
      expect((await service.api.get('/recordings')).body.pagination).toEqual(before);

      // Without a key it creates one.
      const second = await bash(tour, { API, DATA_DIR: dataDir, DATABASE_URL: '' });
      expect(second.status).toBe(0);
      expect(repliesOf(second)).toEqual(REPLIES);
    },
    TOUR_TIMEOUT_MS,
  );

  CURL.it('the tour waits for what takes time, and fails when it does not come', async () => {
    const setup = String(runs[0]?.code).replace('seq 600', 'seq 2');
    const wait = (state: string): Promise<Ended> =>
      bash(`${setup}\nwait_for "$WEEKLY" .data.status ${state}`, { API, KEY: service.apiKey });
    expect(await wait('COMPLETED')).toMatchObject({ status: 0, stderr: '' });
    expect(await wait('READY')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('.data.status is COMPLETED, not READY'),
    });
  });

  CURL.it('those of the API guide do what it says', async () => {
    const { stdout, stderr } = await bash(codeBlocks('docs/api-guide.md', 'sh').join('\n'), {
      API,
      KEY: service.apiKey,
    });
    expect(stderr).toBe('curl: (22) The requested URL returned error: 400\n');
    expect(stdout).toMatch(
      /^X-Request-Id: \S+\r$[^]+^\{"error":\{"code":"VALIDATION_ERROR","message":"limit: must be/m,
    );
  });

  it(
    'the program of the API guide lists, uploads and waits',
    async () => {
      const program = codeBlocks('docs/api-guide.md', 'js').join('\n');
      const code = program.replace("'demo/media", `'${process.cwd()}/demo/media`);
      const args = ['--input-type=module', '-e', code];
      const { status, stdout, stderr } = await (await sandbox.run(args, { API, KEY: service.apiKey })).ended;
      expect([status, stderr]).toEqual([0, '']);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(5);
      expect(lines.at(-1)).toMatch(/^completed completed http\S+\.m3u8$/);
    },
    TOUR_TIMEOUT_MS,
  );
});

/** Where the JSON that the tour shows does not have the shape of what its block printed. */
function differencesIn({ stdout }: Ended): string[] {
  const outputs = stdout.split(`${SEPARATOR}\n`);
  return shownRuns('docs/tour.md').flatMap(({ shown }, index) => {
    const real = shown ? readDocuments(outputs[index] ?? '') : [];
    return findDifferences(readDocuments(shown), real, `block ${index + 1}: `);
  });
}

/** Of what the tour prints, the lines that show what each step came to. */
function repliesOf({ stdout }: Ended): string[] {
  const telling =
    /^ *"(?:email|status|mode|revision|view_count|success|code|role|member_count|revoked)": |^ *"?(?:PROCESSING|WEBVTT|Good morning|#|My first|"share_link|event: )/;
  const lines = stdout.split('\n').filter((line) => telling.test(line));
  return lines.map((line) => line.replace(/[",]/g, '').replace(/-\d+@/, '@').trim());
}

const REPLIES = [
  'email: amara.osei@wrenfield.example',
  'status: COMPLETED',
  'status: completed',
  'WEBVTT',
  'mode: passages',
  'PROCESSING',
  'WEBVTT',
  'Good morning Steve.',
  'Good morning Katie.',
  '# My first meeting',
  '## Diarization (0:00)',
  'revision: 3',
  'code: PRECONDITION_FAILED',
  'status: completed',
  'revision: 4',
  'success: true',
  'code: SHARE_PASSWORD_REQUIRED',
  'My first meeting for the customer',
  'view_count: 1',
  'success: true',
  'code: NOT_FOUND',
  'member_count: 1',
  'role: OWNER',
  'status: active',
  'success: true',
  'email: grace@example.com',
  'role: EDITOR',
  'role: EDITOR',
  'email: grace@example.com',
  'role: EDITOR',
  'member_count: 2',
  'My first meeting for the customer',
  'role: EDITOR',
  'code: FORBIDDEN',
  'share_link.created',
  'share_link.opened_first',
  'share_link.revoked',
  'event: recording.updated',
  'code: FORBIDDEN',
  'revoked: 2',
  'code: RECORDING_LOCKED',
  'success: true',
  'success: true',
  'success: true',
];
