import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** The encodings in order of preference. Most browsers accept Brotli only over HTTPS. */
const ENCODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
} as const;
type Encoding = keyof typeof ENCODINGS;
const NAMES = Object.keys(ENCODINGS) as Encoding[];

/** A file that everyone gets the same: made when it is first requested, and compressed once for each encoding. */
export class StoredFile {
  private bytes: Buffer | undefined;
  private etag = '';
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  /** `type` and `cacheControl`: the headers of its replies. */
  constructor(
    private readonly make: () => string | Buffer,
    private readonly type: string,
    private readonly cacheControl: string,
  ) {}

  async send(request: Request, response: Response): Promise<void> {
    const bytes = this.read();
    response.set({ 'Content-Type': this.type, 'Cache-Control': this.cacheControl, ETag: this.etag });
    response.vary('Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding = NAMES.find((name) => request.acceptsEncodings(name) === name);
    if (encoding) response.set('Content-Encoding', encoding);
    response.send(encoding ? await this.encode(encoding, bytes) : bytes);
  }

  private read(): Buffer {
    if (this.bytes) return this.bytes;
    this.bytes = Buffer.from(this.make());
    // Weak, because it is the same for all encodings.
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 16)}"`;
    return this.bytes;
  }

  private encode(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const encoded = this.encoded.get(encoding) ?? ENCODINGS[encoding](bytes);
    this.encoded.set(encoding, encoded);
    return encoded;
  }
}
