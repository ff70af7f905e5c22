import { singleFile } from '../engine/conversions.js';
import type { MediaTool, OutputFile, ProbedStream } from '../engine/media-tool.js';
import { SourceMedia, type MediaTracks, type Session } from '../engine/source-media.js';
import { factsOf, readPlayed } from '../engine/write-package.js';
import { MEDIA_LIMITS } from '../media-limits.js';
import { UnplayableMediaError } from '../media.errors.js';
import { plan } from '../packaging-plan.js';
import type { MixedFile, MixRequest, WorkOptions } from '../process/packager-messages.js';
import type { SourceFile } from '../source-file.js';
import { durationText } from '../../amounts.js';

/** Files, and parts of files that were joined: each of them is open, and has a decoder. */
const MAX_INPUTS = 200;
/** Seconds. A picture that is further from the beginning is encoded anew, or its first and last frame would not be held. */
const UNNOTICED = 0.02;

/** Creates one file of several; throws as `mixTracks` does. */
export async function writeMix(
  { source, others = [], offsets, hasPicture }: MixRequest,
  tool: MediaTool,
  { onProgress }: WorkOptions,
): Promise<MixedFile> {
  const sessions: Session[] = [];
  const heard = new Map<Session, readonly ProbedStream[]>();
  const pictures = new Set<Session>();
  let file: SourceFile | null = null;
  for (const [place, path] of [source, ...others].entries()) {
    const read = await readPlayed(tool, path);
    const offset = offsets[place] ?? 0;
    const isPicture = hasPicture && place === 0;
    file ??= isPicture && Math.abs(offset) > UNNOTICED ? { ...read.file, container: 'other' } : read.file;
    for (const session of read.media.moved(offset).sessions) {
      sessions.push(session);
      if (isPicture) pictures.add(session);
      else heard.set(session, read.sound.select(session));
    }
  }
  if (sessions.length > MAX_INPUTS)
    throw new UnplayableMediaError(
      `The tracks consist of ${sessions.length} files, joined ones included; the limit is ${MAX_INPUTS}.`,
    );
  const end = Math.max(...sessions.map(({ at, scan }) => at + scan.end));
  if (end > MEDIA_LIMITS.duration)
    throw new UnplayableMediaError(
      `Together, the tracks last ${durationText(end)}; the limit is ${durationText(MEDIA_LIMITS.duration)}.`,
    );
  const media = new SourceMedia(sessions, end, null);
  const tracks = {
    video: media.trackOf((session) => (pictures.has(session) && session.video ? [session.video] : [])),
    audio: media.trackOf((session) => heard.get(session) ?? []),
  };
  const output = encodedFile(file as SourceFile, media, tracks);
  const onTime = (seconds: number) => onProgress(media.doneAt(seconds));
  await tool.convert({
    inputs: media.inputs,
    together: true,
    outputs: [output],
    until: media.stopAt(Infinity),
    onTime,
  });
  onProgress(1);
  return { path: output.name, duration: end };
}

/** One file of tracks that are read together: the sound is always encoded. */
export function encodedFile(file: SourceFile, media: SourceMedia, tracks: MediaTracks): OutputFile {
  const facts = { ...factsOf(file, media, tracks), joined: file.sessions.length > 1, mute: [] };
  const planned = plan({ ...facts, audio: facts.audio && { ...facts.audio, tracks: 'mix' } });
  return singleFile(tracks, facts, planned, tracks.video ? 'video.mp4' : 'audio.m4a');
}
