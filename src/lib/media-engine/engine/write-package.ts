import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseSound } from '../audio/choose-sound.js';
import { maxDuration, tooLong } from '../media-limits.js';
import {
  encodes,
  isPlayableSource,
  plan,
  type AudioFacts,
  type MediaFacts,
  type VideoFacts,
} from '../packaging-plan.js';
import { inspectSource, mediaType, type SourceFile } from '../source-file.js';
import {
  PLAYLIST,
  THUMBNAIL,
  type MediaPackage,
  type PackageRequest,
  type WorkOptions,
} from '../process/packager-messages.js';
import { UnplayableMediaError } from '../media.errors.js';
import { fragments, singleFile } from './conversions.js';
import { noFrames, writeThumbnail } from './media-thumbnail.js';
import type { MediaTool, OutputFile, ProbedStream, SoundCount } from './media-tool.js';
import { writePlaylists } from './hls-playlists.js';
import { missingMedia } from './missing-media.js';
import {
  isDecodable,
  primaryStream,
  readSource,
  shownSize,
  type MediaTrack,
  type MediaTracks,
  type Session,
  type SourceMedia,
} from './source-media.js';
import { DAY_MS } from '../../durations.js';

/** Progress at the end of each phase, as a fraction of the whole. */
const ENCODING = { file: 0.95, hls: 0.97 } as const;
const COPYING = { file: 0.5, hls: 0.9 } as const;
const PLAIN_AAC = new Set(['', 'LC', 'HE-AAC', 'HE-AACv2']);

/** Creates a package; throws as `packageMedia` does. */
export async function writePackage(
  { source, folder, mute = [] }: PackageRequest,
  tool: MediaTool,
  { onInspected, onProgress }: WorkOptions,
): Promise<MediaPackage> {
  const { bytes, file, media, sound, tracks } = await readPlayed(tool, source);
  const facts = { ...factsOf(file, media, tracks), mute };
  const planned = plan(facts);
  const sourceType = mediaType(file, tracks.video !== null);
  const startedAt = startOf(media);
  const playable = isPlayableSource(sourceType, facts, planned);
  onInspected({ sourceType, duration: media.end, startedAt, encodes: encodes(planned), playable });

  const until = media.stopAt(bytes);
  const write = (from: SourceMedia, output: OutputFile, begin: number, end: number) =>
    tool.convert({
      inputs: from.inputs,
      outputs: [output],
      until,
      onTime: (seconds) => onProgress(begin + (end - begin) * media.doneAt(seconds)),
    });
  const share = planned.video?.copy === false ? ENCODING : COPYING;
  let base = { media, tracks };
  let count: SoundCount | null = null;
  if (planned.file) {
    count = await write(media, singleFile(tracks, facts, planned, planned.file.path), 0, share.file);
    base = await readWritten(tool, join(folder, planned.file.path));
  }
  if (tracks.video && !base.tracks.video) throw noFrames();
  if (!base.tracks.video && !base.tracks.audio) throw nothingRead();
  await write(base.media, fragments(base.tracks, 'media.mp4'), planned.file ? share.file : 0, share.hls);
  const made = await writePlaylists('media', folder);
  if (made.duration <= 0) throw nothingRead();
  if (made.duration > maxDuration(bytes)) throw tooLong(bytes);
  const size = planned.video?.copy === false ? planned.video : facts.video;
  await writeThumbnail(tool, { ...base, size, duration: made.duration });
  onProgress(1);
  return {
    sourceType,
    duration: made.duration,
    startedAt,
    video: planned.file,
    playlist: PLAYLIST,
    thumbnail: THUMBNAIL,
    notice: [missingMedia(media, tracks, made, count), sound.notice].filter(Boolean).join(' ') || null,
    voices: sound.voices,
  };
}

