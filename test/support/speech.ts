import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childProcesses } from './media.js';

const SPEECH = fileURLToPath(new URL('../data/speech', import.meta.url));
const MAKER = fileURLToPath(new URL('../../bench/speech/make-speech.js', import.meta.url));
const RATE = 16_000;

/** What is said in each file of `test/data/speech`, by its name. */
export const SAID = JSON.parse(readFileSync(join(SPEECH, 'references.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

export const speechFile = (name: string): Buffer => readFileSync(join(SPEECH, name));

/** An MP4 that repeats these files up to this length, with pauses of a second. */
export const repeatedSpeech = (seconds: number, ...names: string[]): Promise<Buffer> =>
  makeSpeech('speech.mp4', seconds, names);

/** The same as a recorder sends it while it records. */
export const liveSpeech = (format: 'webm' | 'mp4', seconds: number, ...names: string[]): Promise<Buffer> =>
  makeSpeech(`speech.live.${format}`, seconds, names);

async function makeSpeech(file: string, seconds: number, names: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-speech-'));
  try {
    const target = join(folder, file);
    const files = names.map((name) => join(SPEECH, name));
    await promisify(execFile)(process.execPath, [MAKER, target, String(seconds), ...files]);
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A WAV file of so many seconds; `sample` returns each from -1 to 1, at a time in seconds. */
export function wav(seconds: number, sample: (time: number) => number): Buffer {
  const samples = Int16Array.from({ length: seconds * RATE }, (_, index) => 32_767 * sample(index / RATE));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(2 * RATE, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}

/** The processes that recognize speech for a worker in this process, without the programs that confine them. */
export const speechProcesses = (): number[] =>
  childProcesses('speech.process')
    .filter(({ command }) => command.startsWith(`${process.execPath} `))
    .map(({ id }) => id);

/** The words of a text, without punctuation and capitals. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9']+/g) ?? [];

/** Share of the words of one text that are in the other, in order. */
export function agreement(one: string, other: string): number {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  let previous = Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const current = [0];
    for (const [place, against] of right.entries()) {
      const longest = Math.max(previous[place + 1]!, current[place]!);
      current.push(word === against ? previous[place]! + 1 : longest);
    }
    previous = current;
  }
  return previous.at(-1)! / left.length;
}
