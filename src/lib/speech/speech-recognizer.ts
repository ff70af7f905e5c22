import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { twoLetterCode } from '../language/language-codes.js';
import { AUDIO_RATE } from '../media-engine/audio/audio-format.js';
import { requireReadable } from './model-files.js';
import type { Passage } from './passages.js';
import { withoutLoops } from './repetitions.js';
import { splitAtPauses, type CharacterTime, type SpokenText } from './sentences.js';
import type { Recognizer, RecognizerResult, Sherpa } from './sherpa.js';
import type { HeardMessage, RecognitionRequest } from './speech-messages.js';

/** Loads the model. Throws, or ends the process, if its files are damaged or not readable for this process. */
export async function loadRecognizer(
  { OfflineRecognizer }: Sherpa,
  { model, tokens, threads, folder }: RecognitionRequest,
): Promise<Recognizer> {
  await requireReadable([model, tokens]);
  const vocabulary = tokens ?? join(folder, 'tokens.txt');
  if (tokens === null) await writeLlamaTokens(vocabulary);
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: AUDIO_RATE, featureDim: 80 },
    modelConfig: { ...model, tokens: vocabulary, numThreads: threads, provider: 'cpu', debug: 0 },
  });
  if (tokens === null) await rm(vocabulary);
  return recognizer;
}

/** The words of a passage, and its language if the model detects it. */
export async function recognize(
  recognizer: Recognizer,
  { spans, audio }: Passage,
  samples: Float32Array,
  language: string,
): Promise<Pick<HeardMessage, 'segments' | 'language'>> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: AUDIO_RATE });
  const result = await recognizer.decodeAsync(stream);
  const text = withoutLoops(result.text);
  const confidence = confidenceOf(result);
  const times = text === result.text ? characterTimes(result, audio.start) : [];
  const pieces = splitAtPauses(text, spans, language, times);
  return {
    segments: withWords(pieces, text, times).map((piece) => ({ ...piece, confidence })),
    language: result.lang ? twoLetterCode(result.lang.replace(/[<|>]/g, '')) : null,
  };
}

/** Where each word of the pieces begins, as far as the model says so. */
function withWords(pieces: readonly SpokenText[], text: string, times: readonly CharacterTime[]) {
  const starts = times.filter(({ position }) => beginsWord(text, position));
  let end = 0;
  return pieces.map((piece) => {
    const from = text.indexOf(piece.text, end);
    end = from + piece.text.length;
    const words = starts
      .filter(({ position }) => position >= from && position < end)
      .map(({ position, time }) => ({ position: position - from, time }));
    return { ...piece, words };
  });
}

/** Languages such as Chinese and Japanese do not separate words, so that each character may begin one. */
const beginsWord = (text: string, position: number): boolean =>
  position === 0 ||
  /\s/.test(text.charAt(position - 1)) ||
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text.slice(position));

/** The geometric mean of the probabilities of the tokens. */
function confidenceOf({ ys_log_probs: logarithms = [] }: RecognizerResult): number | null {
  if (logarithms.length === 0) return null;
  const mean = logarithms.reduce((sum, logarithm) => sum + logarithm, 0) / logarithms.length;
  return Math.round(Math.min(1, Math.exp(mean)) * 1000) / 1000;
}

/** Where each token is in the text, and when it was spoken. */
function characterTimes(
  { text, tokens = [], timestamps = [] }: RecognizerResult,
  start: number,
): CharacterTime[] {
  const times: CharacterTime[] = [];
  let position = 0;
  tokens.forEach((token, index) => {
    const found = text.indexOf(token.trim(), position);
    const time = timestamps[index];
    if (found < 0 || time === undefined) return;
    times.push({ position: found, time: start + time });
    position = found + token.trim().length;
  });
  return times;
}

/** Special tokens of the model after those of the vocabulary; they stand for nothing that is said. */
const SPECIAL_TOKENS = 768;
/** How a blank and a single byte are written in the vocabulary. */
const BLANK = /\u2581/g;
const BYTE = /^<0x([0-9A-F]{2})>$/;

/** Writes the vocabulary of Llama, which the built-in model uses, as sherpa-onnx reads it: `<base64> <id>`. */
export async function writeLlamaTokens(path: string): Promise<void> {
  const { default: tokenizer } = (await import('llama-tokenizer-js')) as unknown as {
    default: { readonly vocabById: readonly string[] };
  };
  const special = Array.from({ length: SPECIAL_TOKENS }, () => Buffer.from(' '));
  const lines = [...tokenizer.vocabById.map(bytesOf), ...special].map(
    (bytes, id) => `${bytes.toString('base64')} ${id}\n`,
  );
  await writeFile(path, lines.join(''), { mode: 0o600 });
}

function bytesOf(token: string): Buffer {
  const byte = BYTE.exec(token)?.[1];
  return byte === undefined ? Buffer.from(token.replace(BLANK, ' ')) : Buffer.from(byte, 'hex');
}
