import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';
import { MODEL_FAMILIES, smallest } from './model-families.js';

/** A speech recognition model on this machine. */
export interface SpeechModel {
  readonly name: string;
  /** ISO 639-1 codes of the languages it transcribes; null if it does not say. */
  readonly languages: readonly string[] | null;
  /** `modelConfig` of sherpa-onnx for a spoken language (ISO 639-1), without its tokens. */
  readonly configOf: (language: string) => object;
  /** File with the vocabulary; null for that of the built-in model. */
  readonly tokens: string | null;
}

const PACKAGES = join(PROJECT_ROOT, 'node_modules');
const MOONSHINE = join(PACKAGES, '@moonshine-ai/moonshine-js/dist/model/tiny/quantized');
/** Whisper's models for English alone. Other names do not say reliably which languages a model knows. */
const ENGLISH_ONLY = /\.en$/;
/** The detector of speech that goes before every model. */
export const SPEECH_DETECTOR = join(PACKAGES, '@ricky0123/vad-web/dist/silero_vad_v5.onnx');

const BUILT_IN: SpeechModel = {
  name: 'Moonshine tiny',
  languages: ['en'],
  configOf: () => ({
    moonshine: {
      encoder: join(MOONSHINE, 'encoder_model.onnx'),
      mergedDecoder: join(MOONSHINE, 'decoder_model_merged.onnx'),
    },
  }),
  tokens: null,
};

/** A directory that does not have the models it should. The message says why, without its subject. */
export class SpeechDirectoryError extends Error {}

/** Finds the model in a directory; without one, the built-in model. Throws `SpeechDirectoryError`. */
export function speechModel(directory: string | undefined): SpeechModel {
  if (directory === undefined) return BUILT_IN;
  const files = filesOf(directory);
  const name = basename(resolve(directory));
  for (const { directory: named, files: wanted, tokens, configOf } of MODEL_FAMILIES) {
    const vocabulary = files.find((file) => tokens.test(file));
    const found = Object.entries(wanted).flatMap(([role, pattern]) => {
      const file = smallest(files, pattern);
      return file === undefined ? [] : [[role, join(resolve(directory), file)] as const];
    });
    if (vocabulary === undefined || found.length < Object.keys(wanted).length) continue;
    if (named && !named.test(name)) continue;
    return {
      name,
      languages: ENGLISH_ONLY.test(name) ? ['en'] : null,
      configOf: (language) => configOf(Object.fromEntries(found), language),
      tokens: join(resolve(directory), vocabulary),
    };
  }
  throw new SpeechDirectoryError(
    `has none of the models that are recognized by their files (${MODEL_FAMILIES.map(({ family }) => family).join(', ')})`,
  );
}

export function filesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new SpeechDirectoryError(`cannot be read: ${(error as Error).message}`);
  }
}
