import { Readable, Writable } from 'node:stream';
import type { Connection, Submittable } from 'pg';

/** What `pg` sends in reply to `COPY ... FROM STDIN`; missing in its types. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

const BLOCK = 64 * 1024;

/** The rows of `COPY ... TO STDOUT`, for `client.query`. After a failure, the connection can only be closed. */
export class CopyOut extends Readable implements Submittable {
  private connection: Connection | undefined;
  private block = Buffer.allocUnsafe(BLOCK);
  private filled = 0;

  constructor(private readonly statement: string) {
    super({ highWaterMark: 4 * BLOCK });
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(this.statement);
  }

  /** One row, in memory that is reused afterwards. Gathered into blocks, as a chunk per row would cost more than it. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.filled + chunk.length > BLOCK) this.flush();
    if (chunk.length > BLOCK) return this.pass(Buffer.from(chunk));
    this.filled += chunk.copy(this.block, this.filled);
  }

  handleCommandComplete(): void {
    this.flush();
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  private flush(): void {
    if (this.filled === 0) return;
    const full = this.block.subarray(0, this.filled);
    this.block = Buffer.allocUnsafe(BLOCK);
    this.filled = 0;
    this.pass(full);
  }

  private pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.connection?.stream.pause();
  }
}

/** Takes the rows of `COPY ... FROM STDIN`, for `client.query`. After a failure, the connection can only be closed. */
export class CopyIn extends Writable implements Submittable {
  private connection: CopyConnection | undefined;
  private onReady: (() => void) | undefined;
  private onEnd: (() => void) | undefined;

  constructor(private readonly statement: string) {
    super({ highWaterMark: 4 * BLOCK });
  }

  submit(connection: Connection): void {
    this.connection = connection as CopyConnection;
    connection.query(this.statement);
  }

  handleCopyInResponse(): void {
    this.onReady?.();
  }

  handleCommandComplete(): void {
    // Followed by `handleReadyForQuery`.
  }

  handleReadyForQuery(): void {
    this.onEnd?.();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _construct(done: () => void): void {
    this.onReady = done;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.connection?.sendCopyFromChunk(chunk);
    const socket = this.connection?.stream;
    if (socket?.writableNeedDrain) socket.once('drain', done);
    else done();
  }

  override _final(done: () => void): void {
    this.onEnd = done;
    this.connection?.endCopyFrom();
  }
}
