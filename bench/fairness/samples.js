import { median, round } from '../numbers.js';

/**
 * The waits of requests sent at a steady pace, one `every` so many milliseconds. When one waits longer than that, the
 * requests that would have arrived meanwhile are counted too: 1 s at a pace of 20 ms is 50 waits of 1 s, 0.98 s, and so on.
 * Otherwise a stalled service would show up as one slow request ("coordinated omission"). With a pace of 0, every request
 * counts once.
 */
export class Samples {
  constructor(every) {
    this.every = every;
    this.waits = [];
    this.failed = 0;
    this.sent = 0;
  }

  /** A reply after `ms`; `failed`: none, or an error, which makes the waits of all meanwhile infinite. */
  add(ms, failed = false) {
    this.sent += 1;
    if (failed) this.failed += 1;
    // The request itself and, with a pace, those that would have arrived while it waited.
    const count = this.every > 0 ? Math.max(1, Math.ceil(ms / this.every)) : 1;
    for (let n = 0; n < count; n += 1) this.waits.push(failed ? Infinity : ms - n * this.every);
  }

  summary() {
    const sorted = this.waits.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return { p50: at(0.5), p99: at(0.99), sent: this.sent, failed: this.failed };
  }
}

/** The medians of the percentiles of these rounds, and the total number of requests. */
export function overRounds(summaries) {
  const sum = (field) => summaries.reduce((total, one) => total + one[field], 0);
  return {
    p50: round(median(summaries.map(({ p50 }) => p50))),
    p99: round(median(summaries.map(({ p99 }) => p99))),
    sent: sum('sent'),
    failed: sum('failed'),
  };
}
