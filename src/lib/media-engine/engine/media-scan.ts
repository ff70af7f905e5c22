import { maxDuration, requireWithinLimits, tooLong } from '../media-limits.js';
import type { MediaPart, MediaTool, ProbedMedia, ProbedStream, ScannedPacket } from './media-tool.js';

/** Distinct durations of packets that are counted. */
const MAX_DURATIONS = 1_000;
/** A packet that claims to last this many times as long as the others includes a pause. */
const PAUSE = 2;
/** Seconds. A longer jump is damage, and the recording ends before it. */
const MAX_JUMP = 12 * 60 * 60;

/** What the packets of a track say; times are in seconds from the start of the file, as players count them. */
export interface TrackScan {
  readonly packets: number;
  /** Seconds that its packets add up to, without what an edit list hides and without pauses. */
  readonly sound: number;
  /** First presentation time; negative where an edit list hides the beginning. */
  readonly start: number;
  readonly end: number;
  /** Seconds that the last packet lasts. */
  readonly interval: number;
  /** Seconds between decoding and presentation of the first packet: the delay of B-frames. */
  readonly delay: number;
  /** Longest interval between two key frames. */
  readonly keyFrameGap: number;
}

/** What a file contains, whatever its header says. */
export interface MediaScan {
  /** Tracks by the index of their stream; none for one without packets. */
  readonly tracks: ReadonlyMap<number, TrackScan>;
  /** End of the track that ends last. */
  readonly end: number;
}

/** Reads every packet of these streams. Throws `UnplayableMediaError` if they last longer than the file may. */
export async function scanMedia(
  tool: MediaTool,
  part: MediaPart,
  probed: ProbedMedia,
  streams: readonly ProbedStream[],
  bytes: number,
): Promise<MediaScan> {
  const clock = new PacketClock(probed.format);
  const scans = new Map(streams.map(({ index }) => [index, new RunningScan(bytes)]));
  await tool.scan(part, [...scans.keys()], (packet) => {
    const { time, offset } = clock.take(packet.stream, packet.dts ?? packet.pts, packet.duration);
    const at = packet.pts === null ? time : packet.pts + offset;
    scans.get(packet.stream)?.add(packet, at - probed.start);
  });
  const tracks = new Map<number, TrackScan>();
  for (const [index, scan] of scans) {
    const result = scan.result();
    if (result) tracks.set(index, result);
  }
  const end = Math.max(0, ...[...tracks.values()].map((track) => track.end));
  if (end > maxDuration(bytes)) throw tooLong(bytes);
  return { tracks, end };
}

/** Containers whose clock may begin anew: where files were joined, or where a broadcast or a chained Ogg continues. */
const RESTARTING = new Set(['ogg', 'mpegts', 'mpeg']);
/** Seconds; the same as in FFmpeg's program (`-dts_delta_threshold`, and a tenth of a second backwards). */
const FORWARDS = 10;
const BACKWARDS = 0.1;

/** Undoes jumps of a container's clock, as FFmpeg's program does: what follows a jump continues what precedes it. */
export class PacketClock {
  private readonly restarts: boolean;
  private readonly next = new Map<number, number>();
  private offset = 0;

  /** `format` has FFmpeg's names of the container. */
  constructor(format: string) {
    this.restarts = format.split(',').some((name) => RESTARTING.has(name));
  }

  /**
   * Decoding time of a packet, and the seconds to add to its times. Packets are given in the order of the file; times
   * are in seconds. A packet without a time, as in elementary streams, follows the one before.
   */
  take(stream: number, dts: number | null, duration: number): { time: number; offset: number } {
    const expected = this.next.get(stream);
    if (this.restarts && expected !== undefined && dts !== null) {
      const jump = dts + this.offset - expected;
      if (jump > FORWARDS || jump < -BACKWARDS) this.offset -= jump;
    }
    const time = dts === null ? (expected ?? 0) : dts + this.offset;
    this.next.set(stream, Math.max(expected ?? -Infinity, time + duration));
    return { time, offset: this.offset };
  }
}

class RunningScan {
  private packets = 0;
  private readonly durations = new Map<number, number>();
  private start = Infinity;
  private end = -Infinity;
  private last: number | null = null;
  private interval = 0;
  private lastKey: number | null = null;
  private gap = 0;
  private delay: number | null = null;
  private ended = false;

  constructor(private readonly bytes: number) {}

  /** `at` is when the packet is presented. */
  add({ dts, pts, duration, isKey }: ScannedPacket, at: number): void {
    if (this.ended) return;
    if (at - Math.max(0, this.end) > MAX_JUMP) {
      this.ended = true;
      return;
    }
    requireWithinLimits({ packets: ++this.packets }, this.bytes);
    // Many containers do not say how long a packet lasts; then it lasts as long as the one before.
    if (duration > 0) this.interval = duration;
    else if (this.last !== null && at > this.last) this.interval = at - this.last;
    this.last = at;
    if (at >= 0) this.note(this.interval);
    this.start = Math.min(this.start, at);
    this.delay ??= pts === null || dts === null ? null : pts - dts;
    this.end = Math.max(this.end, at + this.interval);
    this.gap = Math.max(this.gap, at - (this.lastKey ?? at));
    if (isKey) this.lastKey = at;
  }

  result(): TrackScan | null {
    const { packets, start, end, gap, delay, interval } = this;
    return packets > 0
      ? { packets, sound: this.sound(), start, end, delay: delay ?? 0, interval, keyFrameGap: gap }
      : null;
  }

  private note(duration: number): void {
    const rounded = Math.round(duration * 1e5) / 1e5;
    const count = this.durations.get(rounded) ?? 0;
    if (count > 0 || this.durations.size < MAX_DURATIONS) this.durations.set(rounded, count + 1);
  }

  /** Packets shorter than the units of their container are rounded up, so never more than from start to end. */
  private sound(): number {
    const durations = [...this.durations];
    const [usual] = durations.toSorted(([, one], [, other]) => other - one)[0] ?? [0];
    let sum = 0;
    for (const [duration, count] of durations) sum += count * Math.min(duration, PAUSE * usual);
    return Math.min(sum, Math.max(0, this.end - Math.max(0, this.start)));
  }
}
