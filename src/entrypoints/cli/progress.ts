import cliProgress from 'cli-progress';

const LINE_EVERY_MS = 5_000;

export interface Progress {
  /** `fraction` from 0 to 1; `told` says it in words. */
  readonly show: (fraction: number, told: string) => void;
  readonly end: () => void;
}

/** Tells on standard error how far something is: a bar for people, a line now and then for logs. */
export function showProgress(): Progress {
  return process.stderr.isTTY ? bar() : lines();
}

function bar(): Progress {
  const one = new cliProgress.SingleBar(
    { format: '{bar} {percentage}% | {told}', stream: process.stderr, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  let begun = false;
  return {
    show: (fraction, told) => {
      if (begun) one.update(fraction, { told });
      else one.start(1, fraction, { told });
      begun = true;
    },
    end: () => {
      if (begun) one.stop();
    },
  };
}

function lines(): Progress {
  let toldAt = performance.now();
  return {
    show: (_, told) => {
      const now = performance.now();
      if (now - toldAt < LINE_EVERY_MS) return;
      toldAt = now;
      process.stderr.write(`${told}\n`);
    },
    end: () => undefined,
  };
}

/** `3 of 12 MB` */
export function megabytes(done: number, total: number): string {
  return `${Math.round(done / 1e6)} of ${Math.round(total / 1e6)} MB`;
}
