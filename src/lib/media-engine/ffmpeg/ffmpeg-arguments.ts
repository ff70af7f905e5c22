import {
  DEMUXERS,
  encoderFormat,
  mixFilters,
  urlOf,
  VIDEO_ENCODER,
  type AudioEncoder,
  type Conversion,
  type EncodedTrack,
  type EncoderSettings,
  type FragmentedCopy,
  type OutputFile,
} from '../engine/media-tool.js';
import { KEY_FRAME_SECONDS } from '../packaging-plan.js';

type Inputs = Conversion['inputs'];

/** What FFmpeg may open: this one file, and only as media. */
const SAFE_INPUT: readonly string[] = ['-protocol_whitelist', 'file,subfile', '-format_whitelist', DEMUXERS];
const QUIET = options('-nostdin -hide_banner -v error -y -nostats -progress pipe:1');
const PLAIN = options('-map_metadata -1 -map_chapters -1');
/** Packets of one track that wait until the first one of another is encoded. */
const QUEUE = options('-max_muxing_queue_size 1000000');
/** Leaves out packets before the beginning. */
const VISIBLE = 'noise=drop=lt(pts\\,0)';
const KEY_FRAMES = `expr:gte(t,n_forced*${KEY_FRAME_SECONDS})`;
/** Seconds; what begins later or ends earlier is padded. */
const UNNOTICED = 0.1;
/** Gaps become silence. */
const CONTINUOUS = 'aresample=async=1';

/** Needed for all but containers of plain samples: the last packet of a truncated file is itself truncated. */
export const WHOLE_PACKETS: readonly string[] = ['-fflags', '+discardcorrupt'];

