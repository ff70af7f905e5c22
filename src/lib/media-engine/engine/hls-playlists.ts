import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { boxes, boxesIn } from '../containers/mp4-boxes.js';
import { Mp4Index, type Mp4Track } from '../containers/mp4-index.js';
import { PLAYLIST } from '../process/packager-messages.js';
import type { MadeMedia } from './missing-media.js';

/** The version that has `EXT-X-BYTERANGE` and fragments in MP4 (RFC 8216, section 7). */
const VERSION = 7;
/**
 * A last segment shorter than this, in seconds, is joined to the one before. Audio often continues briefly after the
 * video has ended, and a segment with only audio makes players wait for video that never comes.
 */
const SHORT_TAIL = 1.5;
/** Length of a sample description before the boxes that it contains. */
const ENTRY_BYTES = { video: 78, audio: 28 } as const;
/** Tag of the decoder's own description in an `esds` box. */
const DECODER_SPECIFIC = 0x05;

/** A segment of a fragmented MP4: one fragment or, at the end, several. Positions in bytes, times in seconds. */
interface Segment {
  readonly position: number;
  readonly bytes: number;
  readonly duration: number;
}

/** What players need to know of a fragmented MP4. */
interface HlsIndex {
  /** Bytes at the beginning of the file that describe its tracks. */
  readonly headerBytes: number;
  readonly tracks: readonly Mp4Track[];
  readonly segments: readonly Segment[];
  /** Seconds at which each track ends, and the last of them; none for a track without packets. */
  readonly ends: ReadonlyMap<Mp4Track, number>;
  readonly duration: number;
}

/**
 * Puts a file of fragments, `media.mp4` or `audio.mp4`, where players look for it, and writes its playlist: segments are
 * ranges of it, so a store gets few objects. That of `media` gets a multivariant playlist too.
 */
export async function writePlaylists(name: 'media' | 'audio', folder: string): Promise<MadeMedia> {
  const [file, mediaFile] = [`${name}.mp4`, `${name}.m3u8`];
  const index = await indexFragments(join(folder, file));
  const hls = join(folder, dirname(PLAYLIST));
  await mkdir(hls, { recursive: true });
  await writeFile(join(hls, mediaFile), mediaPlaylist(index, file));
  if (name === 'media') await writeFile(join(folder, PLAYLIST), multivariantPlaylist(index, mediaFile));
  await rename(join(folder, file), join(hls, file));
  const endOf = (kind: boolean): number | null => {
    const track = index.tracks.find(({ isVideo }) => isVideo === kind);
    return track ? (index.ends.get(track) ?? 0) : null;
  };
  return { duration: index.duration, video: endOf(true), audio: endOf(false) };
}

/** Reads a file written by `fragments` (`conversions.ts`), but not its media data. */
async function indexFragments(path: string): Promise<HlsIndex> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const index = new Mp4Index(file, size);
  let headerBytes = 0;
  let end = 0;
  const ends = new Map<Mp4Track, number>();
  const starts: { readonly position: number; readonly start: number }[] = [];
  for await (const box of boxes(file, 0, size)) {
    if (box.type === 'moov') {
      await index.read(box);
      headerBytes = box.end;
    } else if (box.type === 'moof') {
      const runs = (await index.readFragment(box)).filter(({ start }) => start !== null);
      // Segments begin where their video does, so that it continues seamlessly.
      const first = runs.find(({ track }) => track.isVideo) ?? runs[0];
      starts.push({ position: box.start, start: (first?.start ?? 0) / (first?.track.unitsPerSecond ?? 1) });
      for (const { track, start, shown } of runs) {
        const at = ((start ?? 0) + shown) / track.unitsPerSecond;
        ends.set(track, Math.max(ends.get(track) ?? 0, at));
      }
    } else if (box.type === 'mdat') end = box.end;
  }
  const duration = Math.max(0, ...ends.values());
  const segments = starts.map(({ position, start }, place) => {
    const next = starts[place + 1] ?? { position: end, start: duration };
    // The first one begins where the recording does, even if its video comes later.
    const from = place === 0 ? 0 : start;
    return { position, bytes: next.position - position, duration: Math.max(0, next.start - from) };
  });
  return { headerBytes, tracks: index.tracks, segments: withoutShortTail(segments), ends, duration };
}

