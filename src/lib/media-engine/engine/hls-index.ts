import { open, type FileHandle } from 'node:fs/promises';
import { bytes } from '../containers/byte-range.js';
import { boxes, type Box } from '../containers/mp4-boxes.js';
import { readFragment } from '../containers/mp4-fragment.js';
import { MEDIA_LIMITS } from '../media-limits.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { fragmentTracks, type FragmentTrack } from './fragment-tracks.js';

/** A segment of a fragmented MP4: one fragment or, at the end, several. Positions in bytes, times in seconds. */
export interface Segment {
  readonly position: number;
  readonly bytes: number;
  readonly start: number;
  readonly duration: number;
}

/** What players need to know of a fragmented MP4. */
export interface HlsIndex {
  /** Bytes at the beginning of the file that describe its tracks. */
  readonly headerBytes: number;
  readonly tracks: readonly FragmentTrack[];
  readonly segments: readonly Segment[];
  /** Seconds at which the track that ends last ends. */
  readonly duration: number;
  /** Seconds at which a track ends, by its number; none for a track without packets. */
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * A last segment shorter than this, in seconds, is joined to the one before. Audio often continues briefly after the
 * video has ended, and a segment with only audio makes players wait for video that never comes.
 */
const SHORT_TAIL = 1.5;

/** Reads the index of a file written by `fragments` (`conversions.ts`); its media data is not read. */
export async function indexFragments(path: string): Promise<HlsIndex> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  let tracks: FragmentTrack[] = [];
  let headerBytes = 0;
  let end = 0;
  const starts: { readonly position: number; readonly start: number }[] = [];
  const ends = new Map<number, number>();
  for await (const box of boxes(file, 0, size)) {
    if (box.type === 'moov') {
      tracks = fragmentTracks(await bodyOf(file, box));
      headerBytes = box.end;
    } else if (box.type === 'moof') {
      const defaults = new Map(tracks.map(({ id, defaultDuration }) => [id, defaultDuration]));
      const runs = readFragment(await bodyOf(file, box), defaults).flatMap(({ trackId, start, shown }) => {
        const track = tracks.find(({ id }) => id === trackId);
        if (!track || start === null) return [];
        return [{ track, start: start / track.timescale, end: (start + shown) / track.timescale }];
      });
      // Segments begin where their video does, so that it continues seamlessly.
      const first = runs.find(({ track }) => track.size !== null) ?? runs[0];
      starts.push({ position: box.start, start: first?.start ?? 0 });
      for (const { track, end: at } of runs) ends.set(track.id, Math.max(ends.get(track.id) ?? 0, at));
    } else if (box.type === 'mdat') {
      end = box.end;
    }
  }
  const duration = Math.max(0, ...ends.values());
  const segments = starts.map(({ position, start }, place) => {
    const next = starts[place + 1] ?? { position: end, start: duration };
    // The first one begins where the recording does, even if its video comes later.
    const from = place === 0 ? 0 : start;
    return {
      position,
      bytes: next.position - position,
      start: from,
      duration: Math.max(0, next.start - from),
    };
  });
  return { headerBytes, tracks, segments: withoutShortTail(segments), duration, ends };
}

function withoutShortTail(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  const before = segments.at(-2);
  if (!last || !before || last.duration >= SHORT_TAIL) return segments;
  const joined = {
    ...before,
    bytes: before.bytes + last.bytes,
    duration: before.duration + last.duration,
  };
  return [...segments.slice(0, -2), joined];
}

async function bodyOf(file: FileHandle, { bodyStart, end }: Box): Promise<Buffer> {
  const length = end - bodyStart;
  if (length <= MEDIA_LIMITS.fragmentIndex) return bytes(file, bodyStart, length);
  throw new UnplayableMediaError('The media has too many samples in one segment.');
}
