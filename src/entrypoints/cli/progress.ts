import cliProgress from 'cli-progress';
import { bytesText, durationText } from '../../lib/amounts.js';
import { globalOptions } from './output.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const LINE_EVERY_MS = 5_000;
/** The rate of less time says nothing about the rest. */
const SURE_AFTER_SECONDS = 1;

export interface Progress {
  /** `fraction`: 0 to 1; `text`: the same in words. */
  readonly show: (fraction: number, text: string) => void;
  readonly end: () => void;
}

/** Shows progress on standard error: a bar on a terminal, else a line every few seconds; nothing with `--quiet`. */
export function showProgress(): Progress {
  if (globalOptions.quiet) return { show: () => undefined, end: () => undefined };
  return process.stderr.isTTY ? bar() : lines();
}

function bar(): Progress {
  const one = new cliProgress.SingleBar(
    { format: '{bar} {percentage}% | {text}', stream: process.stderr, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let started = false;
  return {
    show: (fraction, text) => {
      if (started) one.update(fraction, { text });
      else one.start(1, fraction, { text });
      started = true;
    },
    end: () => {
      if (started) one.stop();
    },
  };
}

function lines(): Progress {
  let printedAt = performance.now();
  let printed = '';
  return {
    show: (_, text) => {
      const now = performance.now();
      if (text === printed || now - printedAt < LINE_EVERY_MS) return;
      printedAt = now;
      printed = text;
      process.stderr.write(`${text}\n`);
    },
    end: () => undefined,
  };
}

/**
 * How far a file has been sent or received, for `show`: also how fast, and how long the rest will take. `sent` says
 * which: `uploaded`. `before` has been transferred earlier, so it does not count as fast.
 */
export function transfer(sent: string, total: number, before = 0): (done: number) => [number, string] {
  const begun = performance.now();
  return (done) => {
    const seconds = (performance.now() - begun) / 1000;
    const rate = (done - before) / seconds;
    const text = `${sent} ${bytesText(done)} of ${bytesText(total)}`;
    if (seconds < SURE_AFTER_SECONDS || rate <= 0) return [done / total, text];
    const left = done < total ? `, ${durationText(Math.ceil((total - done) / rate))} left` : '';
    return [done / total, `${text}, ${bytesText(rate)}/s${left}`];
  };
}

/** Runs `work` with a signal that aborts with Ctrl-C, and SIGTERM, which then do not end the process. */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  reason?: Error,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(reason);
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
