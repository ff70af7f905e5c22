import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { ServiceError } from '../errors/service-error.js';
import { readableLog } from './readable-log.js';
import { redact } from './redact.js';

/**
 * Lines are written in batches, after at most 100 ms: a write costs about as much as the line itself. No batch is longer
 * than what a pipe takes as a whole, so that the lines of several processes on one pipe never mix.
 */
const BUFFERED = { sync: false, minLength: 3_584, maxWrite: 4_096, periodicFlush: 100 };

/** Where a process writes its log; the command line reserves standard output for results. */
export type LogStream = 'stdout' | 'stderr';
const DESCRIPTORS: Readonly<Record<LogStream, number>> = { stdout: 1, stderr: 2 };

/**
 * Logs a JSON line per event, or a short readable one in a terminal, with secrets redacted. Nest logs through it too.
 */
export class AppLogger implements LoggerService {
  readonly pino: Logger;

  constructor(level: string, destination: DestinationStream) {
    this.pino = pino(
      {
        level,
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: serializeError },
        hooks: { streamWrite: redact },
      },
      destination,
    );
  }

  static to(stream: LogStream, level: string): AppLogger {
    const fd = DESCRIPTORS[stream];
    const destination = pino.destination({ ...BUFFERED, fd });
    return new AppLogger(level, isatty(fd) ? readableLog(destination) : destination);
  }

  debug(message: string | object, text?: string): void {
    this.write('debug', message, text);
  }

  /** Nest calls this for every module and route, which is of interest only to developers. */
  log(message: string | object, text?: string): void {
    this.write('debug', message, text);
  }

  info(message: string | object, text?: string): void {
    this.write('info', message, text);
  }

  warn(message: string | object, text?: string): void {
    this.write('warn', message, text);
  }

  /** What a caller caused is no failure of the service, wherever it ends: in a job, or where nobody awaited it. */
  error(message: string | object, text?: string): void {
    this.write(isCallersFault(message) ? 'warn' : 'error', message, text);
  }

  fatal(message: string | object, text?: string): void {
    this.write('fatal', message, text);
  }

  /** Writes buffered lines; the last call before the process exits. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.pino.flush((error) => {
        // Pino also calls fsync, which pipes and terminals reject with EINVAL; the lines have been written by then.
        if (error && (error as NodeJS.ErrnoException).code !== 'EINVAL') reject(error);
        else resolve();
      }),
    );
  }

  private write(
    level: 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: string | object,
    text?: string,
  ): void {
    if (typeof message === 'string') this.pino[level](text ? { context: text } : {}, message);
    else this.pino[level](message, text);
  }
}

function isCallersFault(message: string | object): boolean {
  const { err } = message as { readonly err?: unknown };
  return err instanceof ServiceError && err.status < 500;
}

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

/**
 * What the log contains of an error. Never its other fields: those of a failed statement include its parameters, and
 * thus notes, tokens and e-mail addresses.
 */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: serializeError(error.cause) } : {}),
  };
}