function withoutShortTail(segments: readonly Segment[]): readonly Segment[] {
  const [before, last] = segments.slice(-2);
  if (!before || !last || last.duration >= SHORT_TAIL) return segments;
  const [bytes, duration] = [before.bytes + last.bytes, before.duration + last.duration];
  return [...segments.slice(0, -2), { ...before, bytes, duration }];
}

function mediaPlaylist({ headerBytes, segments }: HlsIndex, file: string): string {
  // At least 1: players take 0 for a mistake, and a recording may be shorter than half a second.
  const target = Math.max(1, ...segments.map(({ duration }) => Math.ceil(duration)));
  return playlist(
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${headerBytes}@0"`,
    ...segments.flatMap(({ position, bytes, duration }) => [
      `#EXTINF:${+duration.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${bytes}@${position}`,
      file,
    ]),
    '#EXT-X-ENDLIST',
  );
}

function multivariantPlaylist({ tracks, segments, duration }: HlsIndex, variant: string): string {
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  const size = tracks.find(({ isVideo }) => isVideo)?.picture;
  const attributes = [
    `BANDWIDTH=${Math.max(1, ...segments.map(bitRate))}`,
    `AVERAGE-BANDWIDTH=${bitRate({ bytes, duration })}`,
    `CODECS="${tracks.map(codecOf).join(',')}"`,
    ...(size ? [`RESOLUTION=${size.width}x${size.height}`] : []),
  ];
  return playlist('#EXT-X-INDEPENDENT-SEGMENTS', `#EXT-X-STREAM-INF:${attributes.join(',')}`, variant);
}

const playlist = (...lines: readonly string[]): string =>
  ['#EXTM3U', `#EXT-X-VERSION:${VERSION}`, ...lines, ''].join('\n');

/** Bits per second; a segment without duration counts as one of a millisecond. */
const bitRate = ({ bytes, duration }: Pick<Segment, 'bytes' | 'duration'>): number =>
  Math.max(1, Math.round((8 * bytes) / Math.max(duration, 0.001)));

/** The codec as players ask for it in the `CODECS` attribute of a playlist (RFC 6381). */
function codecOf({ description, isVideo }: Mp4Track): string {
  const [entry] = boxesIn(description, 8);
  if (!entry) return '';
  const inside = description.subarray(entry.bodyStart + ENTRY_BYTES[isVideo ? 'video' : 'audio'], entry.end);
  const config = (name: string): Buffer => {
    const box = [...boxesIn(inside)].find(({ type }) => type === name);
    return inside.subarray(box?.bodyStart ?? inside.length, box?.end);
  };
  switch (entry.type) {
    case 'avc1':
      return `avc1.${config('avcC').toString('hex', 1, 4)}`;
    case 'mp4a':
      return `mp4a.40.${audioObjectType(config('esds'))}`;
    case 'vp09': {
      const [profile, level, depth = 0] = config('vpcC').subarray(4);
      return `vp09.${two(profile)}.${two(level)}.${two(depth >> 4)}`;
    }
    case 'av01': {
      const [, levels = 0, flags = 0] = config('av1C');
      const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
      return `av01.${levels >> 5}.${two(levels & 31)}${flags & 0x80 ? 'H' : 'M'}.${two(depth)}`;
    }
    case 'Opus':
      return 'opus';
    default:
      return entry.type.trim();
  }
}

const two = (value = 0): string => String(value).padStart(2, '0');

/** 2 is AAC-LC, 5 HE-AAC, 29 HE-AAC v2. */
function audioObjectType(esds: Buffer): number {
  // Descriptors have a tag, a length of one to four bytes, and a body; the one that is needed is the innermost.
  const at = esds.indexOf(DECODER_SPECIFIC, 4 + 3 + 2 + 13);
  if (at < 0) return 2;
  let body = at + 1;
  while ((esds[body] ?? 0) & 0x80) body += 1;
  const type = (esds[body + 1] ?? 0) >> 3;
  return type === 0 ? 2 : type;
}
