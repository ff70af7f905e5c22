import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';
import { MODEL_FAMILIES, type ModelFiles } from './model-families.js';

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
  for (const { matches, configOf } of MODEL_FAMILIES) {
    const found = matches(name, files);
    if (!found) continue;
    const paths = pathsIn(directory, found.files);
    return {
      name,
      languages: found.languages,
      configOf: (language) => configOf(paths, language),
      tokens: join(resolve(directory), found.tokens),
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

function pathsIn(directory: string, files: ModelFiles): ModelFiles {
  return Object.fromEntries(
    Object.entries(files).map(([role, file]) => [role, join(resolve(directory), file)]),
  );
}
