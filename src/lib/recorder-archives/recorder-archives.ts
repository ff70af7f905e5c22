import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { oneLine } from '../text.js';
import { ArchiveError } from './archive.error.js';
import { kindOf, nameIn } from './file-names.js';
import { RECORDERS, type Facts } from './recorders.js';
import { requireFile, unpack, withArchive } from './zip-entries.js';

/** A file of an archive with a track of a meeting, or with several (`.mka` of Jitsi). */
export interface ArchivedTrack {
  /** Its path in the archive. */
  readonly entry: string;
  /** The participant's; empty if unknown. */
  readonly name: string;
  /** Without a manifest, by the name of the file: a `.webm` or `.mp4` counts as video, but may have only audio. */
  readonly kind: 'audio' | 'video' | 'screen';
  /** Seconds from the start of the earliest; null if the archive does not say. */
  readonly offset: number | null;
}

export interface ArchiveLimits {
  readonly tracks: number;
  /** Of one track. */
  readonly bytes: number;
}

const TAKEN =
  'send one from Zoom, Craig, LiveKit, BigBlueButton or Jitsi, or one with an audio or video file for each participant';
const MAX_NAME = 200;
/** Bytes of all files together that say something of the tracks. */
const MAX_TEXT = 32 * 1024 ** 2;
/** What macOS adds. */
const LITTER = /(^|\/)(__MACOSX\/|\._)/;

/**
 * The tracks in a ZIP file of a recorder, in the order of the archive. Throws `ArchiveError`. Hostile archives cost
 * seconds of CPU time, so it must run in a thread (`READ_ARCHIVE`).
 */
export function readArchive(path: string, limits: ArchiveLimits): Promise<readonly ArchivedTrack[]> {
  return withArchive(path, async (entries, archive) => {
    const paths = [...entries.keys()].filter((file) => !LITTER.test(file));
    const media = paths.filter((file) => kindOf(file) !== null);
    let left = MAX_TEXT;
    const texts = async (pattern: RegExp, max: number): Promise<[string, string][]> => {
      const found: [string, string][] = [];
      for (const file of paths.filter((name) => pattern.test(name))) {
        const entry = entries.get(file)!;
        requireFile(entry, Math.min(max, left));
        left -= entry.uncompressedSize;
        found.push([file, await unpack(archive, entry, text)]);
      }
      return found;
    };
    let facts: Facts | undefined;
    for (const recorder of RECORDERS) facts ??= await recorder(media, texts);
    const tracks = media.filter((file) => facts?.get(file) !== null);
    const extra = tracks[limits.tracks];
    if (extra !== undefined)
      throw new ArchiveError(extra, `is one more than the ${limits.tracks} tracks that are accepted`);
    if (tracks.length === 0) throw withoutTracks(media, paths);
    const starts = tracks.map((file) => facts?.get(file)?.offset ?? NaN);
    const earliest = Math.min(...starts.filter(Number.isFinite));
    return tracks.map((file) => {
      requireFile(entries.get(file)!, limits.bytes);
      const { name = nameIn(file), kind = kindOf(file)!, offset } = facts?.get(file) ?? {};
      return {
        entry: file,
        name: oneLine(name, MAX_NAME),
        kind,
        offset: Number.isFinite(offset) ? Math.round((offset! - earliest) * 1000) / 1000 : null,
      };
    });
  });
}

/** Unpacks a track into a new file. Throws `ArchiveError`, and if `signal` is aborted; part of the file may remain. */
export function extractTrack(path: string, entry: string, to: string, signal: AbortSignal): Promise<void> {
  return withArchive(path, async (entries, archive) => {
    const found = entries.get(entry);
    if (!found) throw new ArchiveError(entry, 'is not in the ZIP archive');
    await unpack(archive, found, (stream) =>
      pipeline(stream, createWriteStream(to, { flags: 'wx' }), { signal }),
    );
  });
}

function withoutTracks([mix]: readonly string[], paths: readonly string[]): ArchiveError {
  if (mix !== undefined) return new ArchiveError(mix, `is the mix of all; ${TAKEN}`);
  const inner = paths.find((file) => /\.(zip|7z|rar|tar|gz)$/i.test(file));
  return new ArchiveError(
    inner ?? '',
    `${inner ? 'is itself an archive' : 'has no audio or video'}; ${TAKEN}`,
  );
}
