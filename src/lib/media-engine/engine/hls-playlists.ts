import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PLAYLIST } from '../package-files.js';
import { HLS_FILE } from './conversions.js';
import { indexFragments, type HlsIndex, type Segment } from './hls-index.js';
import type { MadeMedia } from './missing-media.js';

const MEDIA_PLAYLIST = 'media.m3u8';
/** The version that has `EXT-X-BYTERANGE` and fragments in MP4 (RFC 8216, section 7). */
const VERSION = 7;

/**
 * Writes the playlists for a file of fragments, which will be `HLS_FILE` next to them. The segments are ranges of that
 * one file: a store gets three objects for each recording, however long it is.
 */
export async function writePlaylists(fragments: string, folder: string): Promise<MadeMedia> {
  const index = await indexFragments(fragments);
  const hls = join(folder, dirname(PLAYLIST));
  await mkdir(hls, { recursive: true });
  await writeFile(join(hls, MEDIA_PLAYLIST), mediaPlaylist(index));
  await writeFile(join(folder, PLAYLIST), multivariantPlaylist(index));
  return madeMedia(index);
}

function madeMedia({ tracks, ends, duration }: HlsIndex): MadeMedia {
  const endOf = (isVideo: boolean) => {
    const track = tracks.find(({ size }) => (size !== null) === isVideo);
    return track ? (ends.get(track.id) ?? 0) : null;
  };
  return { duration, video: endOf(true), audio: endOf(false) };
}

function mediaPlaylist({ headerBytes, segments }: HlsIndex): string {
  // At least 1: players take 0 for a mistake, and a recording may be shorter than half a second.
  const target = Math.max(1, ...segments.map(({ duration }) => Math.ceil(duration)));
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${HLS_FILE}",BYTERANGE="${headerBytes}@0"`,
    ...segments.flatMap(({ position, bytes, duration }) => [
      `#EXTINF:${+duration.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${bytes}@${position}`,
      HLS_FILE,
    ]),
    '#EXT-X-ENDLIST',
  ];
  return `${lines.join('\n')}\n`;
}

function multivariantPlaylist({ tracks, segments, duration }: HlsIndex): string {
  const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const size = tracks.find((track) => track.size !== null)?.size;
  const attributes = [
    `BANDWIDTH=${Math.max(1, ...segments.map(bitRate))}`,
    `AVERAGE-BANDWIDTH=${bitRate({ bytes: total, duration })}`,
    `CODECS="${tracks.map(({ codec }) => codec).join(',')}"`,
    ...(size ? [`RESOLUTION=${size.width}x${size.height}`] : []),
  ];
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${VERSION}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-STREAM-INF:${attributes.join(',')}`,
    MEDIA_PLAYLIST,
  ];
  return `${lines.join('\n')}\n`;
}

/** Bits per second; a segment without duration counts as one of a millisecond. */
function bitRate({ bytes, duration }: Pick<Segment, 'bytes' | 'duration'>): number {
  return Math.max(1, Math.round((8 * bytes) / Math.max(duration, 0.001)));
}
