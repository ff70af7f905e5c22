import { open, type FileHandle } from 'node:fs/promises';
import { detectFileType, HEAD_SIZE, isMediaType, leadingZeros } from '../../platform/file-types/file-type.js';
import { matroskaHeader } from './containers/matroska-header.js';
import type { MediaFacts } from './media-facts.js';
import { riffClaim } from './containers/riff-claim.js';
import { xingClaim } from './containers/xing-claim.js';
import { readMp4Layout } from './containers/mp4-layout.js';
import { UnplayableMediaError } from './unplayable-media.error.js';

/** What can be read from the bytes of a file before any decoder sees it. */
export interface SourceFile {
  readonly container: MediaFacts['container'];
  readonly fragmented: boolean;
  readonly cut: boolean;
  /** Seconds that the header claims, where FFmpeg does not report it. */
  readonly claimedSeconds: number | null;
  /** When the recording began, if the container has a plausible time. */
  readonly startedAt: Date | null;
  /** Media type assuming there is video; `mediaType` corrects it for audio alone. */
  readonly type: string;
}

const HEADER_BYTES = 64 * 1024;
const DAY = 24 * 60 * 60 * 1000;

/** Throws `UnplayableMediaError` if the file is not media or has lost its index. */
export async function inspectSource(path: string): Promise<SourceFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new UnplayableMediaError('The file is empty.');
    return await inspect(file, size);
  } finally {
    await file.close();
  }
}

/** `audio/...` for a video container that holds only audio. */
export function mediaType(source: SourceFile, hasVideo: boolean): string {
  return hasVideo ? source.type : source.type.replace(/^video\//, 'audio/');
}

async function inspect(file: FileHandle, size: number): Promise<SourceFile> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const header = buffer.subarray(0, bytesRead);

  const layout = await readMp4Layout(file, size);
  if (layout) {
    if (!layout.hasIndex) {
      throw new UnplayableMediaError(
        layout.cut
          ? 'The file is truncated: its index (moov) is missing. Upload the complete file.'
          : 'The file has no index (moov): the recording was not finished.',
      );
    }
    if (layout.encrypted)
      throw new UnplayableMediaError('The file is encrypted. Upload an unencrypted copy.');
    const { fragmented, cut, quickTime } = layout;
    const container = quickTime ? 'mov' : 'mp4';
    const type = quickTime ? 'video/quicktime' : 'video/mp4';
    return { container, fragmented, cut, claimedSeconds: null, startedAt: plausible(layout.createdAt), type };
  }

  const matroska = matroskaHeader(header);
  if (matroska) {
    const type = matroska.docType === 'webm' ? 'video/webm' : 'video/x-matroska';
    const startedAt = plausible(matroska.createdAt);
    return { container: 'matroska', fragmented: false, cut: false, claimedSeconds: null, startedAt, type };
  }

  const type = await detectFileType(header.subarray(0, HEAD_SIZE), true);
  // A recorder that was started late leaves zeros; FFmpeg looks for audio behind them.
  if (type === null ? leadingZeros(header) < HEAD_SIZE : !isMediaType(type)) {
    throw new UnplayableMediaError('The file is not an audio or video file.');
  }
  const container = type === 'video/mp2t' ? 'transport' : 'other';
  return {
    container,
    fragmented: false,
    cut: false,
    claimedSeconds: riffClaim(header) ?? xingClaim(header),
    startedAt: null,
    type: type ?? 'application/octet-stream',
  };
}

/** Cameras without a clock write 1904, 1970 or 2036. */
function plausible(date: Date | null): Date | null {
  const time = date?.getTime() ?? Number.NaN;
  return time >= Date.UTC(1971, 0) && time <= Date.now() + DAY ? date : null;
}
