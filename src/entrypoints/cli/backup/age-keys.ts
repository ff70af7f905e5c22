import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { quoteForMessage } from '../../../lib/text.js';
import { DamagedError } from '../../../platform/backup/backup-manifest.js';
import type { Cipher } from '../../../platform/backup/backup-target.js';
import { usageError } from '../exit-status.js';

/** Reads `--encrypt-to`: recipients, or files with one a line, as `age -r` and `age -R` take them. Sorted. */
export async function readRecipients(given: readonly string[]): Promise<string[]> {
  const read = given.map(async (value) =>
    value.startsWith('age1') ? [value] : linesOf('--encrypt-to', value),
  );
  return [...new Set((await Promise.all(read)).flat())].toSorted();
}

export function cipherTo(recipients: readonly string[]): Cipher | undefined {
  if (recipients.length === 0) return undefined;
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    accept(`--encrypt-to: ${recipient} is not an age recipient (age1...)`, () =>
      encrypter.addRecipient(recipient),
    );
  return through((content) => encrypter.encrypt(content));
}

/** Reads `--identity`: a file that `age-keygen` has written. What is wrong in it is not shown. */
export async function readIdentity(file: string | undefined): Promise<Cipher | undefined> {
  if (file === undefined) return undefined;
  const decrypter = new Decrypter();
  for (const identity of await linesOf('--identity', file))
    accept(`--identity: ${file}: a line is not an age identity (AGE-SECRET-KEY-1...)`, () =>
      decrypter.addIdentity(identity),
    );
  return through((content) => decrypter.decrypt(content));
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

function accept(otherwise: string, add: () => void): void {
  try {
    add();
  } catch {
    throw usageError(otherwise);
  }
}

const through =
  (cipher: (content: ReadableStream<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>): Cipher =>
  (content, what) => {
    async function* run(): AsyncGenerator<Uint8Array> {
      try {
        // `from` reads only what is asked for; `Readable.toWeb` would read ahead without a limit.
        yield* await cipher(ReadableStream.from(content));
      } catch (error) {
        if (content.errored) throw content.errored;
        throw new DamagedError(`${what} cannot be decrypted: ${(error as Error).message}`, { cause: error });
      } finally {
        content.destroy();
      }
    }
    return Readable.from(run(), { objectMode: false });
  };
