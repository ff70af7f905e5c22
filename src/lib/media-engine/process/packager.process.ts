/** Entry point of the child process that packagers run media work in: one request, one reply, then it exits. */
import { stat } from 'node:fs/promises';
import { lowerPriority, lowerPriorityAfter } from '../../processes/priority.js';
import type { MediaTool } from '../engine/media-tool.js';
import { CrashError, UnplayableMediaError } from '../media.errors.js';
import type { ChildMessage, ChildRequest, WorkOptions } from './packager-messages.js';
import { watchProcess } from './watched-process.js';
import { sizeText } from '../../amounts.js';

/**
 * Niceness. Serving requests takes precedence, and packaging goes before transcription, for which audio is extracted. A
 * recording that plays as it is waits only for its inspection, so that goes before conversions, and somebody waits for
 * the transcript of a short one.
 */
const PRIORITIES = {
  package: 5,
  piece: 5,
  converting: 15,
  track: 15,
  mix: 15,
  split: 15,
  audio: 19,
} as const;
/** CPU time after which extracting audio yields to others: that of a few minutes, unless FFmpeg is another process. */
const SHORT_AUDIO_SECONDS = 2;
/** A normal file takes a fifth of this; a hostile one must not exhaust the machine. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;
const MEMORY_CHECK_MS = 1000;
const PROGRESS_MS = 200;
const MAX_REASON = 1_000;

const [hangSeconds = 0, cpuSeconds = 0] = process.argv.slice(2).map(Number);
watchProcess(hangSeconds);
// The worker has died.
process.once('disconnect', () => process.exit(1));
process.once('message', (request: ChildRequest) => void answer(request));
setInterval(() => {
  if (process.memoryUsage.rss() < MAX_MEMORY_BYTES) return;
  finish({
    kind: 'unplayable',
    message: `Processing the file needs more than ${sizeText(MAX_MEMORY_BYTES)} of memory, which is the limit.`,
  });
}, MEMORY_CHECK_MS).unref();

async function answer(request: ChildRequest): Promise<void> {
  if (request.task === 'audio' && request.ffmpeg === undefined) {
    lowerPriority(PRIORITIES.package);
    if (!request.isAwaited) lowerPriorityAfter(SHORT_AUDIO_SECONDS, PRIORITIES.audio);
  } else lowerPriority(PRIORITIES[request.task]);
  try {
    finish(await work(request));
  } catch (error) {
    // As if the program were a part of this process: the parent tries once more.
    if (error instanceof CrashError) return void process.kill(process.pid, error.signal);
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
    if (error instanceof UnplayableMediaError) finish({ kind: 'unplayable', message });
    else if (isMachineAtFault(error)) finish({ kind: 'failed', message });
    else finish({ kind: 'unplayable', message: `The file cannot be processed: ${message}` });
  }
}

/** Only then does a retry make sense: FFmpeg and the image library would fail with the same file in the same way. */
function isMachineAtFault(error: unknown): boolean {
  const { mayPass, code } = error as { readonly mayPass?: boolean; readonly code?: unknown };
  return mayPass ?? typeof code === 'string';
}

/** The codecs and the image library are loaded only when needed. */
async function work(request: ChildRequest): Promise<ChildMessage> {
  const tool = await openTool(request);
  const options: WorkOptions = {
    onProgress: progress(),
    onInspected: (found) => {
      send({ kind: 'inspected-media', found });
      lowerPriority(PRIORITIES.converting);
    },
  };
  if (request.task === 'package') {
    const { writePackage } = await import('../engine/write-package.js');
    return { kind: 'package', made: await writePackage(request, tool, options) };
  }
  if (request.task === 'track') {
    const { writeTrack } = await import('../tracks/write-track.js');
    return { kind: 'track', made: await writeTrack(request, tool, options) };
  }
  if (request.task === 'mix') {
    const { writeMix } = await import('../tracks/write-mix.js');
    return { kind: 'mix', made: await writeMix(request, tool, options) };
  }
  if (request.task === 'split') {
    const { writeVoices } = await import('../tracks/write-voices.js');
    return { kind: 'split', voices: await writeVoices(request, tool, options) };
  }
  const { writeAudio, writePiece } = await import('../audio/write-audio.js');
  if (request.task === 'piece') return { kind: 'piece', piece: await writePiece(request, tool) };
  return { kind: 'audio', files: await writeAudio(request, tool, options) };
}

async function openTool({ ffmpeg, source, folder }: ChildRequest): Promise<MediaTool> {
  if (ffmpeg === undefined) {
    const { LibavTool } = await import('../libav/libav.tool.js');
    return new LibavTool(folder);
  }
  const { FfmpegTool } = await import('../ffmpeg/ffmpeg.tool.js');
  return new FfmpegTool(folder, ffmpeg, { bytes: (await stat(source)).size, cpuSeconds });
}

/** Reports progress to the parent, at a limited rate. */
function progress(): (fraction: number) => void {
  let sentAt = 0;
  let highest = 0;
  return (fraction) => {
    highest = Math.max(highest, fraction);
    if (Date.now() - sentAt < PROGRESS_MS && fraction < 1) return;
    sentAt = Date.now();
    send({ kind: 'progress', fraction: highest });
  };
}

function finish(message: ChildMessage): void {
  // Decoders may keep the process alive, but the result is complete.
  send(message, () => process.exit(0));
}

function send(message: ChildMessage, then?: () => void): void {
  process.send?.(message, undefined, undefined, then);
}
