import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { LiveMeeting } from '../support/live-meeting.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { agreement, liveSpeech, SAID } from '../support/speech.js';

const WITHIN_MS = 60_000;
const SECONDS = 54;

describe('a meeting in progress', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'true', SPEECH_THREADS: '1' });
    await service.import({ users: [user('Grace')] });
  });
  afterAll(() => service.stop());

  it(
    'is heard by another worker after the one that listened was killed, and nothing is there twice',
    async () => {
      const grace = service.api.as(keyOf('Grace'));
      let worker = await service.startWorker();
      const meeting = await LiveMeeting.begin(grace);
      const page = async () => (await grace.get(`/recordings/${meeting.id}/transcript`)).body.data;
      await meeting.record(await liveSpeech('webm', SECONDS, 'about-speech-sdk.flac'), 4, async (share) => {
        await eventually(
          async () => expect((await page()).segments.at(-1)?.end).toBeGreaterThan(share * SECONDS - 8),
          WITHIN_MS,
        );
        // In its next turn, or between two.
        await worker.kill('SIGKILL');
        worker = await service.startWorker();
      });
      await eventually(async () => expect((await page()).status).toBe('completed'), WITHIN_MS);
      const text = (await page()).segments.map((segment: { text: string }) => segment.text).join(' ');
      const said = SAID['about-speech-sdk.flac']!;
      expect(agreement(said, text)).toBeGreaterThan(0.8);
      expect(agreement(text, said)).toBeGreaterThan(0.8);
    },
    5 * WITHIN_MS,
  );
});
