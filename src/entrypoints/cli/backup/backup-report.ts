import type { ObjectReport } from '../../../platform/backup/backup-objects.js';
import { bytesText } from '../../../lib/amounts.js';
import { counted, singleLine } from '../../../lib/text.js';
import { failed } from '../exit-status.js';
import { showProgress } from '../progress.js';

export const mediaText = (objects: { readonly count: number; readonly bytes: number } | null): string =>
  objects ? `${counted(objects.count, 'media file')} (${bytesText(objects.bytes)})` : 'no media files';

/** Shows on standard error how far a command is, and what is wrong with objects. */
export class BackupReport implements ObjectReport {
  private readonly progress = showProgress();
  problems = 0;
  /** Objects that were copied, or are as they were. */
  handled = { count: 0, bytes: 0 };
  /** Those that no earlier backup had; bytes as they are stored. */
  added = { count: 0, bytes: 0 };

  readonly onTable = (done: number, all: number): void => {
    this.progress.show(done / all, `database: ${done} of ${all} tables`);
  };

  readonly onObject = (fraction: number, count: number, bytes: number): void => {
    this.handled = { count, bytes };
    this.progress.show(fraction, `media: ${counted(count, 'file')}, ${bytesText(bytes)}`);
  };

  readonly onNew = (bytes: number): void => {
    this.added = { count: this.added.count + 1, bytes: this.added.bytes + bytes };
  };

  readonly onProblem = (problem: string): void => {
    this.problems += 1;
    process.stderr.write(`${singleLine(problem)}\n`);
  };

  end(): void {
    this.progress.end();
  }

  /** Fails the command if there were problems, which do not prevent what it is for. */
  requireNone(done: string): void {
    if (this.problems === 0) return;
    const files = counted(this.problems, 'media file');
    throw failed(`${done}, but ${files} that it needs are missing or damaged, see above.`);
  }
}
