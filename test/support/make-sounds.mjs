// Generates recordings whose loudness is known for every quarter of a second: `node make-sounds.mjs LIST`, a file of
// JSON (`Sound` in `sounds.ts`); they are written beside it. A child process, as native code and Jest's VM are
// incompatible.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AV_CHANNEL_LAYOUT_2POINT1,
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_7POINT1,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_QUAD,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLT,
} from 'node-av/constants';
import {
  avGetSampleFmtName,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FilterGraph,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
} from 'node-av/lib';

const LAYOUTS = {
  1: AV_CHANNEL_LAYOUT_MONO,
  2: AV_CHANNEL_LAYOUT_STEREO,
  3: AV_CHANNEL_LAYOUT_2POINT1,
  4: AV_CHANNEL_LAYOUT_QUAD,
  6: AV_CHANNEL_LAYOUT_5POINT1,
  8: AV_CHANNEL_LAYOUT_7POINT1,
};
const TONE = 440;
const FRAME_SAMPLES = 1024;
const FRAME_RATE = 10;
/** Containers that have the codecs' headers in their own. */
const GLOBAL_HEADERS = new Set(['mp4', 'mov', 'ipod', 'matroska', 'webm', 'flv', 'nut']);

Log.setLevel(AV_LOG_QUIET);
const [list] = process.argv.slice(2);
const folder = dirname(list);
for (const sound of JSON.parse(readFileSync(list, 'utf8'))) make(sound);
process.exit(0);

function make({ name, format, muxer = {}, tracks, video }) {
  const isGlobal = GLOBAL_HEADERS.has(format);
  // Some muxers expect audio after video.
  const encoded = [
    ...(video ? [pictures(video, isGlobal)] : []),
    ...tracks.map((track) => tones(track, isGlobal)),
  ];
  const output = new FormatContext();
  succeed(output.allocOutputContext2(null, format, join(folder, name)), 'container');
  for (const { context, metadata } of encoded) {
    const stream = output.newStream();
    succeed(stream.codecpar.fromContext(context), 'parameters');
    stream.timeBase = context.timeBase;
    stream.metadata = Dictionary.fromObject(metadata);
  }
  succeed(output.openOutputSync(), 'open');
  succeed(output.writeHeaderSync(Dictionary.fromObject(muxer)), 'header');
  const packets = encoded.flatMap(({ packets: own, context, from }, index) =>
    own.map((packet) => {
      const { num, den } = context.timeBase;
      const by = BigInt(Math.round((from * den) / num));
      packet.pts += by;
      packet.dts += by;
      return { packet, index, at: (Number(packet.dts) * num) / den };
    }),
  );
  for (const { packet, index } of packets.sort((one, other) => one.at - other.at)) {
    packet.rescaleTs(encoded[index].context.timeBase, output.streams[index].timeBase);
    packet.streamIndex = index;
    succeed(output.interleavedWriteFrameSync(packet), 'packet');
  }
  succeed(output.writeTrailerSync(), 'trailer');
  output.closeOutputSync();
  for (const { context } of encoded) context.freeContext();
}

/**
 * A track of tones: `levels` are their amplitudes in each quarter of a second; `from` is when it begins, in seconds.
 */
