import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Input, InputTrack } from 'mediabunny';
import {
  audioFacts,
  findTracks,
  keyFrameGap,
  openInput,
  sizeOf,
  videoFacts,
  type Tracks,
} from './mediabunny-facts.js';
import { fraction, writeFastStartMp4, writeHls, writeMp4 } from './mediabunny-outputs.js';
import { writeThumbnail } from './mediabunny-thumbnail.js';
import type { MediaFacts } from '../media-facts.js';
import type { WorkOptions } from '../process/packager-messages.js';
import type { MediaPackage, PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { COPY_ALL, plan, startOf, type PackagingPlan } from './packaging-plan.js';
import { isSystemError } from './pumps.js';
import { inspectSource, mediaType, type SourceFile } from '../source-file.js';
import { PLAYLIST, THUMBNAIL } from '../package-files.js';

/** The source as one MP4 with its index at the end; everything else is produced from it, then it is removed. */
const WORK_FILE = 'work.tmp.mp4';

/** Progress at the end of each phase, as a fraction of the whole; `source` is reading the source. */
const ENCODING = { source: 0.9, hls: 0.95, file: 0.99 } as const;
const COPYING = { source: 0.4, hls: 0.7, file: 0.99 } as const;

type Report = (fraction: number) => void;

/**
 * Creates a package; `registerCodecs()` must have been called. `onProgress` never decreases, and is called at every step as
 * a sign of life. Throws as `Packager.package` does.
 */
export async function makePackage(
  { source, folder }: PackageRequest,
  { onProgress, onSize }: WorkOptions,
): Promise<MediaPackage> {
  const file = await inspectSource(source);
  const input = openInput(source);
  try {
    const { tracks, facts } = await inspect(input, file);
    const planned = plan(facts);
    onSize(await sizeOf(input, tracks));
    const duration = planned.file
      ? await packageThroughWorkFile(input, tracks, facts, folder, onProgress)
      : await packageDirectly(input, tracks, facts, folder, onProgress);
    onProgress(1);
    return {
      sourceType: mediaType(file, tracks.video !== null),
      duration,
      startedAt: file.startedAt,
      video: planned.file,
      playlist: PLAYLIST,
      thumbnail: THUMBNAIL,
    };
  } finally {
    input.dispose();
  }
}

/** The source already plays everywhere: its packets are only sorted into segments. */
async function packageDirectly(
  input: Input,
  tracks: Tracks,
  facts: MediaFacts,
  folder: string,
  onProgress: Report,
): Promise<number> {
  const length = Math.max(facts.video?.end ?? 0, facts.audio?.end ?? 0);
  const onStep = (time: number) => onProgress(0.95 * fraction(time, length));
  const bytes = await input.source.getSize();
  const options = { tracks, plan: COPY_ALL, bytes, start: startOf(facts, COPY_ALL), onStep };
  const duration = requireContent(await writeHls(folder, options));
  await writeThumbnail(tracks, duration, folder);
  return duration;
}

/** Reads the source once, into an MP4 from which everything else is copied. */
async function packageThroughWorkFile(
  input: Input,
  tracks: Tracks,
  facts: MediaFacts,
  folder: string,
  onProgress: Report,
): Promise<number> {
  const path = join(folder, WORK_FILE);
  let planned = plan(facts);
  const copying = planned.video?.copy === true || !planned.video;
  const shares = copying ? COPYING : ENCODING;
  try {
    const onStep = await stepsOf(input, facts, (done) => onProgress(shares.source * done));
    const bytes = await input.source.getSize();
    await writeMp4(path, { tracks, plan: planned, bytes, start: startOf(facts, planned), onStep });
    // Only now is there an index that can be trusted.
    const measured = await withInput(path, (copied) => measure(copied, facts, startOf(facts, planned)));
    const better = plan(measured);
    if (copiesLess(better, planned)) {
      planned = better;
      await writeMp4(path, { tracks, plan: planned, bytes, start: startOf(facts, planned), onStep });
    }
    // The encoder does not record the colour space.
    const colorSpace = planned.video?.copy ? undefined : await tracks.video?.getColorSpace();
    return await withInput(path, async (copied) => {
      const options = { tracks: copied, plan: COPY_ALL, bytes, start: 0, colorSpace };
      const length = await lengthOf(copied);
      const phase = (from: number, to: number) => (time: number) =>
        onProgress(from + (to - from) * fraction(time, length));
      const duration = requireContent(
        await writeHls(folder, { ...options, onStep: phase(shares.source, shares.hls) }),
      );
      if (planned.file) {
        const target = join(folder, planned.file.path);
        await writeFastStartMp4(target, { ...options, onStep: phase(shares.hls, shares.file) });
      }
      await writeThumbnail(copied, duration, folder);
      return duration;
    });
  } finally {
    await rm(path, { force: true });
  }
}

/** A file that the demuxer cannot parse now will not parse on a retry either. */
async function inspect(input: Input, file: SourceFile): Promise<{ tracks: Tracks; facts: MediaFacts }> {
  try {
    const tracks = await findTracks(input);
    return { tracks, facts: await factsOf(tracks, file) };
  } catch (error) {
    if (error instanceof UnplayableMediaError || isSystemError(error)) throw error;
    throw new UnplayableMediaError('The file is damaged: its structure cannot be read.', { cause: error });
  }
}

async function factsOf(tracks: Tracks, file: SourceFile): Promise<MediaFacts> {
  const { container, fragmented, cut } = file;
  const audio = tracks.audio && (await audioFacts(tracks.audio));
  let video = tracks.video && (await videoFacts(tracks.video));
  const indexed = (container === 'mp4' || container === 'mov') && !fragmented;
  if (video && tracks.video && indexed) video = { ...video, keyFrameGap: await keyFrameGap(tracks.video) };
  return { container, fragmented, cut, video, audio };
}

/** The facts as measured in the copy of a file, which begins at `start`. */
async function measure({ video, audio }: Tracks, facts: MediaFacts, start: number): Promise<MediaFacts> {
  const endOf = async (track: InputTrack) => start + ((await track.getDurationFromMetadata()) ?? 0);
  return {
    ...facts,
    video: video &&
      facts.video && { ...facts.video, end: await endOf(video), keyFrameGap: await keyFrameGap(video) },
    audio: audio && facts.audio && { ...facts.audio, end: await endOf(audio) },
  };
}

function copiesLess(better: PackagingPlan, than: PackagingPlan): boolean {
  return (
    (than.video?.copy === true && better.video?.copy === false) ||
    (than.audio?.copy === true && better.audio?.copy === false)
  );
}

/** Turns presentation times into fractions, or uses the bytes read when the header does not give the length. */
async function stepsOf(input: Input, facts: MediaFacts, report: Report): Promise<(time: number) => void> {
  const ends = [facts.video?.end ?? null, facts.audio?.end ?? null];
  const start = Math.max(0, Math.min(facts.video?.start ?? Infinity, facts.audio?.start ?? Infinity));
  const length = Math.max(...ends.map((end) => end ?? 0)) - start;
  if (length > 0) return (time) => report(fraction(time, length));
  const size = await input.source.getSize();
  let read = 0;
  input.source.on('read', ({ end }) => {
    read = Math.max(read, end);
  });
  return () => report(fraction(read, size));
}

async function lengthOf({ video, audio }: Tracks): Promise<number> {
  return Math.max(
    (await video?.getDurationFromMetadata()) ?? 0,
    (await audio?.getDurationFromMetadata()) ?? 0,
  );
}

async function withInput<T>(path: string, use: (tracks: Tracks) => T | Promise<T>): Promise<T> {
  const input = openInput(path);
  try {
    return await use(await findTracks(input));
  } finally {
    input.dispose();
  }
}

function requireContent(duration: number): number {
  if (duration > 0) return duration;
  throw new UnplayableMediaError('The file is damaged: nothing in it can be read.');
}
