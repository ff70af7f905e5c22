import { open, type FileHandle } from 'node:fs/promises';
import { detectFileType, isMediaType, leadingZeros } from '../file-types/file-types.js';
import { HEAD_SIZE } from '../file-types/text-type.js';
import { bytes, type ByteRange } from './containers/byte-range.js';
import { claimedSeconds } from './containers/claimed-seconds.js';
import { readMp4Layouts, type Mp4Layout } from './containers/mp4-layout.js';
import { findSessions } from './containers/sessions.js';
import { requireWithinLimits } from './media-limits.js';
import { UnplayableMediaError } from './media.errors.js';
import type { MediaFacts } from './packaging-plan.js';

/** One of the files that were joined end to end. */
export interface SourceSession extends ByteRange {
  /** Seconds that its header claims, where FFmpeg does not report it. */
  readonly claimedSeconds: number | null;
}

/** What can be read from the bytes of a file before any decoder sees it. */
export interface SourceFile extends Pick<MediaFacts, 'container' | 'fragmented' | 'cut'> {
  /** Nearly always one, the whole file. */
  readonly sessions: readonly SourceSession[];
  /** Media type assuming there is video; `mediaType` corrects it for audio alone. */
  readonly type: string;
}

const HEADER_BYTES = 64 * 1024;
const CONTAINERS: Readonly<Record<string, SourceFile['container']>> = {
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'video/mp2t': 'transport',
};

/** Throws `UnplayableMediaError` if the file is not media or has lost its index. */
export async function inspectSource(path: string): Promise<SourceFile> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) throw new UnplayableMediaError('The file is empty.');
  const inspected = await inspect(file, size);
  requireWithinLimits({ sessions: inspected.sessions.length }, size);
  return inspected;
}

/** `audio/...` for a video container that holds only audio. */
export const mediaType = (source: SourceFile, hasVideo: boolean): string =>
  hasVideo ? source.type : source.type.replace(/^video\//, 'audio/');

async function inspect(file: FileHandle, size: number): Promise<SourceFile> {
  const layouts = await readMp4Layouts(file, size);
  if (layouts) return inspectMp4(layouts);
  const header = await bytes(file, 0, HEADER_BYTES);
  const sessions: SourceSession[] = [];
  for (const range of await findSessions(file, size, header)) {
    const head = sessions.length > 0 ? await bytes(file, range.start, HEADER_BYTES) : header;
    sessions.push({ ...range, claimedSeconds: claimedSeconds(head) });
  }
  const type = await detectFileType(header.subarray(0, HEAD_SIZE), true);
  // A recorder that was started late leaves zeros; FFmpeg looks for audio behind them.
  if (type === null ? leadingZeros(header) < HEAD_SIZE : !isMediaType(type))
    throw new UnplayableMediaError('The file is not an audio or video file.');
  return {
    container: CONTAINERS[type ?? ''] ?? 'other',
    fragmented: false,
    cut: false,
    sessions,
    type: type?.replace('/matroska', '/x-matroska') ?? 'application/octet-stream',
  };
}

/** A file that lost its index is left out if others were joined to it. */
function inspectMp4(layouts: readonly Mp4Layout[]): SourceFile {
  const first = layouts.find(({ hasIndex }) => hasIndex);
  if (!first)
    throw new UnplayableMediaError(
      layouts.some(({ cut }) => cut)
        ? 'The file is truncated: its index (moov) is missing. Upload the complete file.'
        : 'The file has no index (moov): the recording was not finished.',
    );
  if (layouts.some(({ encrypted }) => encrypted))
    throw new UnplayableMediaError('The file is encrypted. Upload an unencrypted copy.');
  return {
    container: first.quickTime ? 'mov' : 'mp4',
    fragmented: first.fragmented,
    cut: layouts.some(({ cut }) => cut),
    sessions: layouts.map(({ range }) => ({ ...range, claimedSeconds: null })),
    type: first.quickTime ? 'video/quicktime' : 'video/mp4',
  };
}
