import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import mime from 'mime';

/** The encodings in order of preference. Most browsers accept Brotli only over HTTPS. */
const ENCODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
} as const;
type Encoding = keyof typeof ENCODINGS;
const NAMES = Object.keys(ENCODINGS) as Encoding[];

/** For what may change with the next version of the service: browsers keep it, and ask whether it is current. */
export const REVALIDATED = 'no-cache';
export const IMMUTABLE = 'public, max-age=31536000, immutable';

const shortHash = (...contents: readonly Buffer[]): string => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('base64url').slice(0, 16);
};

/** A file that everyone gets the same: made when it is first requested, and compressed once for each encoding. */
export class StoredFile {
  private bytes: Buffer | undefined;
  private etag = '';
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly type: string,
    private readonly make: () => string | Buffer,
  ) {}

  async send(request: Request, response: Response, cacheControl: string): Promise<void> {
    const bytes = this.read();
    response.set({ 'Content-Type': this.type, 'Cache-Control': cacheControl, ETag: this.etag });
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
    this.etag = `W/"${shortHash(this.bytes)}"`;
    return this.bytes;
  }

  private encode(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const encoded = this.encoded.get(encoding) ?? ENCODINGS[encoding](bytes);
    this.encoded.set(encoding, encoded);
    return encoded;
  }
}

/** Files that belong together: the hash over all of them is in their URLs. */
export class StoredFiles {
  readonly version: string;
  private readonly files: ReadonlyMap<string, StoredFile>;

  /** Reads them from their paths. */
  constructor(files: readonly (readonly [name: string, path: string])[]) {
    const contents = files.map(([name, path]) => [name, readFileSync(path)] as const);
    this.version = shortHash(...contents.map(([, content]) => content));
    this.files = new Map(
      contents.map(([name, content]) => [name, new StoredFile(typeOf(name), () => content)] as const),
    );
  }

  /** Undefined, unless it is a file of the version. */
  find(version: string, name: string): StoredFile | undefined {
    return version === this.version ? this.files.get(name) : undefined;
  }
}

function typeOf(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
