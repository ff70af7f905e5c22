import { rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaFacts } from '../media-facts.js';
import { maxDuration, tooLong, type MediaSize } from '../media-limits.js';
import { PLAYLIST, THUMBNAIL } from '../package-files.js';
import type { InspectedMedia, MediaPackage, PackageRequest } from '../packager.js';
import { encodes, plan, type PackagingPlan } from '../packaging-plan.js';
import { isPlayableSource } from '../playable-source.js';
import { mediaType, type SourceFile } from '../source-file.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { fragments, HLS_FILE, singleFile } from './conversions.js';
import { noFrames, writeThumbnail } from './media-thumbnail.js';
import { scanMedia, type MediaScan } from './media-scan.js';
import type { MediaTool, OutputFile } from './media-tool.js';
import { factsOf, primaryStream, primaryTracks, withContent, type MediaTracks } from './media-tracks.js';
import { missingMedia, type MadeMedia } from './missing-media.js';

/** What packaging needs beside the file; the library does all of it in one process, the program in one each. */
export interface PackagingTools {
  readonly tool: MediaTool;
  readonly inspect: (source: string) => Promise<SourceFile>;
  /** As in `hls-playlists.ts`. */
  readonly writePlaylists: (fragments: string, folder: string) => Promise<MadeMedia>;
  /** Called once the duration is known; the CPU budget depends on it. */
  readonly onSize: (size: MediaSize) => void;
  readonly onInspected: (found: InspectedMedia) => void;
  /** Fraction of the work done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** Progress at the end of each phase, as a fraction of the whole. */
const ENCODING = { file: 0.95, hls: 0.97 } as const;
const COPYING = { file: 0.5, hls: 0.9 } as const;
/** Seconds over the limit at which conversion stops, so that what is too long is noticed. */
const BEYOND = 1;

/** Creates a package; throws as `Packager.package` does. */
export async function packageMedia(
  { source, folder }: PackageRequest,
  { tool, inspect, writePlaylists, onSize, onInspected, onProgress }: PackagingTools,
): Promise<MediaPackage> {
  const { size: bytes } = await stat(source);
  const file = await inspect(source);
  const probed = await tool.probe(source);
  const claimed = primaryTracks(probed, bytes);
  const streams = [claimed.video, claimed.audio].filter((stream) => stream !== null);
  const scan = await scanMedia(tool, source, probed, streams, bytes);
  onSize({ bytes, duration: scan.end });
  const tracks = withContent(claimed, scan);
  if (streams.length > 0 && !tracks.video && !tracks.audio) throw nothingRead();
  const facts = factsOf(file, tracks, scan);
  const planned = plan(facts);
  const sourceType = mediaType(file, tracks.video !== null);
  onInspected({
    sourceType,
    duration: scan.end,
    startedAt: file.startedAt,
    encodes: encodes(planned),
    playable: isPlayableSource(sourceType, facts, planned),
  });

  const until = Math.min(scan.end, maxDuration(bytes)) + BEYOND;
  const write = (path: string, output: OutputFile, from: number, to: number) =>
    tool.convert(path, folder, {
      outputs: [output],
      until,
      onTime: (seconds) => onProgress(from + (to - from) * Math.min(1, seconds / Math.max(scan.end, 0.001))),
    });
  const share = planned.video?.copy === false ? ENCODING : COPYING;
  let base: ReadFile = { path: source, tracks, scan };
  if (planned.file) {
    await write(source, singleFile(tracks, facts, planned, planned.file.path), 0, share.file);
    base = await readFile(tool, join(folder, planned.file.path));
  }
  if (tracks.video && !base.tracks.video) throw noFrames();
  if (!base.tracks.video && !base.tracks.audio) throw nothingRead();
  const delay = base.tracks.video ? (base.scan.tracks.get(base.tracks.video.index)?.delay ?? 0) : 0;
  await write(base.path, fragments(base.tracks, delay), planned.file ? share.file : 0, share.hls);
  const made = await writePlaylists(join(folder, HLS_FILE), folder);
  await rename(join(folder, HLS_FILE), join(folder, dirname(PLAYLIST), HLS_FILE));
  if (made.duration <= 0) throw nothingRead();
  if (made.duration > maxDuration(bytes)) throw tooLong(bytes);
  const size = sizeOf(facts, planned);
  await writeThumbnail(tool, { ...base, size, duration: made.duration }, folder);
  onProgress(1);
  return {
    sourceType,
    duration: made.duration,
    startedAt: file.startedAt,
    video: planned.file,
    playlist: PLAYLIST,
    thumbnail: THUMBNAIL,
    notice: missingMedia(probed, tracks, scan, made, file.claimedSeconds),
  };
}

/** A file and what is in it. */
interface ReadFile {
  readonly path: string;
  readonly tracks: MediaTracks;
  readonly scan: MediaScan;
}

/** Reads a file that packaging itself has written; a track of which nothing could be decoded is not in it. */
async function readFile(tool: MediaTool, path: string): Promise<ReadFile> {
  const probed = await tool.probe(path);
  const streams = {
    video: primaryStream(probed.streams, 'video'),
    audio: primaryStream(probed.streams, 'audio'),
  };
  const present = [streams.video, streams.audio].filter((stream) => stream !== null);
  const scan = await scanMedia(tool, path, probed, present, Infinity);
  return { path, tracks: withContent(streams, scan), scan };
}

/** Of the video that has been written. */
function sizeOf(
  { video }: MediaFacts,
  { video: planned }: PackagingPlan,
): { width: number; height: number } | null {
  return planned?.copy === false ? planned : video;
}

function nothingRead(): UnplayableMediaError {
  return new UnplayableMediaError('The file is damaged: nothing in it can be read.');
}
