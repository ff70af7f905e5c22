import { shortened, singleLine } from '../text.js';

/** A ZIP archive that is not taken, because of an entry or (empty) as a whole. The message is for users. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  constructor(entry: string, reason: string) {
    super([entry || 'the ZIP archive', reason].map((part) => shortened(singleLine(part), 200)).join(': '));
  }
}
