import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { ServiceError } from '../errors/service-error.js';
import { workFields } from '../telemetry/cause.js';
import type { Dependency } from './dependency.js';
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

/** Logs a JSON line per event, or a short readable one in a terminal, without secrets. Nest logs through it too. */
export class AppLogger implements LoggerService {
  readonly pino: Logger;
  /** What may be away. The first that an error is about logs it. */
  readonly dependencies = new Set<Dependency>();

  constructor(level: string, destination: DestinationStream) {
    this.pino = pino(
      {
        level,
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: serializeError },
        mixin: workFields as () => object,
        // Most lines are about no such work, and are left as they are.
        mixinMergeStrategy: (line, more?: object) => (more ? { ...more, ...line } : line),
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

  readonly debug = this.writer('debug');
  /** Nest calls this for every module and route, which is of interest only to developers. */
  readonly log = this.writer('debug');
  readonly info = this.writer('info');
  readonly warn = this.writer('warn');
  readonly fatal = this.writer('fatal');

  /** What a caller caused is not a failure of the service, wherever it ends: in a job, or where nobody awaited it. */
  error(message: string | object, text?: string): void {
    if (isCallersFault(message)) this.warn(message, text);
    else this.logError(message, text);
  }

  /**
   * Whether work failed because a dependency is away, which is logged once for all of it. Else, the caller logs the error.
   * `refused`: requests that failed with it.
   */
  outage(error: unknown, refused = 0): boolean {
    const errors = [error, ...(error instanceof Error && error.cause ? [error.cause] : [])];
    return errors.some((each) => [...this.dependencies].some((one) => one.explains(each, refused)));
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

  private readonly logError = this.writer('error');

  private writer(level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') {
    return (message: string | object, text?: string): void => {
      if (typeof message === 'string') this.pino[level](text ? { context: text } : {}, message);
      else this.pino[level](message, text);
    };
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

/** Never other fields of an error: those of a failed statement include notes, tokens and e-mail addresses. */
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
