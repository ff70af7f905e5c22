import { chmod, copyFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeLlamaTokens } from '../../src/lib/speech/speech-recognizer.js';
import { speechModel } from '../../src/lib/speech/speech-model.js';
import { keyOf, recording, user } from '../factories/workspace.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SAID, speechFile, wordsOf } from '../support/speech.js';

/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 60_000;
const TEST_MS = 2 * WITHIN_MS;

const BUILT_IN = (speechModel(undefined).configOf('en') as { moonshine: Record<string, string> }).moonshine;

describe('SPEECH_MODEL_DIR', () => {
  let service: TestService;
  /** A copy of the built-in model in the layout in which sherpa-onnx publishes Moonshine. */
  let directory: string;
  let encoder: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mrs-moonshine-'));
    // As root, the process that loads it has another user.
    await chmod(directory, 0o755);
    encoder = join(directory, 'encoder_model.onnx');
    await copyFile(BUILT_IN['encoder']!, encoder);
    await copyFile(BUILT_IN['mergedDecoder']!, join(directory, 'decoder_model_merged.onnx'));
    await writeLlamaTokens(join(directory, 'tokens.txt'));
    await chmod(join(directory, 'tokens.txt'), 0o644);
    service = await startService({ SPEECH_MODEL_DIR: directory, SPEECH_THREADS: '2' }, { worker: true });
    await service.import({ users: [user('Ada')] });
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  /** What a transcription ends with. */
  async function transcribed() {
    const made = recording('Ada', { media: 'jfk.flac' });
    await service.import({ recordings: [made] }, { 'jfk.flac': speechFile('jfk.flac') });
    const ada = service.api.as(keyOf('Ada'));
    expect((await ada.post(`/recordings/${made.id}/transcription`)).status).toBe(202);
    const page = async () => (await ada.get(`/recordings/${made.id}/transcript`)).body.data;
    await eventually(async () => expect((await page()).status).not.toBe('processing'), WITHIN_MS);
    return page();
  }

  it(
    'fails a transcription with a reason when a file is damaged, and works once it is replaced',
    async () => {
      await truncate(encoder, 1_000_000);
      const { status, statusReason, segments } = await transcribed();
      expect(status).toBe('failed');
      // Where the files are is for the log, not for callers.
      expect(statusReason).toBe(
        `The speech model ${basename(directory)} could not be loaded. The log of the service says why.`,
      );
      expect(segments).toEqual([]);
      await copyFile(BUILT_IN['encoder']!, encoder);
      expect(await transcribed()).toMatchObject({ status: 'completed', statusReason: null });
    },
    TEST_MS,
  );

  it(
    'transcribes with the model in it',
    async () => {
      const { segments, confidenceKnown, language } = await transcribed();
      expect(wordsOf(segments.map(({ text }: { text: string }) => text).join(' '))).toEqual(
        wordsOf(SAID['jfk.flac']!),
      );
      expect({ confidenceKnown, language }).toEqual({ confidenceKnown: false, language: 'en' });
    },
    TEST_MS,
  );
});
