import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A stream of known length, in bytes, that compresses badly, such as a video. */
export interface StoredContent {
  readonly stream: Readable;
  readonly size: number;
}

/** Writes a ZIP archive as a stream, one file after the other, as fast as `content` is read. */
export class ZipWriter {
  readonly content = new PassThrough();
  private readonly zip = new ZipFile();
  private readonly closed = new AbortController();

  constructor() {
    this.zip.on('error', (error) => this.fail(error));
    this.zip.outputStream.pipe(this.content);
    // Without a reader there is nothing to write for; whoever reads gets the error.
    this.content.on('error', () => undefined).once('close', () => this.closed.abort());
  }

  /** Adds a file: text, which is compressed, or media, which is not. Fails with what it is read from. */
  async add(
    name: string,
    content: string | Iterable<string> | AsyncIterable<string> | StoredContent,
  ): Promise<void> {
    const isStored = typeof content === 'object' && 'stream' in content;
    const source = isStored
      ? content.stream
      : Readable.from(typeof content === 'string' ? [content] : content);
    const ended = finished(source, { signal: this.closed.signal });
    this.zip.addReadStream(source, name, { compress: !isStored, ...(isStored && { size: content.size }) });
    try {
      await ended;
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  end(): void {
    this.zip.end();
  }

  /** Whoever reads `content` gets the error. */
  fail(error: Error): void {
    this.content.destroy(error);
  }
}
