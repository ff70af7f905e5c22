import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { done, type Client } from '../support/client.js';
import { diarizationDirectory } from '../support/diarization-models.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { twoVoices } from '../support/two-voices.js';

/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 60_000;
const TEST_MS = 4 * WITHIN_MS;

describe('the voices of transcriptions', () => {
  let service: TestService;
  let directory: string;
  let media: Buffer;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    directory = await diarizationDirectory();
    ({ media } = await twoVoices());
    service = await startService(
      { SPEECH_DIARIZATION_DIR: directory, SPEECH_THREADS: '2' },
      { worker: true },
    );
    await service.import({ users: [user('Ada')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  async function transcribed(overrides: object): Promise<string> {
    const made = recording('Ada', { media: 'voices.wav', ...overrides });
    await service.import({ recordings: [made] }, { 'voices.wav': media });
    const path = `/recordings/${made.id}`;
    await done(ada.post(`${path}/transcription`));
    await eventually(async () => {
      expect((await done(ada.get(`${path}/transcript`))).status).toBe('completed');
    }, WITHIN_MS);
    return path;
  }
  const kept = () =>
    service.dataSource.query<object[]>(
      `SELECT speaker, model, octet_length(embedding) AS bytes FROM transcript_voices ORDER BY recording_id, number`,
    );

  it(
    'are kept and compared only where the organization remembers them, and name nobody',
    async () => {
      await transcribed({ organization: 'Acme' });
      await done(ada.patch(`/organizations/${acme.id}`, { remember_voices: true }));
      await transcribed({});
      expect(await kept()).toEqual([]);

      const first = await transcribed({ organization: 'Acme' });
      const model = '3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx';
      expect(await kept()).toEqual([
        { speaker: 'Speaker 1', model, bytes: 8 },
        { speaker: 'Speaker 2', model, bytes: 8 },
      ]);
      await done(ada.patch(`${first}/transcript/speakers`, { from: 'Speaker 2', to: 'Katie' }));

      const page = await done(ada.get(`${await transcribed({ organization: 'Acme' })}/transcript`));
      expect(page.speakers).toEqual(['Speaker 1', 'Speaker 2']);
      expect(page.speakerSuggestions).toEqual([{ speaker: 'Speaker 2', name: 'Katie', confidence: 1 }]);

      await done(ada.post(`${first}/transcription`));
      await eventually(async () => {
        const { status, speakers } = await done(ada.get(`${first}/transcript`));
        expect([status, speakers]).toEqual(['completed', ['Speaker 1', 'Speaker 2']]);
      }, WITHIN_MS);
      expect(await done(ada.get(`/organizations/${acme.id}/voices`))).toEqual([]);
    },
    TEST_MS,
  );
});
