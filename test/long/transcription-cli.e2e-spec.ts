import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LANGUAGE_RULE } from '../../src/lib/language/language-codes.js';
import {
  emailOf,
  id as newId,
  keyOf,
  member,
  organization,
  recording,
  user,
} from '../factories/workspace.js';
import { commandLine } from '../support/command-line.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

const FILM = resolve('demo/media/depot-walk-through.mp4');
const UPLOAD = ['upload', FILM, '--email', emailOf('Ada')];
const CHOICE = 'Give either the id of a recording or --missing';
const LANGUAGE = `--language: ${LANGUAGE_RULE}`;

const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR', { transcription: false })],
});
const users = [user('Ada'), user('Eve')];

const settingsOf = ({ databaseUrl, dataDir }: TestService) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
});

describe('recordings transcribe', () => {
  let service: TestService;
  let settings: Record<string, string>;
  const cli = (...args: string[]) => commandLine(settings, '--quiet', 'recordings', 'transcribe', ...args);
  const missing = async (...args: string[]): Promise<unknown> => {
    const { status, stdout, stderr } = await cli('--missing', '--json', ...args);
    // A line every few seconds.
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^(\d+ of \d+ recordings\n)*$/)]);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    settings = { ...settingsOf(service), ...WITH_TRANSCRIBER };
    await service.import({ users, organizations: [acme] });
  });
  afterEach(async () => {
    await service.dataSource.query('DELETE FROM recordings');
    await service.dataSource.query('DELETE FROM graphile_worker._private_jobs');
  });
  afterAll(() => service.stop());

  async function imported(overrides: object = {}): Promise<string> {
    const made = recording('Ada', { media: 'meeting.mp4', ...overrides });
    await service.import({ recordings: [made] }, { 'meeting.mp4': demoVideo() });
    return made.id;
  }
  const ofEve = { owner: emailOf('Eve'), organization: 'Acme' };

  /** In the order in which they run. */
  const jobs = (): Promise<{ id: string; priority: number; language: string | null }[]> =>
    service.dataSource.query(
      `SELECT payload ->> 'recordingId' AS id, priority, payload ->> 'language' AS language
       FROM graphile_worker._private_jobs WHERE key LIKE 'transcribe:%' ORDER BY priority, run_at, id`,
    );

  it('starts the transcription of a recording, whatever its owner may do', async () => {
    const id = await imported(ofEve);
    const { status, stdout, stderr } = await cli(id);
    expect([status, stdout, stderr]).toEqual([0, `${id}: transcription started\n`, '']);
    expect(await jobs()).toEqual([{ id, priority: 0, language: null }]);
    const { transcription } = (await service.api.as(keyOf('Ada')).get(`/recordings/${id}`)).body.data;
    expect(transcription.status).toBe('processing');
  });

  it('requests the language of the option; without it, the job takes that of the recording', async () => {
    const own = await imported({ language: 'fr' });
    const other = await imported({ language: 'fr' });
    await cli(own, '--json');
    await cli(other, '--language', 'it');
    expect(await jobs()).toEqual([
      { id: own, priority: 0, language: null },
      { id: other, priority: 1, language: 'it' },
    ]);
  });

  it('refuses what cannot be transcribed in one line', async () => {
    const waiting = await imported();
    await cli(waiting);
    const [unplayable, without] = [await imported({ status: 'PROCESSING' }), await imported({ media: null })];
    const cases: [args: string[], status: number, message: string][] = [
      [[waiting], 3, 'The recording is already being transcribed.'],
      [[unplayable], 3, 'Wait until its media has been processed.'],
      [
        [without],
        3,
        'The recording has no media to transcribe. Open an upload with POST /api/v1/recordings/{id}/upload.',
      ],
      [[newId()], 4, ': there is no recording with this id'],
      [['no-id'], 4, 'error: no-id: there is no recording with this id'],
      [[waiting, '--language', 'Klingon'], 2, LANGUAGE],
      [[waiting, '--missing'], 2, CHOICE],
      [[], 2, CHOICE],
    ];
    for (const [args, expected, message] of cases) {
      const { status, stdout, stderr } = await cli(...args);
      expect([args, status, stdout]).toEqual([args, expected, '']);
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(message)]);
    }
    expect(await jobs()).toHaveLength(1);
  });

  it('--missing starts every playable one without a transcript, newest first, after uploads, as far as owners may', async () => {
    const createdAt = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
    const [older, newer] = [await imported({ createdAt: createdAt(1) }), await imported({ language: 'fr' })];
    const migrating = await imported({ status: 'MIGRATING' });
    await imported(ofEve);
    const orphan = await imported({ organization: 'Acme' });
    await service.dataSource.query('UPDATE recordings SET owner_id = NULL WHERE id = $1', [orphan]);
    await imported({ transcript: { segments: [{ start: 0, end: 1, text: 'Sent' }] } });
    await imported({ status: 'PROCESSING' });
    await imported({ media: null });
    expect(await missing('--language', 'de')).toEqual({ started: 3, notAllowed: 2 });
    expect(await jobs()).toEqual([
      { id: migrating, priority: 100, language: 'de' },
      { id: newer, priority: 100, language: 'fr' },
      { id: older, priority: 100, language: 'de' },
    ]);
  });

  it('--missing starts nothing twice, nor what has failed, and prints what it did', async () => {
    await imported(ofEve);
    const id = await imported();
    const failed = await imported();
    await service.dataSource.query(
      `INSERT INTO transcripts (recording_id, status, speakers, segments_count, duration) VALUES ($1, 'failed', '{}', 0, 0)`,
      [failed],
    );
    const [first, second] = [await cli('--missing'), await cli('--missing')];
    const printed = (started: number) =>
      `transcriptions started: ${started}\nnot allowed by plan or feature flags: 1\n`;
    expect([first.stdout, second.stdout]).toEqual([printed(1), printed(0)]);
    expect((await jobs()).map((job) => job.id)).toEqual([id]);
  });
});

describe('recordings upload', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;
  let settings: Record<string, string>;
  const cli = (changes: Record<string, string>, ...args: string[]) =>
    commandLine({ ...settings, ...changes }, 'recordings', ...UPLOAD, ...args);

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    const transcriber = { TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'whisper-1' };
    service = await startService(transcriber, { worker: true });
    await service.import({ users });
    settings = { ...settingsOf(service), ...transcriber, AUTO_TRANSCRIBE: 'true' };
  });
  afterAll(async () => {
    expect(server.failures).toEqual([]);
    await service.stop();
    await server.stop();
  });
  const detail = async (id: string) =>
    (await service.api.as(keyOf('Ada')).get(`/recordings/${id}`)).body.data;

  it('--watch goes on until the recording is transcribed and summarized', async () => {
    const { status, stdout, stderr } = await cli({}, '--watch', '--json', '--language', 'en');
    expect(stderr).toMatch(/^((uploaded|PROCESSING|MIGRATING|COMPLETED).*\n)*$/);
    expect(status).toBe(0);
    const { id, status: ended } = JSON.parse(stdout) as { id: string; status: string };
    expect(ended).toBe('COMPLETED');
    const { transcription, summary } = await detail(id);
    expect([transcription.status, summary.status]).toEqual(['completed', 'completed']);
    expect(route.parts[0]?.fields).toMatchObject({ language: 'en' });
  });
});