/** Reads a source, and chooses what of it is played. Throws `UnplayableMediaError` if that cannot be. */
export async function readPlayed(tool: MediaTool, source: string) {
  const { size: bytes } = await stat(source);
  const file = await inspectSource(source);
  const media = await readSource(tool, source, bytes, file.sessions);
  requirePlayable(media);
  const sound = await chooseSound(tool, media, bytes);
  const tracks = tracksOf(media, sound.select);
  if (!tracks.video && !tracks.audio && hasTracks(media)) throw nothingRead();
  return { bytes, file, media, sound, tracks };
}

/** Reads a file that packaging itself has written; a track of which nothing could be decoded is not in it. */
export async function readWritten(tool: MediaTool, path: string) {
  const media = await readSource(tool, path, Infinity);
  return { media, tracks: tracksOf(media, ({ audio }) => audio) };
}

function tracksOf(media: SourceMedia, sound: (session: Session) => readonly ProbedStream[]): MediaTracks {
  return { video: media.trackOf(({ video }) => (video ? [video] : [])), audio: media.trackOf(sound) };
}

const hasTracks = ({ sessions }: SourceMedia): boolean =>
  sessions.some(({ probed }) => probed.streams.some(({ kind, isPicture }) => kind !== 'other' && !isPicture));

/** When the recording began. Cameras without a clock write 1904, 1970 or 2036. */
export function startOf({ sessions: [first] }: SourceMedia): Date | null {
  const time = Date.parse(first?.probed.createdAt ?? '');
  return time >= Date.UTC(1971, 0) && time <= Date.now() + DAY_MS ? new Date(time) : null;
}

const nothingRead = (): UnplayableMediaError =>
  new UnplayableMediaError('The file is damaged: nothing in it can be read.');

/** Throws `UnplayableMediaError` if a track cannot be decoded, rather than dropping it silently. */
function requirePlayable({ sessions }: SourceMedia): void {
  for (const { probed } of sessions)
    for (const kind of ['video', 'audio'] as const) {
      const stream = primaryStream(probed.streams, kind);
      if (!stream || isDecodable(stream)) continue;
      throw new UnplayableMediaError(
        stream.codec === null
          ? `The ${kind} codec is not supported. Upload an MP4 with H.264 and AAC instead.`
          : `The ${kind} track is damaged.`,
      );
    }
}

export function factsOf(
  file: SourceFile,
  media: SourceMedia,
  { video, audio }: MediaTracks,
): Omit<MediaFacts, 'mute'> {
  const { container, fragmented, cut, sessions } = file;
  return {
    container,
    fragmented,
    cut,
    joined: sessions.length > 1,
    video: video && videoFacts(video),
    audio: audio && audioFacts(audio, media),
  };
}

function videoFacts({ streams, first, scan }: MediaTrack): VideoFacts {
  const { codec, pixelFormat, matrix } = first;
  const [a, b, c, d] = matrix;
  const sizes = streams.flat().map(shownSize);
  const largest = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
  return {
    codec: codec ?? '',
    plainPixels: /^yuvj?420p$/.test(pixelFormat) || (codec === 'av1' && pixelFormat === 'yuv420p10le'),
    ...(largest ?? shownSize(first)),
    transformed: a <= 0 || d <= 0 || b !== 0 || c !== 0,
    keyFrameGap: scan.keyFrameGap,
    start: scan.start,
    end: scan.end,
  };
}

function audioFacts({ streams, first, scan }: MediaTrack, { sessions }: SourceMedia): AudioFacts {
  const all = streams.flat();
  const isMix = streams.some((mixed) => mixed.length > 1);
  const isPrimary = sessions.every(({ probed }, place) => {
    return streams[place]?.[0]?.index === primaryStream(probed.streams, 'audio')?.index;
  });
  return {
    codec: first.codec ?? '',
    plainProfile: first.codec !== 'aac' || PLAIN_AAC.has(first.profile),
    tracks: isMix ? 'mix' : isPrimary ? 'one' : 'other',
    channels: Math.max(...all.map(({ channels }) => channels)),
    sampleRate: all.every(({ sampleRate }) => sampleRate === first.sampleRate) ? first.sampleRate : 48_000,
    start: scan.start,
    end: scan.end,
  };
}