/** Arguments of ffmpeg that do a conversion. `target` is the path of an output file with this name. */
export function conversionArguments(
  input: readonly string[],
  target: (name: string) => string,
  { inputs, outputs, until, from, frames, together = false }: Conversion,
): string[] {
  const seek = from === undefined ? [] : ['-ss', from.toFixed(3)];
  const end = Number.isFinite(until) ? ['-t', until.toFixed(3)] : [];
  const count = frames === undefined ? [] : ['-frames', String(frames)];
  const files = outputs.map((output, place) => fileArguments(output, inputs, together, `o${place}`));
  const graph = files.map((file) => file.graph).filter(Boolean);
  return [
    ...QUIET,
    ...inputs.flatMap((part) => [...seek, ...input, ...SAFE_INPUT, '-i', urlOf(part)]),
    ...(graph.length > 0 ? ['-filter_complex', graph.join(';')] : []),
    ...files.flatMap(({ args }, place) => {
      const { format, name } = outputs[place] as OutputFile;
      return [...args, ...end, ...count, ...QUEUE, '-f', format, target(name)];
    }),
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

/**
 * How a file is made, whose tracks have names that begin with `prefix`; the graph is for tracks that several inputs or
 * streams are put together for, and empty if there are none.
 */
function fileArguments(
  { tracks, options: muxer }: OutputFile,
  inputs: Inputs,
  together: boolean,
  prefix: string,
): { readonly graph: string; readonly args: readonly string[] } {
  const encoded = tracks.flatMap((track, place) =>
    track.copy ? [] : [{ track, name: `${prefix}t${place}` }],
  );
  const isPlain =
    !together && inputs.length === 1 && encoded.every(({ track }) => track.sources[0]?.length === 1);
  const perTrack = tracks.flatMap((track, place) => {
    if (track.copy) {
      const bitstream = bitstreamArguments(track.fragments, place);
      return ['-map', `0:${track.stream}`, `-c:${place}`, 'copy', ...bitstream];
    }
    const encoder = encoderArguments(track.encoder, place);
    // The rates of what a graph joins may differ.
    if (!isPlain) return ['-map', `[${prefix}t${place}]`, `-fps_mode:${place}`, 'vfr', ...encoder];
    const chain = [track.filters, timing(track), ...padding(track, true)].filter(Boolean).join(',');
    return ['-map', `0:${track.sources[0]?.[0]?.stream}`, `-filter:${place}`, chain, ...encoder];
  });
  const settings = Object.entries(muxer).flatMap(([name, value]) => [`-${name}`, value]);
  return {
    graph: isPlain ? '' : graphOf(encoded, inputs, together),
    args: [...perTrack, ...PLAIN, ...settings],
  };
}

function bitstreamArguments(fragments: FragmentedCopy | undefined, place: number): string[] {
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

function graphOf(
  tracks: readonly { readonly track: EncodedTrack; readonly name: string }[],
  inputs: Inputs,
  together: boolean,
): string {
  const joins = inputs.length > 1 && !together;
  const parts = (joins ? inputs : inputs.slice(0, 1)).flatMap((_, input) =>
    tracks.map(({ track, name }) => {
      const part = together ? mixOf(track, inputs, name) : partOf(track, inputs, input, name);
      return `${part}[${name}i${input}]`;
    }),
  );
  const labels = inputs.flatMap((_, input) => tracks.map(({ name }) => `[${name}i${input}]`));
  const [videos, sounds] = [false, true].map(
    (sound) => tracks.filter(({ track }) => isSound(track) === sound).length,
  );
  const joined = tracks.map(({ name }) => `[${name}j]`);
  const concat = `${labels.join('')}concat=n=${inputs.length}:v=${videos}:a=${sounds}${joined.join('')}`;
  const ends = tracks.map(({ track, name }) => {
    const filters = padding(track, !joins);
    return `[${name}${joins ? 'j' : 'i0'}]${filters.length > 0 ? filters.join(',') : isSound(track) ? 'anull' : 'null'}[${name}]`;
  });
  return [...parts, ...(joins ? [concat] : []), ...ends].join(';');
}

/** Filters that make the part of a track that comes from one input, as long as the input if another one follows. */
function partOf(track: EncodedTrack, inputs: Inputs, input: number, name: string): string {
  const { encoder, filters, sources, span } = track;
  const streams = sources[input] ?? [];
  const [at, next] = [inputs[input]?.at ?? 0, inputs[input + 1]?.at];
  const seconds = Math.max(UNNOTICED, (next ?? span.until) - at).toFixed(6);
  if (!('sampleRate' in encoder)) {
    const [stream] = streams;
    return stream
      ? `[${input}:${stream.stream}]${filters}`
      : `color=c=black:s=${encoder.width}x${encoder.height}:r=${slowRate(seconds)}:d=${seconds},setsar=1,format=yuv420p`;
  }
  const length = next === undefined ? '' : `,apad=whole_dur=${seconds},atrim=end=${seconds}`;
  const silence = `anullsrc=r=${encoder.sampleRate}:cl=${encoder.channels === 1 ? 'mono' : 'stereo'}:d=${seconds},${encoderFormat(encoder)}`;
  const heard = streams.map(({ stream }) => `[${input}:${stream}]${filters},${CONTINUOUS}:first_pts=0`);
  return `${heard.length > 0 ? mixed(heard, encoder, `${name}i${input}`) : silence}${length}`;
}

/** Filters that make a track of inputs that are read together. */
function mixOf({ encoder, filters, sources }: EncodedTrack, inputs: Inputs, name: string): string {
  const heard = sources.flatMap((streams, input) => {
    const at = inputs[input]?.at ?? 0;
    if (!('sampleRate' in encoder)) {
      const cut = at < 0 ? `,trim=start=${(-at).toFixed(6)},setpts=PTS-STARTPTS` : '';
      return streams.map(({ stream }) => `[${input}:${stream}]${filters}${cut}`);
    }
    // `aresample` would keep all of the silence in memory.
    const late = `adelay=delays=${Math.round(at * encoder.sampleRate)}S:all=1`;
    const placed = at < 0 ? `atrim=start=${(-at).toFixed(6)},asetpts=PTS-STARTPTS` : late;
    return streams.map(({ stream }) => `[${input}:${stream}]${filters},${CONTINUOUS}:first_pts=0,${placed}`);
  });
  return 'sampleRate' in encoder ? mixed(heard, encoder, name) : (heard[0] ?? '');
}

/** Puts chains of filters together; `name` begins the names of their ends. */
function mixed(chains: readonly string[], encoder: AudioEncoder, name: string): string {
  if (chains.length === 1) return chains[0] ?? '';
  const labels = chains.map((_, place) => `[${name}m${place}]`);
  const parts = chains.map((chain, place) => `${chain}${labels[place]};`).join('');
  return `${parts}${labels.join('')}${mixFilters(chains.length, encoder)}`;
}

/** A frame rate of about one a second, of which a whole number lasts this long. */
const slowRate = (seconds: string): string =>
  `${Math.ceil(Number(seconds)) * 1e6}/${Math.round(Number(seconds) * 1e6)}`;

/**
 * The filters of a chain of its own, built anew where the audio changes its format: only a track that starts late gets
 * its beginning, or it would be inserted again there.
 */
function timing(track: EncodedTrack): string {
  if (!isSound(track)) return '';
  return track.span.start > 0.02 ? `${CONTINUOUS}:first_pts=0` : CONTINUOUS;
}

function padding(track: EncodedTrack, atBeginning: boolean): string[] {
  const { start, end, until } = track.span;
  if (isSound(track)) return until > end ? [`apad=whole_dur=${until.toFixed(3)}`] : [];
  const [late, early] = [atBeginning && start > UNNOTICED ? start : 0, until - end];
  if (late === 0 && early <= 0) return [];
  const begin = late > 0 ? `start_mode=clone:start_duration=${late.toFixed(3)}:` : '';
  return [
    'setpts=PTS-STARTPTS',
    `tpad=${begin}stop_mode=clone:stop_duration=${Math.max(0, early).toFixed(3)}`,
  ];
}

const isSound = ({ encoder }: EncodedTrack): boolean => 'sampleRate' in encoder;
