import { readFile } from 'node:fs/promises';
import { decryptWith, encryptTo, type Cipher } from '../../../platform/backup/age.js';
import { quoteForMessage } from '../../../lib/text.js';
import { usageError } from '../exit-status.js';

/** Reads `--encrypt-to`: recipients, or files with one a line, as `age -r` and `age -R` take them. Sorted. */
export async function readRecipients(given: readonly string[]): Promise<string[]> {
  const read = given.map(async (value) =>
    value.startsWith('age1') ? [value] : linesOf('--encrypt-to', value),
  );
  return [...new Set((await Promise.all(read)).flat())].toSorted();
}

export const cipherTo = (recipients: readonly string[]): Cipher | undefined =>
  recipients.length === 0 ? undefined : blaming('--encrypt-to', () => encryptTo(recipients));

/** Reads `--identity`: a file that `age-keygen` has written. */
export async function readIdentity(file: string | undefined): Promise<Cipher | undefined> {
  if (file === undefined) return undefined;
  const identities = await linesOf('--identity', file);
  return blaming(`--identity: ${file}`, () => decryptWith(identities));
}

/** The lines of a file that are not empty, and no comments. */
async function linesOf(option: string, file: string): Promise<string[]> {
  const content = await readFile(file, 'utf8').catch((error: Error) => {
    throw usageError(`${option}: cannot read the file ${quoteForMessage(file)}: ${error.message}`);
  });
  const lines = content.split('\n').map((line) => line.trim());
  const found = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (found.length > 0) return found;
  throw usageError(`${option}: there is no key in ${file}`);
}

function blaming<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw usageError(`${what}: ${(error as Error).message}`);
  }
}
