import * as av from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { VIDEO_ENCODER, type EncoderSettings } from '../engine/media-tool.js';
import { KEY_FRAME_SECONDS } from '../packaging-plan.js';
import { check, LibavError, present } from './libav-error.js';
import { plain, type TimeBase } from './media-files.js';

/** A decoder returns one error for each damaged packet that it holds, and then goes on. */
const MAX_DAMAGES = 1_000;

/** Decodes the packets of one stream; damaged ones are left out. */
export class TrackDecoder implements Disposable {
  readonly timeBase: TimeBase;
  private readonly context = new CodecContext();
  private readonly frame = new Frame();
  /** When the next frame begins, in units of the time base; null before the first one. */
  private next: number | null = null;

  constructor({ codecpar, timeBase }: Stream) {
    this.timeBase = plain(timeBase);
    const codec = present(Codec.findDecoder(codecpar.codecId), 'decoder');
    this.frame.alloc();
    this.context.allocContext3(codec);
    check(this.context.parametersToContext(codecpar), 'avcodec_parameters_to_context');
    this.context.pktTimebase = timeBase;
    // One for every core.
    this.context.threadCount = 0;
    check(this.context.open2Sync(codec), 'avcodec_open2');
  }

  /** Sends a packet, or null at the end; `onFrame` gets every frame that is complete, with its time in `pts`. */
  decode(packet: Packet | null, onFrame: (frame: Frame) => void): void {
    let sent = this.context.sendPacketSync(packet);
    if (sent === av.AVERROR_EAGAIN) {
      this.receive(onFrame);
      sent = this.context.sendPacketSync(packet);
    }
    if (sent < 0) requireMediaAtFault(sent, 'avcodec_send_packet');
    this.receive(onFrame);
  }

  private receive(onFrame: (frame: Frame) => void): void {
    const { frame } = this;
    for (let damages = 0; damages < MAX_DAMAGES;) {
      const result = this.context.receiveFrameSync(frame);
      if (result === av.AVERROR_EAGAIN || result === av.AVERROR_EOF) return;
      if (result < 0) {
        requireMediaAtFault(result, 'avcodec_receive_frame');
        damages += 1;
        continue;
      }
      this.giveTime(frame);
      onFrame(frame);
      frame.unref();
    }
  }

  /** Only the first of several frames in a packet has a time: the others follow it. */
  private giveTime(frame: Frame): void {
    const { num, den } = this.timeBase;
    if (frame.bestEffortTimestamp !== av.AV_NOPTS_VALUE) frame.pts = frame.bestEffortTimestamp;
    else if (this.next !== null) frame.pts = BigInt(Math.round(this.next));
    const at = frame.bestEffortTimestamp === av.AV_NOPTS_VALUE ? this.next : Number(frame.pts);
    const duration = frame.isAudio()
      ? (frame.nbSamples * den) / (frame.sampleRate * num)
      : Number(frame.duration);
    this.next = at === null ? null : at + duration;
  }

  [Symbol.dispose](): void {
    this.context.freeContext();
    this.frame.free();
  }
}

function requireMediaAtFault(result: number, call: string): void {
  const error = new LibavError(call, result);
  if (error.mayPass) throw error;
}

/** Fine enough for every frame rate. */
const VIDEO_TICKS = 90_000;
const X264: Readonly<Record<string, string>> = { ...VIDEO_ENCODER, 'forced-idr': '1' };

interface TimedFrame {
  readonly frame: Frame;
  readonly timeBase: TimeBase;
}

export class TrackEncoder implements Disposable {
  readonly timeBase: TimeBase;
  private readonly context = new CodecContext();
  private readonly packet = new Packet();
  private readonly isVideo: boolean;
  private last = av.AV_NOPTS_VALUE;
  private nextKey = 0;

