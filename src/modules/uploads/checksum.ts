import { createHash } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.js';

export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'md5'] as const;

/** The checksum that a client sent with its bytes: `Upload-Checksum: sha1 <base64>` (tus). */
export class Checksum {
  private readonly hash;

  private constructor(
    algorithm: string,
    private readonly expected: Buffer,
  ) {
    this.hash = createHash(algorithm);
  }

  /** Undefined when none was sent. */
  static from(header: string | undefined): Checksum | undefined {
    if (header === undefined) return undefined;
    const [algorithm = '', base64] = header.split(' ');
    if (!CHECKSUM_ALGORITHMS.some((known) => known === algorithm) || !base64) {
      throw new DomainError(
        'VALIDATION_ERROR',
        `Upload-Checksum: must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, followed by a space and the checksum in Base64`,
      );
    }
    return new Checksum(algorithm, Buffer.from(base64, 'base64'));
  }

  update(chunk: Uint8Array): void {
    this.hash.update(chunk);
  }

  /** May be called only once, after the last byte. */
  matches(): boolean {
    return this.hash.digest().equals(this.expected);
  }
}
