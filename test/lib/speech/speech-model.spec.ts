import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SPEECH_DETECTOR, SpeechDirectoryError, speechModel } from '../../../src/lib/speech/speech-model.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrs-speech-model-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A directory with these files, with their text or empty. */
async function directory(name: string, files: Readonly<Record<string, string>> | string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const contents = Array.isArray(files) ? files.map((file) => [file, ''] as const) : Object.entries(files);
  for (const [file, text] of contents) await writeFile(join(path, file), text);
  return path;
}

/** Why there is no model in a directory. */
function mistakeOf(path: string): string {
  try {
    speechModel(path);
  } catch (error) {
    expect(error).toBeInstanceOf(SpeechDirectoryError);
    return (error as Error).message;
  }
  throw new Error('The directory was accepted');
}

describe('without SPEECH_MODEL_DIR', () => {
  it('the model that npm installs is used, for English', () => {
    const { name, languages, tokens, configOf } = speechModel(undefined);
    expect({ name, languages, tokens }).toEqual({ name: 'Moonshine tiny', languages: ['en'], tokens: null });
    const { moonshine } = configOf('en') as { moonshine: { encoder: string; mergedDecoder: string } };
    for (const file of [moonshine.encoder, moonshine.mergedDecoder, SPEECH_DETECTOR]) {
      expect([file, existsSync(file)]).toEqual([file, true]);
    }
  });
});

describe('a directory laid out as sherpa-onnx publishes', () => {
  it('Whisper for English', async () => {
    const path = await directory('sherpa-onnx-whisper-tiny.en', [
      'tiny.en-decoder.int8.onnx',
      'tiny.en-decoder.onnx',
      'tiny.en-encoder.int8.onnx',
      'tiny.en-encoder.onnx',
      'tiny.en-tokens.txt',
    ]);
    const { name, languages, tokens, configOf } = speechModel(path);
    expect(name).toBe('sherpa-onnx-whisper-tiny.en');
    expect(languages).toEqual(['en']);
    expect(tokens).toBe(join(path, 'tiny.en-tokens.txt'));
    expect(configOf('en')).toEqual({
      whisper: {
        encoder: join(path, 'tiny.en-encoder.int8.onnx'),
        decoder: join(path, 'tiny.en-decoder.int8.onnx'),
        language: 'en',
        task: 'transcribe',
      },
    });
  });

  it.each([
    [
      'sherpa-onnx-whisper-small',
      { encoder: 'small-encoder.onnx', decoder: 'small-decoder.onnx' },
      'small-tokens.txt',
      'whisper',
      { language: 'de', task: 'transcribe' },
    ],
    [
      'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
      { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx', joiner: 'joiner.int8.onnx' },
      'tokens.txt',
      'transducer',
      {},
    ],
    [
      'sherpa-onnx-moonshine-base-en-quantized-2026-02-27',
      { encoder: 'encoder_model.ort', mergedDecoder: 'decoder_model_merged.ort' },
      'tokens.txt',
      'moonshine',
      {},
    ],
    [
      'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
      { model: 'model.int8.onnx' },
      'tokens.txt',
      'senseVoice',
      { language: 'de', useInverseTextNormalization: 1 },
    ],
  ])('%s, for the spoken language', async (name, files, tokens, family, more) => {
    const path = await directory(name, [...Object.values(files), tokens]);
    const model = speechModel(path);
    expect([model.languages, model.tokens]).toEqual([null, join(path, tokens)]);
    const paths = Object.fromEntries(Object.entries(files).map(([role, file]) => [role, join(path, file)]));
    expect(model.configOf('de')).toEqual({ [family]: { ...paths, ...more } });
  });
});

describe('a directory without a model', () => {
  const nothing =
    'has none of the models that are recognized by their files (Parakeet and other transducers, Whisper, Moonshine, SenseVoice)';

  it.each([
    ['nothing', 'empty', []],
    ['half a model', 'half', ['tiny.en-encoder.onnx', 'tiny.en-tokens.txt']],
    ['a model without its vocabulary', 'no-tokens', ['encoder.onnx', 'decoder.onnx', 'joiner.onnx']],
    ['a model whose name says nothing', 'unnamed', ['model.onnx', 'tokens.txt']],
  ])('is refused: %s', async (_, name, files) => {
    expect(mistakeOf(await directory(name, files))).toBe(nothing);
  });

  it('is refused when it cannot be read', async () => {
    expect(mistakeOf(join(folder, 'missing'))).toMatch(/^cannot be read: ENOENT/);
    const path = await directory('file', ['tokens.txt']);
    expect(mistakeOf(join(path, 'tokens.txt'))).toMatch(/^cannot be read: ENOTDIR/);
  });
});
