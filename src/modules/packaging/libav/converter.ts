import { setImmediate } from 'node:timers/promises';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import { Frame, Packet, type Stream } from 'node-av/lib';
import type { Conversion, OutputTrack } from '../engine/media-tool.js';
import { PacketClock } from '../engine/packet-clock.js';
import { FileWriter } from './file-writer.js';
import { FilterChain } from './filter-chain.js';
import { check, present } from './libav-error.js';
import { secondsOf, type MediaInput, type TimeBase } from './media-input.js';
import { TrackDecoder } from './track-decoder.js';
import { TrackEncoder } from './track-encoder.js';

/** The thread that watches this process expects it to return to its event loop regularly. */
const YIELD_MS = 100;

/** A track of a file being written. */
interface Sink {
  readonly writer: FileWriter;
  readonly track: number;
  readonly fragments?: Extract<OutputTrack, { readonly copy: true }>['fragments'];
  readonly encoding: { readonly chain: FilterChain; readonly encoder: TrackEncoder } | null;
  frames: number;
}

/** Does what `MediaTool.convert` says, like FFmpeg's program, with a file or one link of a chained file after another. */
export class Converter {
  private readonly packet = new Packet();
  private readonly copied = new Packet();
  private readonly encoded = new Packet();
  private readonly decoded = new Frame();
  private readonly filtered = new Frame();
  private readonly writers: FileWriter[] = [];
  private readonly sinks = new Map<number, Sink[]>();
  private readonly decoders = new Map<number, TrackDecoder>();
  /** Streams of which the rest is not wanted. */
  private readonly ended = new Set<number>();
  private readonly clock: PacketClock;
  private readonly start: number;

  constructor(
    private input: MediaInput,
    private readonly folder: string,
    private readonly conversion: Conversion,
  ) {
    this.clock = new PacketClock(input.format);
    this.start = (input.start ?? 0) + (conversion.from ?? 0);
    for (const buffer of [this.packet, this.copied, this.encoded, this.decoded, this.filtered])
      buffer.alloc();
    this.open();
  }

