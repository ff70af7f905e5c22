import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIO_FILE, AUDIO_RATE, LEVEL_SAMPLES, LEVELS_FILE, levelsOf } from './audio/audio-format.js';
import { runChild } from './process/packager-child.js';
import type {
  AudioRequest,
  ExtractedPiece,
  MediaOptions,
  MediaPackage,
  MediaRequest,
  MixedFile,
  MixRequest,
  PackageRequest,
  PieceRequest,
  SplitVoices,
  TrackPackage,
  TrackRequest,
} from './process/packager-messages.js';

/**
 * Media engine: takes the path of any audio or video file and an empty folder, and writes into it what browsers play
 * (`packageMedia`; for tracks of a recording `packageTrack`, `mixTracks`, `splitTracks`) or what speech recognition hears
 * (`extractAudio`, `extractPiece`). Each call has a confined child
 * process of its own: media that crashes a native decoder, or makes it leak, harms only that child.
 *
 * All throw `UnplayableMediaError` for media with which a retry would fail too, with a message for users; any other
 * error is worth a retry.
 */

/** The audio of a recording in a file. */
export interface ExtractedAudio {
  /** Everyone together. Raw mono samples at `rate` hertz: signed 16-bit little-endian, without a header. */
  readonly path: string;
  /** What each participant says, as far as the media separates them. At least one; the file of a single voice is `path`. */
  readonly voices: readonly {
    /** A file in the same format, and on the same time line. */
    readonly path: string;
    /** Who it is; empty if the media does not say, which is the case only for a single voice. */
    readonly speaker: string;
  }[];
  readonly rate: typeof AUDIO_RATE;
  /** Seconds. */
  readonly duration: number;
  /** Root mean square of each `levelSeconds` of audio, 0 (silence) to 1. */
  readonly levels: Float32Array;
  readonly levelSeconds: number;
}

/** Writes an HLS package with a thumbnail and, unless browsers play the source itself, one file that they play. */
export const packageMedia = async (request: PackageRequest, options: MediaOptions): Promise<MediaPackage> =>
  (await runChild({ ...request, task: 'package' }, options)).made;

/** Writes a piece of the audio of a file that is still growing, as raw mono samples at `AUDIO_RATE`. */
export async function extractPiece(
  request: PieceRequest,
  options: MediaOptions,
): Promise<ExtractedPiece & { readonly path: string }> {
  const { piece } = await runChild({ ...request, task: 'piece' }, options);
  return { ...piece, path: join(request.folder, AUDIO_FILE) };
}

/** Writes the audio, with the timing that players use: gaps and a late start are silence. */
export async function extractAudio(request: AudioRequest, options: MediaOptions): Promise<ExtractedAudio> {
  const { duration, voices } = (await runChild({ ...request, task: 'audio' }, options)).files;
  return {
    path: join(request.folder, AUDIO_FILE),
    voices: voices.map(({ name, speaker }) => ({ path: join(request.folder, name), speaker })),
    rate: AUDIO_RATE,
    duration,
    levels: levelsOf(await readFile(join(request.folder, LEVELS_FILE))),
    levelSeconds: LEVEL_SAMPLES / AUDIO_RATE,
  };
}

/**
 * Writes what plays a track of a recording: its sound as a rendition for the HLS package of the recording, its waveform,
 * and for a track with a picture a package as `packageMedia` does. The offset is the given one, or else found by
 * comparison with the mix, or else the difference of the clocks, or 0.
 */
export async function packageTrack(request: TrackRequest, options: MediaOptions): Promise<TrackPackage> {
  return (await runChild({ ...request, task: 'track' }, options)).made;
}

/** Writes one file with the sound of all tracks, and a picture. Everyone is as loud as in their own track. */
export async function mixTracks(request: MixRequest, options: MediaOptions): Promise<MixedFile> {
  const { made } = await runChild({ ...request, task: 'mix' }, options);
  return { ...made, path: join(request.folder, made.path) };
}

/** Writes a file for each person in a container with several tracks, on its time line; none if there are not two. */
export async function splitTracks(request: MediaRequest, options: MediaOptions): Promise<SplitVoices> {
  const { voices } = await runChild({ ...request, task: 'split' }, options);
  return voices.map((voice) => ({ ...voice, path: join(request.folder, voice.path) }));
}
