import { expect, it } from '@jest/globals';
import {
  configuredDiarization,
  configuredModel,
} from '../../../src/modules/pipeline/transcription/configured-models.js';
import { StartError } from '../../../src/platform/config/settings.js';

it('ends the start with an invalid setting when SPEECH_MODEL_DIR cannot be read', () => {
  const start = () => configuredModel('/missing');
  expect(start).toThrow(StartError);
  expect(start).toThrow(/^Invalid setting: SPEECH_MODEL_DIR cannot be read: ENOENT/);
});

it('ends the start with an invalid setting when SPEECH_DIARIZATION_DIR lacks a model', () => {
  expect(configuredDiarization(undefined, 1)).toBeNull();
  const start = () => configuredDiarization('.', 1);
  expect(start).toThrow(StartError);
  expect(start).toThrow(
    /^Invalid setting: SPEECH_DIARIZATION_DIR must have one segmentation model .*found: none/,
  );
});
