import { Diarization } from '../../../lib/speech/speech.js';
import { diarizationModel } from '../../../lib/speech/speech-model.js';
import { SpeechDirectoryError, speechModel, type SpeechModel } from '../../../lib/speech/speech-model.js';
import { missingSpeechRuntime } from '../../../lib/speech/speech-runtime.js';
import { StartError } from '../../../platform/config/settings.js';

/** The model of `SPEECH_MODEL_DIR`, or the built-in one. Throws a `StartError` if the directory has no known model. */
export const configuredModel = (directory: string | undefined): SpeechModel =>
  found('SPEECH_MODEL_DIR', () => speechModel(directory));

/** With the models of `SPEECH_DIARIZATION_DIR`; null without. Throws a `StartError` if they cannot be used. */
export function configuredDiarization(directory: string | undefined, threads: number): Diarization | null {
  if (directory === undefined) return null;
  const missing = missingSpeechRuntime();
  if (missing !== null)
    throw new StartError(`Invalid setting: SPEECH_DIARIZATION_DIR cannot be used: ${missing}`);
  return new Diarization(
    found('SPEECH_DIARIZATION_DIR', () => diarizationModel(directory)),
    threads,
  );
}

function found<Model>(setting: string, find: () => Model): Model {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof SpeechDirectoryError)) throw error;
    throw new StartError(`Invalid setting: ${setting} ${error.message}`);
  }
}
