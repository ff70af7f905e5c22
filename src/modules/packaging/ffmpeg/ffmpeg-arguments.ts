import { SAFE_INPUT, type Probe } from './ffmpeg-probe.js';
import { maxDuration } from '../media-limits.js';
import { KEY_FRAME_SECONDS, type PackagingPlan } from '../mediabunny/packaging-plan.js';

const QUIET = options('-nostdin -hide_banner -v error -y');
const PROGRESS = options('-nostats -progress pipe:1');
const PLAIN = options('-map_metadata -1 -map_chapters -1');
const VIDEO_ENCODER = options(
  `-pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 23 -force_key_frames expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`,
);
const AUDIO_BITS_PER_CHANNEL = 64_000;

/** Arguments that write the single file, index first. It may run one second over the limit, which reveals what is too long. */
export function fileArguments(source: string, target: string, found: Probe, plan: PackagingPlan): string[] {
  const video = found.video === null ? [] : [...map(found.video), ...videoArguments(found, plan)];
  const audio = found.audio === null ? [] : [...map(found.audio), ...audioArguments(found, plan)];
  const longest = (maxDuration(found.size.bytes) + 1).toFixed(3);
  const queue = options(`-t ${longest} -max_muxing_queue_size 4096 -movflags +faststart -f mp4`);
  return [...QUIET, ...PROGRESS, ...input(source), ...video, ...audio, ...PLAIN, ...queue, target];
}

/** Arguments that write one frame of exactly this size to standard output, 4 bytes per pixel. */
export function pictureArguments(
  source: string,
  stream: number,
  at: number,
  { width, height }: { width: number; height: number },
): string[] {
  const output = options(`-frames:v 1 -vf scale=${width}:${height} -pix_fmt rgba -f rawvideo pipe:1`);
  return [...QUIET, '-ss', at.toFixed(3), ...input(source), ...map(stream), ...output];
}

/** Arguments that write the audio to standard output as mono 32-bit floats at this sample rate. */
export function pcmArguments(source: string, stream: number, rate: number): string[] {
  return [...QUIET, ...input(source), ...map(stream), ...options(`-ac 1 -ar ${rate} -f f32le pipe:1`)];
}

function videoArguments({ facts }: Probe, { video }: PackagingPlan): string[] {
  if (!video || video.copy) return ['-c:v', 'copy'];
  const filters = [`scale=${video.width}:${video.height}`, 'setsar=1', ...videoPadding(facts)];
  return ['-vf', filters.join(','), ...VIDEO_ENCODER];
}

/** Extends the first frame back to the beginning and the last one to the end of the audio. */
function videoPadding({ video, audio }: Probe['facts']): string[] {
  const late = video?.start ?? 0;
  const early = Math.max(0, (audio?.end ?? 0) - (video?.end ?? Infinity));
  if (late <= 0.1 && early <= 0.1) return [];
  const start = `start_mode=clone:start_duration=${late.toFixed(3)}`;
  return ['setpts=PTS-STARTPTS', `tpad=${start}:stop_mode=clone:stop_duration=${early.toFixed(3)}`];
}

/** Fills gaps, a late start and an early end with silence. */
function audioArguments({ facts }: Probe, { audio }: PackagingPlan): string[] {
  if (!audio || audio.copy) return ['-c:a', 'copy'];
  const end = facts.video?.end ?? 0;
  const filters = ['aresample=async=1:first_pts=0', ...(end > 0 ? [`apad=whole_dur=${end.toFixed(3)}`] : [])];
  const bitRate = AUDIO_BITS_PER_CHANNEL * audio.channels;
  const encoder = options(`-c:a aac -b:a ${bitRate} -ac ${audio.channels} -ar ${audio.sampleRate}`);
  return ['-af', filters.join(','), ...encoder];
}

function input(source: string): string[] {
  // The last packet of a truncated file is itself truncated.
  return [...SAFE_INPUT, '-fflags', '+discardcorrupt', '-i', source];
}

function map(stream: number): string[] {
  return ['-map', `0:${stream}`];
}

/** Not for arguments that contain a path, which may have spaces. */
function options(text: string): string[] {
  return text.split(' ');
}
