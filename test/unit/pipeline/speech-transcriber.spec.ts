import { expect, it } from '@jest/globals';
import { configuredModel } from '../../../src/modules/pipeline/transcription/speech.transcriber.js';
import { StartError } from '../../../src/platform/config/settings.js';

it('ends the start with an invalid setting when SPEECH_MODEL_DIR cannot be read', () => {
  const start = () => configuredModel('/missing');
  expect(start).toThrow(StartError);
  expect(start).toThrow(/^Invalid setting: SPEECH_MODEL_DIR cannot be read: ENOENT/);
});
