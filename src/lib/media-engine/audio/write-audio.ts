import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { samples } from '../engine/conversions.js';
import type { Conversion, MediaTool } from '../engine/media-tool.js';
import {
  doneAt,
  inputsOf,
  isDecodable,
  primaryStream,
  readSource,
  stopAt,
  trackOf,
  type MediaTrack,
  type SourceMedia,
} from '../engine/source-media.js';
import type { ExtractedFiles, MediaRequest, WorkOptions } from '../process/packager-messages.js';
import { inspectSource } from '../source-file.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { labelledTracks, streamsOf, type LabelledTrack } from './choose-sound.js';
import { measuredAudio } from './measured-audio.js';
import { CHANNEL_NAMES, finishVoices, trackFile, type WrittenTrack } from './voice-files.js';
import { relationOf } from './who-speaks.js';

/** The mix of several tracks, until it gets its name. */
const MIX_FILE = 'track-mix.s16le';

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
  const media = await readSource(tool, { path: source, sessions }, bytes);
  requireSound(media);
  const until = stopAt(media, bytes);
  const voices = voicesOf(media);
  const written: WrittenTrack[] = [];
  let damage: unknown = new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
  for (const [index, voice] of voices.entries()) {
    const names = [trackFile(index), ...voice.channels.map((name) => trackFile(index, name))];
    const onTime = (seconds: number) => onProgress((index + doneAt(media, seconds)) / voices.length);
    try {
      await writeTrack(tool, { media, track: voice.track, names, until, onTime });
      const [mix, left, right] = await Promise.all(
        names.map((name) => measuredAudio(join(folder, name), bytes)),
      );
      if (mix) written.push({ ...voice, mix, channels: left && right ? [left, right] : null });
    } catch (error) {
      // Damage to one track does not fail the others.
      if (!(error instanceof UnplayableMediaError)) throw error;
      damage = error;
    }
  }
  if (written.length === 0) throw damage;
  const result = await finishVoices(folder, written, async (tracks) => {
    const track = trackOf(media, streamsOf(tracks));
    if (track) await writeTrack(tool, { media, track, names: [MIX_FILE], until });
    return measuredAudio(join(folder, MIX_FILE), Infinity);
  });
  onProgress(1);
  return result;
}

export function requireSound({ sessions }: SourceMedia): void {
  const streams = sessions.flatMap(({ probed }) => primaryStream(probed.streams, 'audio') ?? []);
  if (streams.length === 0) throw new UnplayableMediaError('The recording has no audio.');
  if (!streams.some(isDecodable)) throw new UnplayableMediaError('The audio codec is not supported.');
}

interface Voice extends Pick<LabelledTrack, 'place' | 'title' | 'primary'> {
  readonly track: MediaTrack;
  /** Those that are written apart, as they may be different people. */
  readonly channels: readonly (typeof CHANNEL_NAMES)[number][];
}

/** The tracks that can be different participants, in the order of the file. */
function voicesOf(media: SourceMedia): readonly Voice[] {
  const tracks = labelledTracks(media);
  const relation = relationOf(tracks);
  if (relation === 'mix') {
    const track = trackOf(media, streamsOf(tracks));
    return track ? [{ place: 0, track, title: null, primary: true, channels: [] }] : [];
  }
  const isSingle = media.sessions.every(
    ({ probed }) => probed.streams.filter(({ kind }) => kind === 'audio').length <= 1,
  );
  return tracks
    .filter(({ primary }) => relation === 'voices' || primary)
    .flatMap((label) => {
      const track = trackOf(media, streamsOf([label]));
      const isStereo = track?.streams.flat().every(({ channels }) => channels === 2);
      const channels = isSingle && isStereo ? CHANNEL_NAMES : [];
      return track ? [{ ...label, track, channels }] : [];
    });
}

interface Writing extends Pick<Conversion, 'until' | 'onTime'> {
  readonly media: SourceMedia;
  readonly track: MediaTrack;
  readonly names: readonly string[];
}

/** Writes the mix of a track to the first name and, if there are three, its two channels to the others. */
export async function writeTrack(
  tool: MediaTool,
  { media, track, names, until, onTime }: Writing,
): Promise<void> {
  const outputs = names.map((name, place) => {
    // The layout is fixed, because it may change in the middle of a track.
    const mix = place === 0 ? 'anull' : `aformat=channel_layouts=stereo,pan=mono|c0=c${place - 1}`;
    return samples(name, track, mix);
  });
  await tool.convert({ inputs: inputsOf(media), outputs, until, onTime });
}
