import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { StartError } from '../config/settings.js';
import { DamagedError } from './backup-manifest.js';

/** Turns content, which is called `what` in messages, into encrypted content, or back. The result fails if it does. */
export type Cipher = (content: Readable, what: string) => Readable;

/** To age recipients, `age1...`. Throws a `StartError` that names one that is none. */
export function encryptTo(recipients: readonly string[]): Cipher {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    accept(recipient, 'an age recipient (age1...)', () => encrypter.addRecipient(recipient));
  return through((content) => encrypter.encrypt(content));
}

/** With age identities, `AGE-SECRET-KEY-1...`. Throws a `StartError` if one is none, without saying what it is. */
export function decryptWith(identities: readonly string[]): Cipher {
  const decrypter = new Decrypter();
  for (const identity of identities)
    accept('a line', 'an age identity (AGE-SECRET-KEY-1...)', () => decrypter.addIdentity(identity));
  return through((content) => decrypter.decrypt(content));
}

function accept(given: string, wanted: string, add: () => void): void {
  try {
    add();
  } catch (error) {
    throw new StartError(`${given} is not ${wanted}`, { cause: error });
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
