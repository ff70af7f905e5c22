import { readdirSync, existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';

/** File names, or paths, by their role in the configuration of sherpa-onnx. */
export type ModelFiles = Readonly<Record<string, string>>;

/** Models that share a layout, as sherpa-onnx publishes them. */
export interface ModelFamily {
  readonly family: string;
  /** What the name of the directory must contain. */
  readonly directory?: RegExp;
  readonly files: Readonly<Record<string, RegExp>>;
  readonly tokens: RegExp;
  readonly configOf: (files: ModelFiles, language: string) => object;
}

/** The first that matches is used. */
export const MODEL_FAMILIES: readonly ModelFamily[] = [
  {
    family: 'Parakeet and other transducers',
    files: { encoder: /encoder.*\.onnx$/, decoder: /decoder.*\.onnx$/, joiner: /joiner.*\.onnx$/ },
    tokens: /tokens\.txt$/,
    configOf: (transducer) => ({ transducer }),
  },
  {
    family: 'Whisper',
    files: { encoder: /-encoder.*\.onnx$/, decoder: /-decoder.*\.onnx$/ },
    tokens: /-tokens\.txt$/,
    configOf: (whisper, language) => ({ whisper: { ...whisper, language, task: 'transcribe' } }),
  },
  {
    family: 'Moonshine',
    files: {
      encoder: /^encoder_model.*\.(?:onnx|ort)$/,
      mergedDecoder: /^decoder_model_merged.*\.(?:onnx|ort)$/,
    },
    tokens: /^tokens\.txt$/,
    configOf: (moonshine) => ({ moonshine }),
  },
  {
    family: 'SenseVoice',
    directory: /sense-?voice/i,
    files: { model: /^model.*\.onnx$/ },
    tokens: /^tokens\.txt$/,
    configOf: (senseVoice, language) => ({
      senseVoice: { ...senseVoice, language, useInverseTextNormalization: 1 },
    }),
  },
];

/** Archives often contain the same model twice; the one quantized to 8 bits is faster and hardly worse. */
export function smallest(files: readonly string[], pattern: RegExp): string | undefined {
  const found = files.filter((file) => pattern.test(file));
  return found.find((file) => file.includes('int8')) ?? found[0];
}

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

/** The two models of sherpa-onnx that tell voices apart, as paths. */
export interface DiarizationModel {
  /** Hears where somebody else begins to speak. */
  readonly segmentation: string;
  /** Computes what is characteristic of a voice. */
  readonly embedding: string;
}

/** Names in the archive of a segmentation model. The quantized one is second, as both are small. */
const SEGMENTATION_FILES = ['model.onnx', 'model.int8.onnx'];

/**
 * Finds the models in a directory: a folder with `model.onnx`, as an archive of sherpa-onnx unpacks, is the segmentation
 * model, and a file `*.onnx` beside it the embedding model. Throws `SpeechDirectoryError` unless there is one of each.
 */
export function diarizationModel(directory: string): DiarizationModel {
  const root = resolve(directory);
  const names = filesOf(root).toSorted();
  const segmentation = names.flatMap((name) => {
    const file = SEGMENTATION_FILES.find((model) => existsSync(join(root, name, model)));
    return file === undefined ? [] : [join(name, file)];
  });
  const embedding = names.filter((name) => name.endsWith('.onnx'));
  const [[segmentationFile, ...others], [embeddingFile, ...more]] = [segmentation, embedding];
  if (segmentationFile === undefined || embeddingFile === undefined || others.length + more.length > 0)
    throw new SpeechDirectoryError(
      `must have one segmentation model (a folder with model.onnx or model.int8.onnx; found: ${listed(segmentation)}) and one speaker embedding model (a file *.onnx; found: ${listed(embedding)})`,
    );
  return { segmentation: join(root, segmentationFile), embedding: join(root, embeddingFile) };
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none';
