import {
  DEMUXERS,
  VIDEO_ENCODER,
  type Conversion,
  type EncoderSettings,
  type OutputFile,
  type OutputTrack,
} from '../engine/media-tool.js';
import { KEY_FRAME_SECONDS } from '../packaging-plan.js';

/** What FFmpeg may open: this one file, and only as media. */
const SAFE_INPUT: readonly string[] = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS];
const QUIET = options('-nostdin -hide_banner -v error -y -nostats -progress pipe:1');
const PLAIN = options('-map_metadata -1 -map_chapters -1');
/** Packets of one track that wait until the first one of another is encoded. */
const QUEUE = options('-max_muxing_queue_size 1000000');
/** Leaves out packets before the beginning. */
const VISIBLE = 'noise=drop=lt(pts\\,0)';
const KEY_FRAMES = `expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`;

/** For all but containers of plain samples: the last packet of a truncated file is itself truncated. */
export const WHOLE_PACKETS: readonly string[] = ['-fflags', '+discardcorrupt'];

/** Arguments of ffmpeg that do a conversion. `target` is the path of an output file with this name. */
export function conversionArguments(
  source: string,
  input: readonly string[],
  target: (name: string) => string,
  { outputs, until, from, frames }: Conversion,
): string[] {
  const seek = from === undefined ? [] : ['-ss', from.toFixed(3)];
  const end = Number.isFinite(until) ? ['-t', until.toFixed(3)] : [];
  const count = frames === undefined ? [] : ['-frames', String(frames)];
  return [
    ...QUIET,
    ...seek,
    ...input,
    ...SAFE_INPUT,
    '-i',
    source,
    ...outputs.flatMap((output) => [
      ...outputArguments(output),
      ...end,
      ...count,
      ...QUEUE,
      '-f',
      output.format,
      target(output.name),
    ]),
  ];
}

/** Arguments of ffprobe that print what the header says, as JSON. */
export const headerArguments = (source: string): string[] => [
  ...options('-v error -show_streams -show_format -of json'),
  ...SAFE_INPUT,
  source,
];

/** Arguments of ffprobe that print one line for each packet: stream, pts, dts, duration, flags. */
export const packetArguments = (source: string, input: readonly string[]): string[] => [
  ...options('-v error -show_entries packet=stream_index,pts_time,dts_time,duration_time,flags -of csv=p=0'),
  ...input,
  ...SAFE_INPUT,
  source,
];

function outputArguments({ tracks, options: muxer }: OutputFile): string[] {
  const maps = tracks.flatMap(({ stream }) => ['-map', `0:${stream}`]);
  const settings = Object.entries(muxer).flatMap(([name, value]) => [`-${name}`, value]);
  return [...maps, ...tracks.flatMap(trackArguments), ...PLAIN, ...settings];
}

function trackArguments(track: OutputTrack, place: number): string[] {
  if (track.copy) return [`-c:${place}`, 'copy', ...bitstreamArguments(track.fragments, place)];
  return [`-filter:${place}`, track.filters, ...encoderArguments(track.encoder, place)];
}

function bitstreamArguments(
  fragments: Extract<OutputTrack, { readonly copy: true }>['fragments'],
  place: number,
): string[] {
  const filters = [
    ...(fragments?.visible ? [VISIBLE] : []),
    ...(fragments?.ahead ? [`setts=dts=DTS-${fragments.ahead.toFixed(6)}/TB`] : []),
  ];
  return filters.length > 0 ? [`-bsf:${place}`, filters.join(',')] : [];
}

function encoderArguments(encoder: EncoderSettings, place: number): string[] {
  const codec = [`-c:${place}`, encoder.codec];
  if (encoder.codec === 'aac') return [...codec, `-b:${place}`, String(encoder.bitRate)];
  if (encoder.codec !== 'libx264') return codec;
  const { preset, crf } = VIDEO_ENCODER;
  const quality = [`-preset:${place}`, preset, `-crf:${place}`, crf];
  return [...codec, ...quality, `-force_key_frames:${place}`, KEY_FRAMES];
}

/** Not for arguments that contain a path, which may have spaces. */
function options(text: string): string[] {
  return text.split(' ');
}
