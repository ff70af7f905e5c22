import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns a nonce of 12 bytes, the ciphertext and a tag of 16 bytes. `place`: what the content belongs to; it can be
 * decrypted only for the same place.
 */
export function encrypt(key: KeyObject, content: Buffer, place: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(place);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the content was encrypted with another key, changed, or moved to another place. */
export function decrypt(key: KeyObject, encrypted: Buffer, place: Buffer): Buffer {
  const end = encrypted.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(place)
    .setAuthTag(encrypted.subarray(end));
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, end)), decipher.final()]);
}
