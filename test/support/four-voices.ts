import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUDIO_RATE, samplesOf } from '../../src/lib/media-engine/audio/audio-format.js';
import { extractAudio } from '../../src/lib/media-engine/media-engine.js';
import { SAID, speechFile, wav } from './speech.js';

/** Somebody speaks in a part of a file (seconds), from this second of the meeting on. */
interface Turn {
  readonly at: number;
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

const SECONDS = 110;
const CROSSTALK = 10 ** (-18 / 20);

/** What two people say to each other in `two-people.flac`: what each says begins in the pause before it. */
const twoPeople = (at: number, ...parts: readonly (readonly [number, number])[]): Turn[] =>
  parts.map(([from, to]) => ({ at: at + from, file: 'two-people.flac', from, to }));
const katie = (at: number) => twoPeople(at, [0, 1.2], [3.7, 11.6], [24.6, 25.8]);
const steve = (at: number) => twoPeople(at, [1.8, 3.1], [12.2, 24], [26.3, 29]);
const KATIE =
  'Good morning, Steve. Have you tried the latest real-time diarization in Microsoft Speech Service, which can tell you who said what in real time? Absolutely.';
const STEVE =
  "Good morning, Katie. Not yet. I've been using the batch transcription with diarization functionality, but it produces diarization results after the whole audio is processed. Is the new feature able to diarize in real time? That's exciting. Let me try it right now.";

/** Each begins while another speaks; the last 30 seconds are those of the first two again, who interrupt the fourth. */
const PEOPLE = [
  { name: 'Katie', loudness: 1, turns: [...katie(0), ...katie(79)], said: `${KATIE} ${KATIE}` },
  { name: 'Steve', loudness: 0.6, turns: [...steve(0), ...steve(79)], said: `${STEVE} ${STEVE}` },
  {
    name: 'John',
    loudness: 0.4,
    turns: [{ at: 25, file: 'jfk.flac', from: 0, to: 11 }],
    said: SAID['jfk.flac']!,
  },
  {
    name: 'Ada',
    loudness: 0.8,
    turns: [{ at: 34, file: 'about-speech-sdk.flac', from: 0, to: 52.4 }],
    said: SAID['about-speech-sdk.flac']!,
  },
];

/** A meeting of four, a track for each: with what they say, when, and the others 18 dB softer than their own track has them. */
export async function fourVoices() {
  const files = new Map<string, Int16Array>();
  for (const { file } of PEOPLE.flatMap(({ turns }) => turns))
    if (!files.has(file)) files.set(file, await samplesIn(file));
  const voices = PEOPLE.map(({ turns, loudness }) => {
    const voice = new Float32Array(SECONDS * AUDIO_RATE);
    for (const { at, file, from, to } of turns) {
      const part = files.get(file)!.subarray(from * AUDIO_RATE, to * AUDIO_RATE);
      voice.set(
        Float32Array.from(part, (sample) => (loudness * sample) / 32_768),
        at * AUDIO_RATE,
      );
    }
    return voice;
  });
  const heard = (index: number, person: number): number => {
    const others = voices.reduce((sum, voice) => sum + voice[index]!, 0) - voices[person]![index]!;
    return Math.max(-1, Math.min(1, voices[person]![index]! + CROSSTALK * others));
  };
  return PEOPLE.map(({ name, said, turns }, person) => ({
    name,
    said,
    turns: turns.map(({ at, from, to }) => ({ start: at, end: at + to - from })),
    media: wav(SECONDS, (time) => heard(Math.round(time * AUDIO_RATE), person)),
  }));
}

async function samplesIn(name: string): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-voices-'));
  try {
    const source = join(folder, name);
    await writeFile(source, speechFile(name));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    return samplesOf(await readFile((await extractAudio({ source, folder }, options)).path));
  } finally {
    await rm(folder, { recursive: true });
  }
}
