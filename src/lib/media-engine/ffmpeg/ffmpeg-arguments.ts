import {
  DEMUXERS,
  urlOf,
  VIDEO_ENCODER,
  type Conversion,
  type CopiedTrack,
  type EncoderSettings,
  type OutputFile,
  type OutputTrack,
} from '../engine/media-tool.js';
import { KEY_FRAME_SECONDS } from '../packaging-plan.js';
import { outputFilters, type OutputFilters } from './filter-graph.js';

/** What FFmpeg may open: this one file, and only as media. */
const SAFE_INPUT: readonly string[] = ['-protocol_whitelist', 'file,subfile', '-format_whitelist', DEMUXERS];
const QUIET = options('-nostdin -hide_banner -v error -y -nostats -progress pipe:1');
const PLAIN = options('-map_metadata -1 -map_chapters -1');
/** Packets of one track that wait until the first one of another is encoded. */
const QUEUE = options('-max_muxing_queue_size 1000000');
/** Leaves out packets before the beginning. */
const VISIBLE = 'noise=drop=lt(pts\\,0)';
const KEY_FRAMES = `expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`;

/** Needed for all but containers of plain samples: the last packet of a truncated file is itself truncated. */
export const WHOLE_PACKETS: readonly string[] = ['-fflags', '+discardcorrupt'];

/** Arguments of ffmpeg that do a conversion. `target` is the path of an output file with this name. */
export function conversionArguments(
  input: readonly string[],
  target: (name: string) => string,
  { inputs, outputs, until, from, frames }: Conversion,
): string[] {
  const seek = from === undefined ? [] : ['-ss', from.toFixed(3)];
  const end = Number.isFinite(until) ? ['-t', until.toFixed(3)] : [];
  const count = frames === undefined ? [] : ['-frames', String(frames)];
  const filters = outputs.map((output, place) => outputFilters(output, inputs, place));
  const graph = filters.map((output) => output.graph).filter(Boolean);
  return [
    ...QUIET,
    ...inputs.flatMap((part) => [...seek, ...input, ...SAFE_INPUT, '-i', urlOf(part)]),
    ...(graph.length > 0 ? ['-filter_complex', graph.join(';')] : []),
    ...outputs.flatMap((output, place) => [
      ...outputArguments(output, filters[place]?.tracks ?? []),
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

function outputArguments({ tracks, options: muxer }: OutputFile, filters: OutputFilters['tracks']): string[] {
  const maps = filters.flatMap(({ map }) => ['-map', map]);
  const settings = Object.entries(muxer).flatMap(([name, value]) => [`-${name}`, value]);
  const perTrack = tracks.flatMap((track, place) =>
    trackArguments(track, filters[place]?.chain ?? '', place),
  );
  return [...maps, ...perTrack, ...PLAIN, ...settings];
}

function trackArguments(track: OutputTrack, chain: string, place: number): string[] {
  if (track.copy) return [`-c:${place}`, 'copy', ...bitstreamArguments(track.fragments, place)];
  // The rates of what a graph joins may differ.
  const filters = chain ? [`-filter:${place}`, chain] : [`-fps_mode:${place}`, 'vfr'];
  return [...filters, ...encoderArguments(track.encoder, place)];
}

function bitstreamArguments(fragments: CopiedTrack['fragments'], place: number): string[] {
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
