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
