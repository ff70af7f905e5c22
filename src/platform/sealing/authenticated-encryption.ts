import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** By how much what is encrypted is longer. */
export const ENCRYPTION_BYTES = NONCE_BYTES + TAG_BYTES;

/** Returns nonce (12 bytes), ciphertext and tag (16 bytes); decrypted only with the same `associatedData`. */
export function encrypt(key: KeyObject, content: Uint8Array, associatedData: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedData);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the content was encrypted with another key, changed, or moved. */
export function decrypt(key: KeyObject, encrypted: Buffer, associatedData: Buffer): Buffer {
  const end = encrypted.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(associatedData)
    .setAuthTag(encrypted.subarray(end));
  const content = decipher.update(encrypted.subarray(NONCE_BYTES, end));
  // Of nothing: it only throws.
  decipher.final();
  return content;
}
