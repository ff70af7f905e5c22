import cliProgress from 'cli-progress';

const LINE_EVERY_MS = 5_000;

export interface Progress {
  /** `fraction`: 0 to 1; `text`: the same in words. */
  readonly show: (fraction: number, text: string) => void;
  readonly end: () => void;
}

/** Shows progress on standard error: a bar on a terminal, otherwise a line every few seconds, if it says something new. */
export function showProgress(): Progress {
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
