import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_NOPTS_VALUE,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
} from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame, type Stream } from 'node-av/lib';
import { VIDEO_ENCODER, type EncoderSettings } from '../engine/media-tool.js';
import { KEY_FRAME_SECONDS } from '../packaging-plan.js';
import { check, present } from './libav-error.js';
import type { TimeBase } from './media-input.js';

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
  private last = AV_NOPTS_VALUE;
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
      context.pixelFormat = settings.codec === 'rawvideo' ? AV_PIX_FMT_RGBA : AV_PIX_FMT_YUV420P;
      if (source) this.describePicture(source);
    } else {
      context.sampleRate = settings.sampleRate;
      context.channelLayout = settings.channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO;
      context.sampleFormat = settings.codec === 'aac' ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16;
      if (settings.codec === 'aac') context.bitRate = BigInt(settings.bitRate);
    }
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_FRAME_DURATION);
    // One for every core.
    context.threadCount = 0;
    // Not as a dictionary: node-av 6.1 frees one that it has opened a codec with twice.
    for (const [name, value] of Object.entries(settings.codec === 'libx264' ? X264 : {})) {
      check(context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'av_opt_set');
    }
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
    const pts = BigInt(Math.round((seconds * this.timeBase.den) / this.timeBase.num));
    if (this.isVideo && this.last !== AV_NOPTS_VALUE && pts <= this.last) return false;
    this.last = pts;
    frame.pts = pts;
    if (!this.isVideo) return true;
    frame.duration = BigInt(
      Math.round((Number(frame.duration) * num * this.timeBase.den) / (den * this.timeBase.num)),
    );
    const isKey = seconds >= this.nextKey;
    if (isKey) this.nextKey = (Math.floor(seconds / KEY_FRAME_SECONDS) + 1) * KEY_FRAME_SECONDS;
    frame.pictType = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    return true;
  }
}
