import { open } from 'node:fs/promises';
import { LEVEL_SAMPLES, measuredAudio, SAMPLE_BYTES } from './audio-format.js';

/** Decibels. */
const SILENCE = -90;
/** What is softer is silence, unless the whole track is soft: then what is this much softer than its loudest. */
const NOISE = { most: -60, belowLoudest: 40 } as const;
/** Somebody speaks in frames this close to the loud ones of their track. */
const SPEECH = { loudShare: 0.99, range: 15 } as const;
/**
 * How loud a participant is in the track of another, compared with their own: the level that a tenth of the frames do not
 * exceed, as sometimes both speak. What is louder by the margin is their own.
 */
const LEAK = { share: 0.1, margin: 6 } as const;
/** If two microphones pick up both participants about equally, only a clear difference in loudness decides. Decibels. */
const APART = { least: 5, otherwise: -10, fromMiddle: 2 } as const;
/** Frames of 50 ms: of five, three must be somebody's own; words begin and end softly. */
const MAJORITY = { around: 2, least: 3 } as const;
const SOFT_ENDS = 2;
/** The frames around speech that belong to it, and how many frames of speech somebody else has at least. */
const REST = { around: 6, least: 60 } as const;
/** Frames that are muted at a time. */
const BLOCK = 400;

/** Decibels of each frame, in whole numbers: a byte for each, as there may be 50 tracks of twelve hours. */
type Loudness = Int8Array;

/**
 * Mutes in each of the tracks, audio in the format of `audio-format.ts` on one time line, what others say (their voices
 * reach every microphone nearby) and noise that nobody hears. Only the proportion of levels counts, however loud the
 * microphones are.
 */
export async function keepOwnSpeech(paths: readonly string[]): Promise<void> {
  const tracks: Loudness[] = [];
  for (const path of paths) tracks.push(await loudnessOf(path));
  const speech = tracks.map(speechOf);
  const leaks = tracks.map((track) => tracks.map((other, index) => leakOf(track, other, speech[index]!)));
  for (const [index, track] of tracks.entries()) {
    const limits = tracks.map((_, other) => limitOf(leaks[index]![other]!, leaks[other]![index]!));
    const noise = Math.min(NOISE.most, share(track.length, (frame) => track[frame]!, 1) - NOISE.belowLoudest);
    const own = Uint8Array.from(track, (level, frame) => {
      const isOthers = (limit: number, other: number): boolean =>
        other !== index && level - (tracks[other]![frame] ?? SILENCE) < limit;
      return level > noise && !limits.some(isOthers) ? 1 : 0;
    });
    const kept = widened(widened(own, MAJORITY.around, MAJORITY.least), SOFT_ENDS, 1);
    // Silence may be a hole of the file.
    await mute(
      paths[index]!,
      kept.map((isKept, frame) => (isKept || track[frame] === SILENCE ? 0 : 1)),
    );
  }
}

/**
 * Mutes in the mix of everyone what is heard in the tracks, which are not changed. Returns whether there is somebody in
 * the rest, who has no track.
 */
export async function keepRest(mix: string, paths: readonly string[]): Promise<boolean> {
  const whole = await loudnessOf(mix);
  const heard = new Uint8Array(whole.length);
  for (const path of paths) {
    const track = await loudnessOf(path);
    const speech = speechOf(track);
    for (const [frame, level] of track.subarray(0, heard.length).entries())
      if (level > speech) heard[frame] = 1;
  }
  const known = widened(heard, REST.around, 1);
  const speech = speechOf(whole);
  const rest = whole.filter((level, frame) => level > speech && known[frame] === 0);
  if (rest.length < REST.least) return false;
  await mute(mix, known);
  return true;
}

/** Somebody speaks in frames that are louder. */
const speechOf = (track: Loudness): number =>
  share(track.length, (frame) => track[frame]!, SPEECH.loudShare) - SPEECH.range;

async function loudnessOf(path: string): Promise<Loudness> {
  const { levels } = await measuredAudio(path, Infinity);
  return Int8Array.from(levels, (level) => Math.max(SILENCE, Math.round(20 * Math.log10(level))));
}

/** Decibels by which a participant is softer in a track than in their own, where they speak. */
const leakOf = (track: Loudness, own: Loudness, speech: number): number =>
  share(
    Math.min(track.length, own.length),
    (frame) => (own[frame]! > speech ? track[frame]! - own[frame]! : null),
    LEAK.share,
  );

/** The difference to the other's own track below which a frame is theirs; `back`: the leak the other way round. */
function limitOf(leak: number, back: number): number {
  if (-(leak + back) / 2 < APART.least) return APART.otherwise;
  return Math.min(leak + LEAK.margin, (leak - back) / 2 - APART.fromMiddle);
}

/** The value that this share of the values do not exceed, of those above silence; decibels. */
function share(length: number, valueOf: (frame: number) => number | null, part: number): number {
  const counts = new Uint32Array(-2 * SILENCE + 1);
  let total = 0;
  for (let frame = 0; frame < length; frame++) {
    const value = valueOf(frame);
    if (value === null || value === SILENCE) continue;
    counts[value - SILENCE]! += 1;
    total += 1;
  }
  let passed = 0;
  return SILENCE + counts.findIndex((count) => (passed += count) >= part * total);
}

/** Marks each frame with at least `least` marked frames within `around` frames of it, itself included. */
const widened = (frames: Uint8Array, around: number, least: number): Uint8Array =>
  frames.map((_, frame) => {
    let count = 0;
    for (let near = frame - around; near <= frame + around; near++) count += frames[near] ?? 0;
    return count >= least ? 1 : 0;
  });

async function mute(path: string, frames: Uint8Array): Promise<void> {
  await using file = await open(path, 'r+');
  for (let start = frames.indexOf(1); start >= 0;) {
    const next = frames.indexOf(0, start);
    const end = Math.min(next < 0 ? frames.length : next, start + BLOCK);
    const silence = Buffer.alloc((end - start) * LEVEL_SAMPLES * SAMPLE_BYTES);
    await file.write(silence, 0, silence.length, start * LEVEL_SAMPLES * SAMPLE_BYTES);
    start = frames.indexOf(1, end);
  }
}
