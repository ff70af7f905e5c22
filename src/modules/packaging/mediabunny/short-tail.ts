import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A last segment shorter than this, in seconds, is merged into the previous one. */
const SHORT_SECONDS = 1.5;

/**
 * Merges a short last segment of `media.m3u8` into the previous one. Audio often continues briefly after the video has
 * ended, and a segment with only audio makes players wait for video that never comes.
 */
export async function joinShortTail(folder: string): Promise<void> {
  const path = join(folder, 'media.m3u8');
  const text = await readFile(path, 'utf8');
  const entries = [...text.matchAll(/#EXTINF:([\d.]+),\n([^#\n]+)\n/g)];
  const last = entries.at(-1);
  const before = entries.at(-2);
  if (!last?.[2] || !before?.[2] || Number(last[1]) >= SHORT_SECONDS) return;

  const parts = await Promise.all([before[2], last[2]].map((name) => readFile(join(folder, name))));
  // Each begins with an index of itself alone, which is no longer valid; players do not need it.
  await writeFile(join(folder, before[2]), Buffer.concat(parts.map(withoutIndex)));

  const duration = Number(before[1]) + Number(last[1]);
  const joined = text
    .replace(last[0], '')
    .replace(before[0], `#EXTINF:${+duration.toFixed(6)},\n${before[2]}\n`)
    .replace(
      /#EXT-X-TARGETDURATION:(\d+)/,
      (_line, target) => `#EXT-X-TARGETDURATION:${Math.max(Number(target), Math.ceil(duration))}`,
    );
  await writeFile(path, joined);
  await rm(join(folder, last[2]));
}

/** The boxes from the first fragment on. */
function withoutIndex(segment: Buffer): Buffer {
  let position = 0;
  while (
    position + 8 <= segment.length &&
    segment.toString('latin1', position + 4, position + 8) !== 'moof'
  ) {
    const length = segment.readUInt32BE(position);
    if (length < 8) return segment;
    position += length;
  }
  return segment.subarray(position);
}