  /** `source` gives the colours and the frame rate, which filters do not change. */
  constructor(settings: EncoderSettings, source: Stream | null) {
    const codec = present(Codec.findEncoderByName(settings.codec as never), `encoder ${settings.codec}`);
    this.isVideo = 'width' in settings;
    this.timeBase = { num: 1, den: 'width' in settings ? VIDEO_TICKS : settings.sampleRate };
    const { context } = this;
    this.packet.alloc();
    context.allocContext3(codec);
    context.timeBase = new Rational(this.timeBase.num, this.timeBase.den);
    if ('width' in settings) {
      context.width = settings.width;
      context.height = settings.height;
      context.pixelFormat = settings.codec === 'rawvideo' ? av.AV_PIX_FMT_RGBA : av.AV_PIX_FMT_YUV420P;
      if (source) this.describePicture(source);
    } else {
      context.sampleRate = settings.sampleRate;
      context.channelLayout =
        settings.channels === 1 ? av.AV_CHANNEL_LAYOUT_MONO : av.AV_CHANNEL_LAYOUT_STEREO;
      context.sampleFormat = settings.codec === 'aac' ? av.AV_SAMPLE_FMT_FLTP : av.AV_SAMPLE_FMT_S16;
      if (settings.codec === 'aac') context.bitRate = BigInt(settings.bitRate);
    }
    context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER, av.AV_CODEC_FLAG_FRAME_DURATION);
    // One for every core.
    context.threadCount = 0;
    // Not as a dictionary: node-av 6.1 frees one that it has opened a codec with twice.
    for (const [name, value] of Object.entries(settings.codec === 'libx264' ? X264 : {}))
      check(context.setOption(name, value, av.AV_OPT_TYPE_STRING, av.AV_OPT_SEARCH_CHILDREN), 'av_opt_set');
    check(context.open2Sync(codec), 'avcodec_open2');
  }

  private describePicture({ codecpar, avgFrameRate }: Stream): void {
    const { context } = this;
    if (avgFrameRate.num > 0 && avgFrameRate.den > 0) context.framerate = avgFrameRate;
    context.colorSpace = codecpar.colorSpace;
    context.colorPrimaries = codecpar.colorPrimaries;
    context.colorTrc = codecpar.colorTrc;
    context.colorRange = codecpar.colorRange;
  }

  /** Describes the track in a file that has not been begun. */
  describe(stream: Stream): void {
    check(stream.codecpar.fromContext(this.context), 'avcodec_parameters_from_context');
    stream.timeBase = this.context.timeBase;
  }

  /** Encodes a frame, or null at the end; `onPacket` gets every packet that is complete. */
  encode(timed: TimedFrame | null, onPacket: (packet: Packet) => void): void {
    const { packet } = this;
    if (timed && !this.prepare(timed)) return;
    check(this.context.sendFrameSync(timed?.frame ?? null), 'avcodec_send_frame');
    while (this.context.receivePacketSync(packet) >= 0) {
      onPacket(packet);
      packet.unref();
    }
  }

  [Symbol.dispose](): void {
    this.context.freeContext();
    this.packet.free();
  }

  /** Returns false for a picture that no player would show, because another one has the same time. */
  private prepare({ frame, timeBase: { num, den } }: TimedFrame): boolean {
    const seconds = (Number(frame.pts) * num) / den;
    const pts = this.ticks(seconds);
    if (this.isVideo && this.last !== av.AV_NOPTS_VALUE && pts <= this.last) return false;
    this.last = pts;
    frame.pts = pts;
    if (!this.isVideo) return true;
    frame.duration = this.ticks((Number(frame.duration) * num) / den);
    const isKey = seconds >= this.nextKey;
    if (isKey) this.nextKey = (Math.floor(seconds / KEY_FRAME_SECONDS) + 1) * KEY_FRAME_SECONDS;
    frame.pictType = isKey ? av.AV_PICTURE_TYPE_I : av.AV_PICTURE_TYPE_NONE;
    return true;
  }

  private ticks(seconds: number): bigint {
    return BigInt(Math.round((seconds * this.timeBase.den) / this.timeBase.num));
  }
}