  /** Takes everything from an input: the one that it was created with, or one that continues it. */
  async run(input: MediaInput, isLast: boolean): Promise<void> {
    try {
      this.input = input;
      input.readOnly(new Set(this.sinks.keys()));
      this.openDecoders();
      if (this.conversion.from !== undefined) input.seek(this.start);
      await this.readAll();
      for (const [index, decoder] of this.decoders) {
        const timeBase = plain(input.streams[index]?.timeBase ?? { num: 1, den: 1 });
        decoder.decode(null, this.decoded, () => this.encode(this.sinks.get(index) ?? [], timeBase));
      }
      if (isLast) this.finish();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private open(): void {
    for (const output of this.conversion.outputs) {
      const writer = new FileWriter(this.folder, output);
      this.writers.push(writer);
      for (const track of output.tracks) this.addTrack(writer, track);
      writer.begin();
    }
  }

  private addTrack(writer: FileWriter, track: OutputTrack): void {
    const source = present(this.input.streams[track.stream], `stream ${track.stream}`);
    const sinks = this.sinks.get(track.stream) ?? [];
    this.sinks.set(track.stream, sinks);
    if (track.copy) {
      const number = writer.addTrack((to) => describeCopy(source, to));
      sinks.push({ writer, track: number, encoding: null, fragments: track.fragments, frames: 0 });
      return;
    }
    const encoder = new TrackEncoder(track.encoder, source);
    const chain = new FilterChain([track.upright, track.filters].filter(Boolean).join(','));
    const number = writer.addTrack((to) => encoder.describe(to));
    sinks.push({ writer, track: number, encoding: { chain, encoder }, frames: 0 });
  }

  /** Each input has its own: those of a chain differ in their codecs' settings. */
  private openDecoders(): void {
    for (const [index, sinks] of this.sinks) {
      const stream = this.input.streams[index];
      if (!stream || !sinks.some(({ encoding }) => encoding)) continue;
      this.decoders.get(index)?.[Symbol.dispose]();
      this.decoders.set(index, new TrackDecoder(stream));
    }
  }

  private async readAll(): Promise<void> {
    let yieldedAt = performance.now();
    while (!this.isComplete() && this.input.read(this.packet)) {
      this.take(this.packet);
      this.packet.unref();
      if (performance.now() - yieldedAt < YIELD_MS) continue;
      await setImmediate();
      yieldedAt = performance.now();
    }
  }

  private isComplete(): boolean {
    const { frames } = this.conversion;
    if (this.ended.size === this.sinks.size) return true;
    if (frames === undefined) return false;
    return [...this.sinks.values()].flat().every((sink) => sink.frames >= frames);
  }

  private take(packet: Packet): void {
    const sinks = this.sinks.get(packet.streamIndex);
    const stream = this.input.streams[packet.streamIndex];
    if (!sinks || !stream) return;
    const timeBase = plain(stream.timeBase);
    const dts = secondsOf(packet.dts, timeBase) ?? secondsOf(packet.pts, timeBase);
    const duration = secondsOf(packet.duration, timeBase) ?? 0;
    const taken = this.clock.take(packet.streamIndex, dts, duration);
    const time = taken.time - this.start;
    if (time >= this.conversion.until) {
      this.ended.add(packet.streamIndex);
      return;
    }
    if (dts === null) packet.dts = unitsOf(time, timeBase);
    else shift(packet, unitsOf(taken.offset - this.start, timeBase));
    for (const sink of sinks) if (!sink.encoding) this.copy(packet, sink, timeBase);
    this.decoders.get(packet.streamIndex)?.decode(packet, this.decoded, () => this.encode(sinks, timeBase));
    this.conversion.onTime?.(Math.max(0, time));
  }

  private copy(packet: Packet, { writer, track, fragments }: Sink, timeBase: TimeBase): void {
    if (packet.dts === AV_NOPTS_VALUE && packet.pts === AV_NOPTS_VALUE) return;
    if (fragments?.visible && packet.pts < 0n) return;
    check(this.copied.ref(packet), 'av_packet_ref');
    if (fragments) this.copied.dts -= unitsOf(fragments.ahead, timeBase);
    writer.write(this.copied, track, timeBase);
    this.copied.unref();
  }

  /** Sends the decoded frame to every track made from it. */
  private encode(sinks: readonly Sink[], timeBase: TimeBase): void {
    // What precedes the requested time had to be decoded, because the file was read from the last key frame on.
    if (this.conversion.from !== undefined && this.decoded.pts < 0n) return;
    for (const sink of sinks) {
      if (!sink.encoding) continue;
      sink.encoding.chain.push(this.decoded, timeBase);
      this.drain(sink);
    }
  }

  private drain(sink: Sink): void {
    const { encoding } = sink;
    while (encoding?.chain.pull(this.filtered)) {
      if (sink.frames < (this.conversion.frames ?? Infinity)) {
        sink.frames += 1;
        this.send(this.filtered, sink);
      }
      this.filtered.unref();
    }
  }

  private send(frame: Frame | null, { encoding, writer, track }: Sink): void {
    if (!encoding) return;
    const { encoder, chain } = encoding;
    const timed = frame && { frame, timeBase: chain.outputTimeBase };
    encoder.encode(timed, this.encoded, () => writer.write(this.encoded, track, encoder.timeBase));
  }

  private finish(): void {
    for (const sink of [...this.sinks.values()].flat()) {
      sink.encoding?.chain.end();
      this.drain(sink);
      this.send(null, sink);
    }
    for (const writer of this.writers) writer.end();
    this.close();
  }

  private close(): void {
    for (const { encoding } of [...this.sinks.values()].flat()) {
      encoding?.chain[Symbol.dispose]();
      encoding?.encoder[Symbol.dispose]();
    }
    for (const decoder of this.decoders.values()) decoder[Symbol.dispose]();
    for (const writer of this.writers) writer[Symbol.dispose]();
    for (const buffer of [this.packet, this.copied, this.encoded, this.decoded, this.filtered]) buffer.free();
  }
}

function describeCopy(from: Stream, to: Stream): void {
  check(from.codecpar.copy(to.codecpar), 'avcodec_parameters_copy');
  // The tag is that of the source's container.
  to.codecpar.codecTag = 0;
  to.timeBase = from.timeBase;
  to.sampleAspectRatio = from.sampleAspectRatio;
}

function shift(packet: Packet, by: bigint): void {
  if (packet.pts !== AV_NOPTS_VALUE) packet.pts += by;
  if (packet.dts !== AV_NOPTS_VALUE) packet.dts += by;
}

const unitsOf = (seconds: number, { num, den }: TimeBase): bigint =>
  BigInt(Math.round((seconds * den) / num));

const plain = ({ num, den }: TimeBase): TimeBase => ({ num, den });
