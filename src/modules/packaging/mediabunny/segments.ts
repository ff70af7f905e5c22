import { audioFacts, openInput, primaryTracks, sizeOf, videoFacts } from './mediabunny-facts.js';
import { fraction, writeHls } from './mediabunny-outputs.js';
import type { WorkOptions } from '../process/packager-messages.js';
import type { PackageRequest } from '../packager.js';
import { COPY_ALL, startOf } from './packaging-plan.js';

/** Writes the HLS for an MP4 whose packets can be copied; returns its duration in seconds, 0 if it is empty. */
export async function makeSegments(
  { source, folder }: PackageRequest,
  { onProgress, onSize }: WorkOptions,
): Promise<number> {
  const input = openInput(source);
  try {
    const tracks = await primaryTracks(input);
    const size = await sizeOf(input, tracks);
    onSize(size);
    const video = tracks.video && (await videoFacts(tracks.video));
    const audio = tracks.audio && (await audioFacts(tracks.audio));
    const length = Math.max(video?.end ?? 0, audio?.end ?? 0);
    const start = startOf({ video, audio }, COPY_ALL);
    const onStep = (time: number) => onProgress(fraction(time, length));
    return await writeHls(folder, { tracks, plan: COPY_ALL, bytes: size.bytes, start, onStep });
  } finally {
    input.dispose();
  }
}
