import { isatty } from 'node:tty';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { readableLog } from './readable-log.js';
import { redact } from './redact.js';

/** Many lines to a write, none later than this: each write costs about as much as the line itself. */
const GATHERED = { sync: false, minLength: 4096, periodicFlush: 100 };

/** Where a process writes its log: the command line keeps standard output for results. */
export type LogStream = 'stdout' | 'stderr';
const DESCRIPTORS: Readonly<Record<LogStream, number>> = { stdout: 1, stderr: 2 };

/** One JSON line per event, or a short readable one in a terminal, without secrets. Nest's own messages go through it too. */
export class AppLogger implements LoggerService {
  readonly pino: Logger;

  constructor(level: string, destination: DestinationStream) {
    this.pino = pino(
      {
        level,
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        serializers: { err: describe },
        hooks: { streamWrite: redact },
      },
      destination,
    );
  }

  static to(stream: LogStream, level: string): AppLogger {
    const fd = DESCRIPTORS[stream];
    const destination = pino.destination({ ...GATHERED, fd });
    return new AppLogger(level, isatty(fd) ? readableLog(destination) : destination);
  }

  debug(message: string | object, text?: string): void {
    this.write('debug', message, text);
  }

  /** Nest tells about each module and route: of interest to developers only. */
  log(message: string | object, text?: string): void {
    this.write('debug', message, text);
  }

  info(message: string | object, text?: string): void {
    this.write('info', message, text);
  }

  warn(message: string | object, text?: string): void {
    this.write('warn', message, text);
  }

  error(message: string | object, text?: string): void {
    this.write('error', message, text);
  }

  fatal(message: string | object, text?: string): void {
    this.write('fatal', message, text);
  }

  /** Writes what is still buffered; the last call before the process ends. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.pino.flush((error) => {
        // All is written by then; a pipe or a terminal cannot also be forced to a disk.
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

interface Described {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: Described;
}

/**
 * What a log may tell of an error. Never its other fields: those of a failed statement hold its parameters, and so
 * notes, tokens and e-mail addresses.
 */
function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}
