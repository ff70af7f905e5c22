import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresProcesses, Sandbox, until, type RunningService } from '../support/process.js';
import { SPEECH } from '../support/requirements.js';

/** A meeting of the demo workspace that comes without transcript and summary. */
const DIARIZATION = '/recordings/01a1f827-cb80-7c0d-8c00-5eed0000c00d';
const SPEECH_TIMEOUT_MS = 60_000;

describe('npm start with the demo workspace', () => {
  const sandbox = new Sandbox();
  let dataDir: string;
  let service: RunningService;

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    service = await sandbox.start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '' });
  });
  afterAll(() => sandbox.cleanUp());

  SPEECH.it(
    'transcribes and summarizes a meeting of the demo without a request',
    async () => {
      const detail = async () => (await service.api.get(DIARIZATION)).body.data;
      const isSummarized = async () => (await detail()).summary?.status === 'completed';
      await until(
        'the summary',
        async () => (await isSummarized()) || setTimeout(200, false),
        SPEECH_TIMEOUT_MS,
      );
      const { body } = await service.api.get(`${DIARIZATION}/transcript`);
      const said = body.data.segments.map(({ text }: { text: string }) => text).join(' ');
      expect(said).toMatch(/^Good morning, Steve\. Good morning, Katie\. Have you tried .* right now\.$/);
      expect((await detail()).summary.content).toContain('batch transcription');
    },
    SPEECH_TIMEOUT_MS,
  );

  it('keeps all data over a restart, and then prints the command that creates a key instead of a key', async () => {
    const { api, apiKey } = service;
    const { id } = (await api.get('/recordings?limit=1')).body.data[0];
    await api.patch(`/recordings/${id}`, { title: 'Kept over a restart' });
    const before = (await api.get('/recordings?limit=100')).body.pagination;
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
    expect(postgresProcesses(dataDir)).toEqual([]);

    const shown = sharePage(service);
    service = await sandbox.start({ DATA_DIR: dataDir, WEB_CONCURRENCY: '' });
    expect([service.apiKey, sharePage(service)]).toEqual(['', shown]);
    expect(service.program.stdout).not.toContain('mrs_');
    const kept = await service.api.as(apiKey).get(`/recordings/${id}`);
    expect(kept.body.data.title).toBe('Kept over a restart');
    const after = await service.api.as(apiKey).get('/recordings?limit=100');
    expect(after.body.pagination).toEqual(before);

    const [, command = ''] =
      /^ {2}API key +create one: npm run -s cli -- (.+)$/m.exec(service.program.stdout) ?? [];
    const made = await sandbox.cli({ DATA_DIR: dataDir }, ...command.split(' '));
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect((await service.api.as(made.stdout.trim()).get('/recordings?limit=100')).body.pagination).toEqual(
      before,
    );
  });
});

/** The path of the share page in the banner. */
function sharePage({ program }: RunningService): string {
  return /^ {2}Share page http:\/\/localhost:\d+(\/s\/\S+)$/m.exec(program.stdout)?.[1] ?? '';
}
