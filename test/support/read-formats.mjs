// Decodes packages completely, as a player would: `node read-formats.mjs
// '[{"playlist":"...","file":"...","source":"..."}]'` prints JSON about the HLS and the single file of each, and how
// much of its source was copied. A child process, as native code and Jest's VM are incompatible.
import { readFileSync } from 'node:fs';
import { AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetCodecName, Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet } from 'node-av/lib';

const result = [];
for (const { playlist, file, source } of JSON.parse(process.argv[2])) {
  const hls = readMedia(playlist);
  result.push({ hls, file: readMedia(file), copied: copiedShares(hls.packets, readFileSync(source)) });
}
for (const { hls, file } of result) for (const media of [hls, file]) delete media.packets;
process.stdout.write(JSON.stringify(result), () => process.exit(0));

function readMedia(path) {
  const input = new FormatContext();
  succeed(input.openInputSync(path), 'open');
  succeed(input.findStreamInfoSync(), 'streams');
  const tracks = input.streams.map(trackOf).filter((track) => track !== null);
  const packet = new Packet();
  packet.alloc();
  for (;;) {
    const code = input.readFrameSync(packet);
    if (code === AVERROR_EOF) break;
    succeed(code, 'packet');
    const track = tracks.find(({ index }) => index === packet.streamIndex);
    if (track) {
      track.packets.push(Buffer.from(packet.data));
      decode(track, packet);
    }
    packet.unref();
  }
  for (const track of tracks) decode(track, null);
  input.closeInputSync();
  const [video, audio] = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].map((type) =>
    tracks.find((track) => track.type === type),
  );
  return {
    video: video
      ? { codec: video.codec, width: video.width, height: video.height, seconds: video.end - video.start }
      : null,
    audio: audio ? { codec: audio.codec, channels: audio.channels, seconds: audio.seconds } : null,
    packets: { video: video?.packets ?? [], audio: audio?.packets ?? [] },
  };
}

function trackOf(stream) {
  const { codecpar, index } = stream;
  const type = codecpar.codecType;
  if (type !== AVMEDIA_TYPE_VIDEO && type !== AVMEDIA_TYPE_AUDIO) return null;
  const codec = Codec.findDecoder(codecpar.codecId);
  const context = new CodecContext();
  context.allocContext3(codec);
  succeed(context.parametersToContext(codecpar), 'parameters');
  context.pktTimebase = stream.timeBase;
  succeed(context.open2Sync(codec, null), 'decoder');
  const { num, den } = stream.timeBase;
  const facts = { type, index, context, unit: num / den, packets: [], seconds: 0, start: Infinity, end: 0 };
  return { ...facts, codec: avGetCodecName(codecpar.codecId), width: 0, height: 0, channels: 0 };
}

/** Null as the packet ends the track. */
function decode(track, packet) {
  const { context } = track;
  succeed(context.sendPacketSync(packet), `decode ${track.codec}`);
  const frame = new Frame();
  frame.alloc();
  for (;;) {
    const code = context.receiveFrameSync(frame);
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) break;
    succeed(code, `decode ${track.codec}`);
    note(track, frame);
    frame.unref();
  }
  frame.free();
}

function note(track, frame) {
  const at = Number(frame.bestEffortTimestamp) * track.unit;
  track.start = Math.min(track.start, at);
  track.end = Math.max(track.end, at + Number(frame.duration) * track.unit);
  if (track.type === AVMEDIA_TYPE_VIDEO)
    return Object.assign(track, { width: frame.width, height: frame.height });
  track.seconds += frame.nbSamples / frame.sampleRate;
  track.channels = frame.channelLayout.nbChannels;
}

/** The share of packets whose bytes are found in the source: near 1 for a copy, 0 for what was encoded. */
function copiedShares(packets, source) {
  const share = (all) => {
    const pieces = all.map((data) => data.subarray(16, 40)).filter(({ length }) => length === 24);
    return pieces.length === 0
      ? null
      : pieces.filter((piece) => source.includes(piece)).length / pieces.length;
  };
  return { video: share(packets.video), audio: share(packets.audio) };
}

function succeed(code, step) {
  FFmpegError.throwIfError(code, step);
}
