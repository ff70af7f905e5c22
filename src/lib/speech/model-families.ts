/** File names, or paths, by their role in the configuration of sherpa-onnx. */
export type ModelFiles = Readonly<Record<string, string>>;

interface FoundModel {
  readonly files: ModelFiles;
  readonly tokens: string;
  /** Null if unknown. */
  readonly languages: readonly string[] | null;
}

/** Models that share a layout, as sherpa-onnx publishes them. */
interface ModelFamily {
  readonly family: string;
  /** Null if the directory has no such model. */
  readonly matches: (directoryName: string, files: readonly string[]) => FoundModel | null;
  readonly configOf: (files: ModelFiles, language: string) => object;
}

/** Whisper's models for English alone. Other names do not say reliably which languages a model knows. */
const ENGLISH_ONLY = /\.en$/;

/** The first that matches is used. */
export const MODEL_FAMILIES: readonly ModelFamily[] = [
  family('Parakeet and other transducers', {
    files: { encoder: /encoder.*\.onnx$/, decoder: /decoder.*\.onnx$/, joiner: /joiner.*\.onnx$/ },
    tokens: /tokens\.txt$/,
    configOf: (transducer) => ({ transducer }),
  }),
  family('Whisper', {
    files: { encoder: /-encoder.*\.onnx$/, decoder: /-decoder.*\.onnx$/ },
    tokens: /-tokens\.txt$/,
    configOf: (whisper, language) => ({ whisper: { ...whisper, language, task: 'transcribe' } }),
  }),
  family('Moonshine', {
    files: {
      encoder: /^encoder_model.*\.(?:onnx|ort)$/,
      mergedDecoder: /^decoder_model_merged.*\.(?:onnx|ort)$/,
    },
    tokens: /^tokens\.txt$/,
    configOf: (moonshine) => ({ moonshine }),
  }),
  family('SenseVoice', {
    directory: /sense-?voice/i,
    files: { model: /^model.*\.onnx$/ },
    tokens: /^tokens\.txt$/,
    configOf: (senseVoice, language) => ({
      senseVoice: { ...senseVoice, language, useInverseTextNormalization: 1 },
    }),
  }),
];

interface Layout {
  /** What the name of the directory must contain. */
  readonly directory?: RegExp;
  readonly files: Readonly<Record<string, RegExp>>;
  readonly tokens: RegExp;
  readonly configOf: ModelFamily['configOf'];
}

function family(name: string, { directory, files: wanted, tokens, configOf }: Layout): ModelFamily {
  const matches: ModelFamily['matches'] = (directoryName, files) => {
    if (directory && !directory.test(directoryName)) return null;
    const found = Object.entries(wanted).map(([role, pattern]) => [role, smallest(files, pattern)] as const);
    const vocabulary = files.find((file) => tokens.test(file));
    if (vocabulary === undefined || found.some(([, file]) => file === undefined)) return null;
    const languages = ENGLISH_ONLY.test(directoryName) ? ['en'] : null;
    return { files: Object.fromEntries(found) as ModelFiles, tokens: vocabulary, languages };
  };
  return { family: name, matches, configOf };
}

/** Archives often contain the same model twice; the one quantized to 8 bits is faster and hardly worse. */
function smallest(files: readonly string[], pattern: RegExp): string | undefined {
  const found = files.filter((file) => pattern.test(file));
  return found.find((file) => file.includes('int8')) ?? found[0];
}
