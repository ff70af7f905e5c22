import { setImmediate } from 'node:timers/promises';
import { AV_NOPTS_VALUE } from 'node-av/constants';
import { Packet, type Frame, type Stream } from 'node-av/lib';
import type { Conversion, CopiedTrack, OutputTrack, SoundCount } from '../engine/media-tool.js';
import { PacketClock } from '../engine/media-scan.js';
import { TrackDecoder } from './codecs.js';
import { EncodedTrack } from './encoded-track.js';
import { check, present } from './libav-error.js';
import { FileWriter, plain, secondsOf, type MediaInput, type TimeBase } from './media-files.js';

/** The thread that watches this process expects it to return to its event loop regularly. */
const YIELD_MS = 100;
/** Seconds of silence that are encoded at a time. */
const SILENCE = 60;

/** An input that is being read. */
interface Reading {
  readonly input: MediaInput;
  readonly place: number;
  readonly routes: ReadonlyMap<number, Route>;
  readonly clock: PacketClock;
  /** Seconds to add to the times in the input. */
  readonly shift: number;
  /** Seconds of the result that have been read. */
  time: number;
}

/** A stream of an input, and what is made of it. */
interface Route {
  readonly stream: Stream;
  readonly input: number;
  readonly timeBase: TimeBase;
  readonly copies: readonly Copy[];
  readonly encoded: readonly EncodedTrack[];
  readonly decoder: TrackDecoder | null;
  /** The rest is not wanted. */
  ended: boolean;
}

interface Copy extends CopiedTrack {
  readonly writer: FileWriter;
  readonly place: number;
}

/** Does what `MediaTool.convert` says, one input after the other. */
export class Converter implements Disposable {
  private readonly packet = new Packet();
  private readonly copied = new Packet();
  private readonly writers: FileWriter[] = [];
  private readonly copies: Copy[] = [];
  private readonly encoded: EncodedTrack[] = [];
  private readings: readonly Reading[] = [];

  constructor(
    first: MediaInput,
    folder: string,
    private readonly conversion: Conversion,
  ) {
    this.packet.alloc();
    this.copied.alloc();
    for (const output of conversion.outputs) {
      const writer = new FileWriter(folder, output);
      this.writers.push(writer);
      for (const track of output.tracks) this.addTrack(writer, track, first);
      writer.begin();
    }
  }

  /** Takes everything from these inputs, of which the first one is at this place: what comes first in time, first. */
  async run(opened: readonly MediaInput[], first: number): Promise<void> {
    this.readings = opened.map((input, index) => this.begin(input, first + index));
    let yieldedAt = performance.now();
    let reached = 0;
    for (let next = this.earliest(); next; next = this.earliest()) {
      // Hours of silence before the next sound, in steps.
      if (this.conversion.together && next.time - reached > 2 * SILENCE) {
        reached += SILENCE;
        for (const track of this.encoded) track.fillUntil(reached);
      } else if (!isComplete(next) && next.input.read(this.packet)) this.take(next);
      else this.end(next);
      this.packet.unref();
      if (performance.now() - yieldedAt < YIELD_MS) continue;
      await setImmediate();
      yieldedAt = performance.now();
    }
  }

  /** Returns null if no sound was encoded. */
  finish(): SoundCount | null {
    for (const track of this.encoded) track.end();
    for (const writer of this.writers) writer.end();
    // Several tracks are made of the same sound.
    return this.encoded.reduce<SoundCount | null>((most, track) => {
      const count = track.count();
      if (!most || !count) return most ?? count;
      return { decoded: Math.max(most.decoded, count.decoded), lost: Math.max(most.lost, count.lost) };
    }, null);
  }

  [Symbol.dispose](): void {
    for (const { routes } of this.readings)
      for (const { decoder } of routes.values()) decoder?.[Symbol.dispose]();
    for (const track of this.encoded) track[Symbol.dispose]();
    for (const writer of this.writers) writer[Symbol.dispose]();
    this.packet.free();
    this.copied.free();
  }

  private addTrack(writer: FileWriter, track: OutputTrack, first: MediaInput): void {
    if (track.copy) {
      const source = present(first.streams[track.stream], `stream ${track.stream}`);
      this.copies.push({ ...track, writer, place: writer.addTrack((to) => describeCopy(source, to)) });
      return;
    }
    const { frames = Infinity, until, together = false } = this.conversion;
    const source = first.streams[track.sources[0]?.[0]?.stream ?? -1] ?? null;
    this.encoded.push(new EncodedTrack(track, source, writer, { frames, until, together }));
  }