function tones({ codec: name, rate, channels, levels, from = 0, title, language }, isGlobal) {
  const codec = Codec.findEncoderByName(name);
  const format = codec.sampleFormats?.[0] ?? AV_SAMPLE_FMT_FLT;
  const layout = LAYOUTS[channels];
  const context = encoderOf(codec, isGlobal, { num: 1, den: rate }, (own) => {
    own.sampleRate = rate;
    own.sampleFormat = format;
    own.channelLayout = layout;
    own.bitRate = BigInt(64_000 * channels);
  });
  const filters = [
    `abuffer@in=time_base=1/${rate}:sample_rate=${rate}:sample_fmt=flt:channel_layout=0x${layout.mask.toString(16)}`,
    `aformat=sample_fmts=${avGetSampleFmtName(format)}`,
    `asetnsamples=n=${context.frameSize || FRAME_SAMPLES}:p=0`,
    'abuffersink@out',
  ];
  const graph = new FilterGraph();
  graph.alloc();
  succeed(graph.parsePtr(filters.join(',')), 'filters');
  succeed(graph.configSync(), 'filters');
  const [source, sink] = [graph.getFilter('abuffer@in'), graph.getFilter('abuffersink@out')];
  const packets = [];
  const filtered = new Frame();
  filtered.alloc();
  const encodeFiltered = () => {
    while (sink.buffersinkGetFrameSync(filtered) >= 0) {
      encode(context, filtered, packets);
      filtered.unref();
    }
  };
  const end = Math.round((levels.length * rate) / 4);
  for (let at = 0; at < end; at += FRAME_SAMPLES) {
    const nbSamples = Math.min(FRAME_SAMPLES, end - at);
    const samples = new Float32Array(nbSamples * channels);
    for (let place = 0; place < nbSamples; place++) {
      const seconds = (at + place) / rate;
      const value = levels[Math.floor(seconds * 4)] * Math.sin(2 * Math.PI * TONE * seconds);
      samples.fill(value, place * channels, (place + 1) * channels);
    }
    const frame = Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
      nbSamples,
      format: AV_SAMPLE_FMT_FLT,
      sampleRate: rate,
      channelLayout: layout,
      timeBase: new Rational(1, rate),
      pts: BigInt(at),
    });
    succeed(source.buffersrcAddFrameSync(frame), 'filter');
    frame.free();
    encodeFiltered();
  }
  succeed(source.buffersrcAddFrameSync(null), 'filter');
  encodeFiltered();
  encode(context, null, packets);
  return { context, packets, from, metadata: { ...(title && { title }), ...(language && { language }) } };
}

/** A grey picture that becomes lighter. */
function pictures({ codec: name, width, height, seconds, from = 0 }, isGlobal) {
  const codec = Codec.findEncoderByName(name);
  const context = encoderOf(codec, isGlobal, { num: 1, den: FRAME_RATE }, (own) => {
    own.width = width;
    own.height = height;
    own.pixelFormat = AV_PIX_FMT_YUV420P;
    own.framerate = new Rational(FRAME_RATE, 1);
    own.gopSize = 2 * FRAME_RATE;
    own.bitRate = 200_000n;
  });
  const packets = [];
  for (let count = 0; count < seconds * FRAME_RATE; count++) {
    const data = Buffer.alloc((width * height * 3) / 2, 128);
    data.fill(40 + count, 0, width * height);
    const frame = Frame.fromVideoBuffer(data, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      timeBase: new Rational(1, FRAME_RATE),
      pts: BigInt(count),
    });
    frame.duration = 1n;
    encode(context, frame, packets);
    frame.free();
  }
  encode(context, null, packets);
  return { context, packets, from, metadata: {} };
}

function encoderOf(codec, isGlobal, { num, den }, configure) {
  const context = new CodecContext();
  context.allocContext3(codec);
  context.timeBase = new Rational(num, den);
  configure(context);
  context.setFlags(AV_CODEC_FLAG_FRAME_DURATION, ...(isGlobal ? [AV_CODEC_FLAG_GLOBAL_HEADER] : []));
  // FFmpeg's encoder of MLP is experimental.
  succeed(context.open2Sync(codec, Dictionary.fromObject({ strict: 'experimental' })), 'encoder');
  return context;
}

/** Null as the frame ends the track. */
function encode(context, frame, packets) {
  succeed(context.sendFrameSync(frame), 'encode');
  for (;;) {
    const packet = new Packet();
    packet.alloc();
    if (context.receivePacketSync(packet) < 0) return packet.free();
    packets.push(packet);
  }
}

function succeed(code, step) {
  FFmpegError.throwIfError(code, step);
}
