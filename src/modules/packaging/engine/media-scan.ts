import { maxDuration, requireWithinLimits, tooLong } from '../media-limits.js';
import type { MediaTool, ProbedMedia, ProbedStream, ScannedPacket } from './media-tool.js';
import { PacketClock } from './packet-clock.js';

/** Seconds. A longer jump is damage, and the recording ends before it. */
const MAX_JUMP = 12 * 60 * 60;

/** What the packets of a track say; times are in seconds from the start of the file, as players count them. */
export interface TrackScan {
  readonly packets: number;
  /** First presentation time; negative where an edit list hides the beginning. */
  readonly start: number;
  readonly end: number;
  /** Seconds between decoding and presentation of the first packet: the delay of B-frames. */
  readonly delay: number;
  /** Longest interval between two key frames. */
  readonly keyFrameGap: number;
}

/** What a file contains, whatever its header says. */
export interface MediaScan {
  /** By the index of the stream; none for one without packets. */
  readonly tracks: ReadonlyMap<number, TrackScan>;
  /** Of the track that ends last. */
  readonly end: number;
}

/** Reads every packet of these streams. Throws `UnplayableMediaError` if they last longer than the file's size allows. */
export async function scanMedia(
  tool: MediaTool,
  source: string,
  probed: ProbedMedia,
  streams: readonly ProbedStream[],
  bytes: number,
): Promise<MediaScan> {
  const clock = new PacketClock(probed.format);
  const scans = new Map(streams.map(({ index }) => [index, new RunningScan(bytes)]));
  await tool.scan(source, [...scans.keys()], (packet) => {
    const offset = clock.offsetFor(packet.stream, packet.dts ?? packet.pts, packet.duration) - probed.start;
    scans.get(packet.stream)?.add(packet, offset);
  });
  const tracks = new Map(
    [...scans].flatMap(([index, scan]): [number, TrackScan][] => {
      const result = scan.result();
      return result ? [[index, result]] : [];
    }),
  );
  const end = Math.max(0, ...[...tracks.values()].map((track) => track.end));
  if (end > maxDuration(bytes)) throw tooLong(bytes);
  return { tracks, end };
}

class RunningScan {
  private packets = 0;
  private start = Infinity;
  private end = -Infinity;
  private lastKey: number | null = null;
  private gap = 0;
  private delay: number | null = null;
  private ended = false;

  constructor(private readonly bytes: number) {}

  add({ dts, pts, duration, isKey }: ScannedPacket, offset: number): void {
    const time = pts ?? dts;
    if (time === null || this.ended) return;
    const at = time + offset;
    if (at - Math.max(0, this.end) > MAX_JUMP) {
      this.ended = true;
      return;
    }
    requireWithinLimits({ packets: ++this.packets }, this.bytes);
    this.start = Math.min(this.start, at);
    this.delay ??= pts === null || dts === null ? null : pts - dts;
    this.end = Math.max(this.end, at + duration);
    this.gap = Math.max(this.gap, at - (this.lastKey ?? at));
    if (isKey) this.lastKey = at;
  }

  result(): TrackScan | null {
    const { packets, start, end, gap, delay } = this;
    return packets > 0 ? { packets, start, end, delay: delay ?? 0, keyFrameGap: gap } : null;
  }
}
