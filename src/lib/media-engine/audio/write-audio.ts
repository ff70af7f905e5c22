import { open, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ByteRange } from '../containers/byte-range.js';
import { entryPoints, type EntryPoint } from '../containers/entry-points.js';
import { samples } from '../engine/conversions.js';
import type { Conversion, MediaTool } from '../engine/media-tool.js';
import {
  isDecodable,
  primaryStream,
  readSource,
  type MediaTrack,
  type SourceMedia,
} from '../engine/source-media.js';
import {
  MAX_ENTRY_POINTS,
  type ExtractedFiles,
  type ExtractedPiece,
  type MediaRequest,
  type PieceRequest,
  type WorkOptions,
} from '../process/packager-messages.js';
import { inspectSource } from '../source-file.js';
import { UnplayableMediaError } from '../media.errors.js';
import {
  AUDIO_FILE,
  AUDIO_RATE,
  levelBytes,
  LEVELS_FILE,
  measuredAudio,
  SAMPLE_BYTES,
  type AudioFile,
} from './audio-format.js';
import { labelledTracks, streamsOf, type LabelledTrack } from './choose-sound.js';
import { relationOf, whoSpeaks, type HeardTrack } from './who-speaks.js';

/** Name of the file that a track, or a part of it, is written to until it is known which of them are voices. */
const trackFile = (...names: readonly (string | number)[]): string => `track-${names.join('-')}.s16le`;

/** A track that may be a participant. */
interface Voice extends Pick<LabelledTrack, 'place' | 'title' | 'primary'> {
  readonly track: MediaTrack;
  /** Those that are written apart, as they may be different people. */
  readonly channels: readonly string[];
}

/** A track whose audio has been written: the mix of all its channels and, if they are apart, left and right. */
interface WrittenTrack extends HeardTrack, Pick<LabelledTrack, 'place'> {
  readonly files: readonly [AudioFile, ...AudioFile[]];
}

/**
 * Writes the audio of a media file in the format of `audio-format.ts`, with the timing that players use: gaps and a
 * late start are silence. Throws `UnplayableMediaError` when there is no audio, or none that can be decoded; a track
 * that cannot is left out if there are others.
 */
export async function writeAudio(
  { source, folder }: MediaRequest,
  tool: MediaTool,
  { onProgress }: WorkOptions,
): Promise<ExtractedFiles> {
  const { size: bytes } = await stat(source);
  const { sessions } = await inspectSource(source);
  const media = await readSource(tool, source, bytes, sessions);
  requireSound(media);
  const until = media.stopAt(bytes);
  const voices = voicesOf(media);
  const written: WrittenTrack[] = [];
  let damage: unknown = new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
  for (const [index, { track, channels, ...label }] of voices.entries()) {
    const names = [trackFile(index), ...channels.map((name) => trackFile(index, name))];
    const onTime = (seconds: number) => onProgress((index + media.doneAt(seconds)) / voices.length);
    try {
      await writeTrack(tool, { media, track, names, until, onTime });
      const measure = (name: string): Promise<AudioFile> => measuredAudio(join(folder, name), bytes);
      const [mix, left, right] = await Promise.all(names.map(measure));
      if (!mix) continue;
      const apart = left && right ? ([left, right] as const) : [];
      const levels = left && right ? ([left.levels, right.levels] as const) : null;
      written.push({ ...label, files: [mix, ...apart], levels: mix.levels, channels: levels });
    } catch (error) {
      // Damage to one track does not fail the others.
      if (!(error instanceof UnplayableMediaError)) throw error;
      damage = error;
    }
  }
  if (written.length === 0) throw damage;
  const result = await finishVoices(folder, written, async (tracks) => {
    const track = media.trackOf(streamsOf(tracks));
    const name = trackFile('mix');
    if (track) await writeTrack(tool, { media, track, names: [name], until });
    return measuredAudio(join(folder, name), Infinity);
  });
  onProgress(1);
  return result;
}

/**
 * Writes up to `seconds` of the audio of a file that is not complete yet, of which the bytes before `from` are missing
 * but for the header: the mix of all that may be people, because who speaks shows only in the whole. Nothing if there is
 * no more than a header. Throws `UnplayableMediaError` as `writeAudio` does.
 */
