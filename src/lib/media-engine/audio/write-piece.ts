import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteRange } from '../containers/byte-range.js';
import { entryPoints, type EntryPoint } from '../containers/entry-points.js';
import type { MediaTool } from '../engine/media-tool.js';
import { readSource, trackOf } from '../engine/source-media.js';
import { MAX_ENTRY_POINTS, type ExtractedPiece, type PieceRequest } from '../process/packager-messages.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { AUDIO_FILE, AUDIO_RATE, SAMPLE_BYTES } from './audio-format.js';
import { labelledTracks, streamsOf } from './choose-sound.js';
import { relationOf } from './who-speaks.js';
import { requireSound, writeTrack } from './write-audio.js';

/**
 * Writes up to `seconds` of the audio of a file that is not complete yet, of which the bytes before `from` are missing
 * but for the header: the mix of all that may be people, because who speaks shows only in the whole. Nothing if there is
 * no more than a header. Throws `UnplayableMediaError` as `writeAudio` does.
 */
export async function writePiece(
  { source, folder, from, seconds }: PieceRequest,
  tool: MediaTool,
): Promise<ExtractedPiece> {
  const { size } = await stat(source);
  const points = await entryPointsOf(source, { start: from, end: size });
  if (points.length === 0) return { start: 0, duration: 0, isCut: false, entryPoints: points };
  const whole = { start: 0, end: size, claimedSeconds: null };
  const media = await readSource(tool, { path: source, sessions: [whole] }, size);
  requireSound(media);
  const tracks = labelledTracks(media);
  const isMixed = relationOf(tracks) !== 'primary';
  const track = trackOf(media, streamsOf(isMixed ? tracks : tracks.filter(({ primary }) => primary)));
  if (!track) throw new UnplayableMediaError('The recording has no audio.');
  await writeTrack(tool, { media, track, names: [AUDIO_FILE], until: Math.min(media.end, seconds) });
  const { size: bytes } = await stat(join(folder, AUDIO_FILE));
  return {
    start: media.sessions[0]?.probed.start ?? 0,
    duration: bytes / SAMPLE_BYTES / AUDIO_RATE,
    isCut: media.end > seconds,
    entryPoints: points,
  };
}

async function entryPointsOf(source: string, range: ByteRange): Promise<readonly EntryPoint[]> {
  await using file = await open(source);
  const found: EntryPoint[] = [];
  for await (const point of entryPoints(file, range)) {
    found.push(point);
    if (found.length === MAX_ENTRY_POINTS) break;
  }
  return found;
}
