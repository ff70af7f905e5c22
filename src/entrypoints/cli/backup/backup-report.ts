import type { ObjectReport } from '../../../platform/backup/backup-objects.js';
import { counted } from '../../../lib/text.js';
import { CommandError, EXIT } from '../exit-status.js';
import { showProgress } from '../progress.js';

/** Shows on standard error how far a command is, and what is wrong with objects. */
export class BackupReport implements ObjectReport {
  private readonly progress = showProgress();
  problems = 0;

  readonly onTable = (done: number, all: number): void => {
    this.progress.show(done / all, `database: ${done} of ${all} tables`);
  };

  readonly onObject = (fraction: number, count: number, bytes: number): void => {
    this.progress.show(fraction, `media: ${counted(count, 'file')}, ${inWords(bytes)}`);
  };

  readonly onProblem = (problem: string): void => {
    this.problems += 1;
    process.stderr.write(`${problem}\n`);
  };

  end(): void {
    this.progress.end();
  }

  /** Fails the command if there were problems, which do not prevent what it is for. */
  requireNone(done: string): void {
    if (this.problems === 0) return;
    const files = counted(this.problems, 'media file');
    throw new CommandError(
      EXIT.failure,
      `${done}, but ${files} that it needs are missing or damaged, see above.`,
    );
  }
}

/** `3.4 MB` */
export function inWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [amount, unit] = [bytes, 0];
  for (; amount >= 1_000 && unit < units.length - 1; unit += 1) amount /= 1_000;
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}
