import { AV_NOPTS_VALUE, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Frame, type Packet, type Stream } from 'node-av/lib';
import { check, LibavError, present } from './libav-error.js';
import { plain, type TimeBase } from './media-input.js';

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
    if (sent === AVERROR_EAGAIN) {
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
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
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
    if (frame.bestEffortTimestamp !== AV_NOPTS_VALUE) frame.pts = frame.bestEffortTimestamp;
    else if (this.next !== null) frame.pts = BigInt(Math.round(this.next));
    const at = frame.bestEffortTimestamp === AV_NOPTS_VALUE ? this.next : Number(frame.pts);
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
