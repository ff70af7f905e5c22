import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.js';

/** Why a connection ends: its request body is too slow, or there is nobody to answer. */
export type Verdict = 'slow-body' | 'dead';

/** Connections without a request rank above all others. */
const WAITING_RANK = 2 ** 40;

/**
 * What a client does with its connection. Only time in which the service waits for the client counts: not while a request
 * is being processed, nor while its body is not being read.
 */
export class Connection {
  /** The most recent request, whose body may still be arriving. */
  request: IncomingMessage | null = null;
  /** Its response. */
  response: ServerResponse | null = null;
  private unanswered = 0;
  private waitingSince = performance.now();
  private received = 0;
  private delivered = 0;
  /** How far the client is behind with sending, with reading, and with closing its side. */
  private readonly behind = { sending: 0, reading: 0, closing: 0 };

  constructor(
    readonly socket: Socket,
    /** What the limit by address counts as one client. */
    readonly address: string,
  ) {}

  /** To be called for each request before it is handled. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.request = request;
    this.response = response;
    this.unanswered += 1;
    this.received = this.socket.bytesRead;
    this.behind.sending = 0;
    response.once('close', () => {
      this.unanswered -= 1;
      this.waitingSince = performance.now();
    });
  }

  get isAnswering(): boolean {
    return this.unanswered > 0;
  }

  /** How well the connection can be spared: the higher, the better; 0 if it cannot. */
  spareRank(now: number, { behind: limit }: ConnectionLimits): number {
    if (!this.isAnswering) return WAITING_RANK + now - this.waitingSince;
    const { sending, reading } = this.behind;
    const behind = Math.max(sending, reading);
    return behind >= limit ? behind : 0;
  }

  /** Takes note of what happened in the last `elapsed` milliseconds. Returns a verdict if the client has exceeded a limit. */
  check(now: number, elapsed: number, limits: ConnectionLimits): Verdict | null {
    const { behind, socket } = this;
    behind.closing = socket.writableFinished ? behind.closing + elapsed : 0;
    behind.reading = this.takesNothing() ? behind.reading + elapsed : 0;
    behind.sending = this.sendingBehind(elapsed, limits.bodyRate);
    if (behind.closing > limits.closing || behind.reading > limits.unread) return 'dead';
    if (behind.sending > limits.body) return 'slow-body';
    // Node ends idle connections itself, unless empty lines arrive; headers in progress have their own limit.
    const waiting = this.isAnswering || this.isReceiving() ? 0 : now - this.waitingSince;
    return waiting > limits.idle + limits.headers + limits.check ? 'dead' : null;
  }

  private takesNothing(): boolean {
    const { bytesWritten, writableLength } = this.socket;
    const delivered = bytesWritten - writableLength;
    const stuck = writableLength > 0 && delivered === this.delivered;
    this.delivered = delivered;
    return stuck;
  }

  private sendingBehind(elapsed: number, rate: number): number {
    const received = this.socket.bytesRead - this.received;
    this.received += received;
    if (!this.isReceiving()) return 0;
    const time = this.isWilling() ? elapsed : 0;
    return Math.max(0, this.behind.sending + time - (received / rate) * 1000);
  }

  private isReceiving(): boolean {
    return this.request !== null && !this.request.complete;
  }

  /** Node stops reading when a body's buffer is full, and while pipelined responses wait for the client. */
  private isWilling(): boolean {
    const { readableLength, readableHighWaterMark } = this.request!;
    return readableLength < readableHighWaterMark && this.unanswered <= 1;
  }
}