  private begin(input: MediaInput, place: number): Reading {
    const { from, inputs } = this.conversion;
    const routes = new Map<number, Route>();
    for (const track of this.encoded) track.begin(place);
    for (const stream of input.streams) {
      // What is joined is never copied.
      const copies = place > 0 ? [] : this.copies.filter((copy) => copy.stream === stream.index);
      const encoded = this.encoded.filter((track) => track.uses(place, stream.index));
      if (copies.length + encoded.length === 0) continue;
      const decoder = encoded.length > 0 ? new TrackDecoder(stream) : null;
      const timeBase = plain(stream.timeBase);
      routes.set(stream.index, { stream, input: place, timeBase, copies, encoded, decoder, ended: false });
    }
    input.readOnly(new Set(routes.keys()));
    const start = (input.start ?? 0) + (from ?? 0);
    if (from !== undefined) input.seek(start);
    const at = inputs[place]?.at ?? 0;
    return { input, place, routes, clock: new PacketClock(input.format), shift: at - start, time: at };
  }

  private earliest(): Reading | null {
    return this.readings.reduce<Reading | null>(
      (first, reading) => (first && first.time <= reading.time ? first : reading),
      null,
    );
  }

  private end(ended: Reading): void {
    for (const route of ended.routes.values()) {
      route.decoder?.decode(null, (frame) => this.encode(frame, route));
      route.decoder?.[Symbol.dispose]();
    }
    for (const track of this.encoded) track.endInput(ended.place);
    this.readings = this.readings.filter((reading) => reading !== ended);
  }

  private take(reading: Reading): void {
    const { packet } = this;
    const { clock, shift } = reading;
    const route = reading.routes.get(packet.streamIndex);
    if (!route) return;
    const { timeBase } = route;
    const dts = secondsOf(packet.dts, timeBase) ?? secondsOf(packet.pts, timeBase);
    const duration = secondsOf(packet.duration, timeBase) ?? 0;
    const taken = clock.take(packet.streamIndex, dts, duration);
    const time = taken.time + shift;
    reading.time = Math.max(reading.time, time);
    if (time >= this.conversion.until) {
      route.ended = true;
      return;
    }
    if (dts === null) packet.dts = unitsOf(time, timeBase);
    else move(packet, unitsOf(taken.offset + shift, timeBase));
    for (const copy of route.copies) this.copy(copy, timeBase);
    route.decoder?.decode(packet, (frame) => this.encode(frame, route));
    this.conversion.onTime?.(Math.max(0, time));
  }

  private copy({ writer, place, fragments }: Copy, timeBase: TimeBase): void {
    const { packet, copied } = this;
    if (packet.dts === AV_NOPTS_VALUE && packet.pts === AV_NOPTS_VALUE) return;
    if (fragments?.visible && packet.pts < 0n) return;
    check(copied.ref(packet), 'av_packet_ref');
    if (fragments) copied.dts -= unitsOf(fragments.ahead, timeBase);
    writer.write(copied, place, timeBase);
    copied.unref();
  }

  /** Sends the decoded frame to every track made from it. */
  private encode(frame: Frame, { encoded, timeBase, stream, input }: Route): void {
    // What precedes the requested time had to be decoded, because the file was read from the last key frame on.
    if (this.conversion.from !== undefined && frame.pts < 0n) return;
    for (const track of encoded) track.push(input, stream.index, frame, timeBase);
  }
}

const isComplete = ({ routes }: Reading): boolean =>
  [...routes.values()].every(
    ({ ended, copies, encoded }) =>
      ended || (copies.length === 0 && encoded.every((track) => track.isComplete)),
  );

function describeCopy(from: Stream, to: Stream): void {
  check(from.codecpar.copy(to.codecpar), 'avcodec_parameters_copy');
  // The tag is that of the source's container.
  to.codecpar.codecTag = 0;
  to.timeBase = from.timeBase;
  to.sampleAspectRatio = from.sampleAspectRatio;
}

function move(packet: Packet, by: bigint): void {
  if (packet.pts !== AV_NOPTS_VALUE) packet.pts += by;
  if (packet.dts !== AV_NOPTS_VALUE) packet.dts += by;
}

const unitsOf = (seconds: number, { num, den }: TimeBase): bigint =>
  BigInt(Math.round((seconds * den) / num));