export async function writePiece(
  { source, folder, from, seconds }: PieceRequest,
  tool: MediaTool,
): Promise<ExtractedPiece> {
  const { size } = await stat(source);
  const points = await entryPointsOf(source, { start: from, end: size });
  if (points.length === 0) return { start: 0, duration: 0, isCut: false, entryPoints: points };
  const media = await readSource(tool, source, size);
  requireSound(media);
  const tracks = labelledTracks(media);
  const isMixed = relationOf(tracks) !== 'primary';
  const track = media.trackOf(streamsOf(isMixed ? tracks : tracks.filter(({ primary }) => primary)));
  if (!track) throw new UnplayableMediaError('The recording has no audio.');
  await writeTrack(tool, { media, track, names: [AUDIO_FILE], until: Math.min(media.end, seconds) });
  const { size: bytes } = await stat(join(folder, AUDIO_FILE));
  return {
    start: media.sessions[0]?.probed.start ?? 0,
    duration: bytes / SAMPLE_BYTES / AUDIO_RATE,
    isCut: media.end > seconds,
    entryPoints: points,
  };
}

function requireSound({ sessions }: SourceMedia): void {
  const streams = sessions.flatMap(({ probed }) => primaryStream(probed.streams, 'audio') ?? []);
  if (streams.length === 0) throw new UnplayableMediaError('The recording has no audio.');
  if (!streams.some(isDecodable)) throw new UnplayableMediaError('The audio codec is not supported.');
}

/** The tracks that can be different participants, in the order of the file. */
function voicesOf(media: SourceMedia): readonly Voice[] {
  const tracks = labelledTracks(media);
  const relation = relationOf(tracks);
  if (relation === 'mix') {
    const track = media.trackOf(streamsOf(tracks));
    return track ? [{ place: 0, track, title: null, primary: true, channels: [] }] : [];
  }
  const isSingle = media.sessions.every(
    ({ probed }) => probed.streams.filter(({ kind }) => kind === 'audio').length <= 1,
  );
  return tracks
    .filter(({ primary }) => relation === 'voices' || primary)
    .flatMap((label) => {
      const track = media.trackOf(streamsOf([label]));
      const isStereo = track?.streams.flat().every(({ channels }) => channels === 2);
      return track ? [{ ...label, track, channels: isSingle && isStereo ? ['left', 'right'] : [] }] : [];
    });
}

interface Writing extends Pick<Conversion, 'until' | 'onTime'> {
  readonly media: SourceMedia;
  readonly track: MediaTrack;
  readonly names: readonly string[];
}

/** Writes the mix of a track to the first name and, if there are three, its two channels to the others. */
async function writeTrack(tool: MediaTool, { media, track, names, until, onTime }: Writing): Promise<void> {
  const outputs = names.map((name, place) => {
    // The layout is fixed, because it may change in the middle of a track.
    const mix = place === 0 ? 'anull' : `aformat=channel_layouts=stereo,pan=mono|c0=c${place - 1}`;
    return samples(name, track, mix);
  });
  await tool.convert({ inputs: media.inputs, outputs, until, onTime });
}

/** Decides who speaks, writes the mix and its levels, and removes what is no voice. `mixOf` mixes several tracks. */
async function finishVoices(
  folder: string,
  tracks: readonly WrittenTrack[],
  mixOf: (tracks: readonly WrittenTrack[]) => Promise<AudioFile>,
): Promise<ExtractedFiles> {
  const chosen = whoSpeaks(tracks);
  const heard = [...new Set(chosen.map(({ track }) => track))];
  const [only] = heard;
  const mix = only && heard.length === 1 ? only.files[0] : await mixOf(heard);
  const voices = [];
  for (const { track, channel, speaker } of chosen) {
    const file = track.files[channel === null ? 0 : channel + 1] ?? mix;
    // Voices have the length of the mix, so that a time in it is a time in each of them; this takes no space.
    await truncate(file.path, mix.length * SAMPLE_BYTES);
    voices.push({ name: file === mix ? AUDIO_FILE : basename(file.path), speaker });
  }
  await rename(mix.path, join(folder, AUDIO_FILE));
  await writeFile(join(folder, LEVELS_FILE), levelBytes(mix.levels), { mode: 0o600 });
  const kept = new Set(voices.map(({ name }) => name));
  for (const name of await readdir(folder))
    if (name.startsWith('track-') && !kept.has(name)) await rm(join(folder, name));
  return { duration: mix.length / AUDIO_RATE, voices };
}

async function entryPointsOf(source: string, range: ByteRange): Promise<readonly EntryPoint[]> {
  await using file = await open(source);
  const found: EntryPoint[] = [];
  for await (const point of entryPoints(file, range)) {
    found.push(point);
    if (found.length === MAX_ENTRY_POINTS) break;
  }
  return found;
}
