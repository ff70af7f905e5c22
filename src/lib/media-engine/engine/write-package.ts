import { rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseSound } from '../audio/choose-sound.js';
import { maxDuration, tooLong } from '../media-limits.js';
import { PLAYLIST, THUMBNAIL } from '../package-files.js';
import { encodes, plan } from '../packaging-plan.js';
import { isPlayableSource } from '../playable-source.js';
import { inspectSource, mediaType } from '../source-file.js';
import type { MediaPackage, MediaRequest, WorkOptions } from '../process/packager-messages.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { fragments, HLS_FILE, singleFile } from './conversions.js';
import { noFrames, writeThumbnail } from './media-thumbnail.js';
import type { MediaTool, OutputFile, ProbedStream, SoundCount } from './media-tool.js';
import { factsOf, requirePlayable } from './media-tracks.js';
import { writePlaylists } from './hls-playlists.js';
import { missingMedia } from './missing-media.js';
import {
  doneAt,
  inputsOf,
  readSource,
  stopAt,
  trackOf,
  type MediaTracks,
  type Session,
  type SourceMedia,
} from './source-media.js';

/** Progress at the end of each phase, as a fraction of the whole. */
const ENCODING = { file: 0.95, hls: 0.97 } as const;
const COPYING = { file: 0.5, hls: 0.9 } as const;
const DAY = 24 * 60 * 60 * 1000;

/** Creates a package; throws as `packageMedia` does. */
export async function writePackage(
  { source, folder }: MediaRequest,
  tool: MediaTool,
  { onInspected, onProgress }: WorkOptions,
): Promise<MediaPackage> {
  const { size: bytes } = await stat(source);
  const file = await inspectSource(source);
  const media = await readSource(tool, { path: source, sessions: file.sessions }, bytes);
  requirePlayable(media);
  const sound = await chooseSound(tool, media, bytes);
  const tracks = tracksOf(media, sound.select);
  if (!tracks.video && !tracks.audio && hasTracks(media)) throw nothingRead();
  const facts = factsOf(file, media, tracks);
  const planned = plan(facts);
  const sourceType = mediaType(file, tracks.video !== null);
  onInspected({
    sourceType,
    duration: media.end,
    startedAt: startOf(media),
    encodes: encodes(planned),
    playable: isPlayableSource(sourceType, facts, planned),
  });

  const until = stopAt(media, bytes);
  const write = (from: SourceMedia, output: OutputFile, begin: number, end: number) =>
    tool.convert({
      inputs: inputsOf(from),
      outputs: [output],
      until,
      onTime: (seconds) => onProgress(begin + (end - begin) * doneAt(media, seconds)),
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
  await write(base.media, fragments(base.tracks), planned.file ? share.file : 0, share.hls);
  const made = await writePlaylists(join(folder, HLS_FILE), folder);
  await rename(join(folder, HLS_FILE), join(folder, dirname(PLAYLIST), HLS_FILE));
  if (made.duration <= 0) throw nothingRead();
  if (made.duration > maxDuration(bytes)) throw tooLong(bytes);
  const size = planned.video?.copy === false ? planned.video : facts.video;
  await writeThumbnail(tool, { ...base, size, duration: made.duration });
  onProgress(1);
  const notices = [missingMedia(media, tracks, made, count), sound.notice].filter(
    (notice) => notice !== null,
  );
  return {
    sourceType,
    duration: made.duration,
    startedAt: startOf(media),
    video: planned.file,
    playlist: PLAYLIST,
    thumbnail: THUMBNAIL,
    notice: notices.length > 0 ? notices.join(' ') : null,
  };
}

/** Reads a file that packaging itself has written; a track of which nothing could be decoded is not in it. */
async function readWritten(tool: MediaTool, path: string) {
  const whole = { start: 0, end: (await stat(path)).size, claimedSeconds: null };
  const media = await readSource(tool, { path, sessions: [whole] }, Infinity);
  return { media, tracks: tracksOf(media, ({ audio }) => audio) };
}

function tracksOf(media: SourceMedia, sound: (session: Session) => readonly ProbedStream[]): MediaTracks {
  return { video: trackOf(media, ({ video }) => (video ? [video] : [])), audio: trackOf(media, sound) };
}

const hasTracks = ({ sessions }: SourceMedia): boolean =>
  sessions.some(({ probed }) => probed.streams.some(({ kind, isPicture }) => kind !== 'other' && !isPicture));

/** When the recording began. Cameras without a clock write 1904, 1970 or 2036. */
function startOf({ sessions: [first] }: SourceMedia): Date | null {
  const time = Date.parse(first?.probed.createdAt ?? '');
  return time >= Date.UTC(1971, 0) && time <= Date.now() + DAY ? new Date(time) : null;
}

function nothingRead(): UnplayableMediaError {
  return new UnplayableMediaError('The file is damaged: nothing in it can be read.');
}
