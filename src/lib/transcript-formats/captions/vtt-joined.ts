import { FILE_LIMITS } from '../transcript.js';
import type { Cue } from './captions-reader.js';
import { secondsOf } from './captions-times.js';
import { countText } from '../../amounts.js';

/** `X-TIMESTAMP-MAP` (RFC 8216, 3.5): cue time `LOCAL` is time `MPEGTS` of the media, 90,000 a second. */
const MAP = /^X-TIMESTAMP-MAP=(?=.*\bLOCAL:([\d:.]{1,20}))(?=.*\bMPEGTS:(\d{1,10})\b)/;
const TICKS = 90_000;
/** Media times have 33 bits, and then begin again. */
const WRAPS = 2 ** 33;

interface TimestampMap {
  readonly local: number;
  readonly mpegts: number;
}

/**
 * Several WebVTT files in one, such as the segments of HLS. Their times are those of the first file: where they are
 * mapped to the media, by the difference to its map. Without a map, a file whose times begin again follows the one
 * before.
 */
export class JoinedFiles {
  private map: TimestampMap | null = null;
  /** Seconds from the times of this file to those of the first. */
  private offset = 0;
  private isMapped = false;
  private isFirstCue = false;
  private lastStart = 0;
  private latestEnd = 0;
  private before = new Set<string>();
  private current = new Set<string>();

  /** Begins the file with a header of these lines. */
  begin(header: readonly string[]): void {
    const map = mapIn(header);
    if (map && this.map) {
      const ticks = map.mpegts - this.map.mpegts;
      const elapsed = (ticks - WRAPS * Math.round(ticks / WRAPS)) / TICKS;
      this.offset += elapsed - (map.local - this.map.local);
    }
    this.map = map ?? this.map;
    this.isMapped = map !== null;
    this.isFirstCue = true;
    [this.before, this.current] = [this.current, new Set()];
  }

  /** As `CaptionsReader.placed`; segments during which a cue is shown repeat it. */
  placed(cue: Cue): Cue | string | null {
    let placed = shifted(cue, this.offset);
    const isRepeated = placed.end > this.lastStart && this.before.has(keyOf(placed));
    if (!isRepeated) {
      if (this.isFirstCue && !this.isMapped && placed.start < this.lastStart) {
        this.offset = this.latestEnd;
        placed = shifted(cue, this.offset);
      }
      this.isFirstCue = false;
      this.lastStart = Math.max(this.lastStart, placed.start);
      this.latestEnd = Math.max(this.latestEnd, placed.end);
    }
    this.current.add(keyOf(placed));
    if (isRepeated) return null;
    if (placed.start < 0) return 'begins before the first of the joined files';
    return placed.end < FILE_LIMITS.time
      ? placed
      : `times must be below ${countText(FILE_LIMITS.time)} seconds`;
  }
}

function mapIn(header: readonly string[]): TimestampMap | null {
  for (const line of header) {
    const match = MAP.exec(line.slice(0, 200));
    const local = match && secondsOf(match[1]!, false);
    if (match && local !== null) return { local, mpegts: Number(match[2]) };
  }
  return null;
}

function shifted(cue: Cue, seconds: number): Cue {
  const at = (time: number): number => Math.round((time + seconds) * 1000) / 1000;
  return { ...cue, start: at(cue.start), end: at(cue.end) };
}

const keyOf = ({ start, end, markup }: Cue): string => `${start} ${end} ${markup.trim()}`;
