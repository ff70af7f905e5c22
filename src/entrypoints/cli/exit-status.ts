import { CommanderError } from 'commander';
import { WorkspaceError } from '../../modules/workspace/workspace.error.js';
import { ServiceError } from '../../platform/errors/service-error.js';

/** Documented in docs/command-line.md. */
export const EXIT = {
  success: 0,
  /** A setting, the database, the store or this program is at fault. */
  failure: 1,
  /** The arguments, or a file that they name, are at fault. */
  usage: 2,
  /** A rule of the service refuses it, or it was declined at the prompt. */
  refused: 3,
  notFound: 4,
  /** The server that the command uses does not answer. */
  unreachable: 5,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** What a command itself finds wrong; shown as a single line. */
export class CommandError extends Error {
  constructor(
    readonly status: ExitStatus,
    message: string,
  ) {
    super(message);
  }
}

export const failed = (message: string): CommandError => new CommandError(EXIT.failure, message);
export const usageError = (message: string): CommandError => new CommandError(EXIT.usage, message);
export const notFound = (message: string): CommandError => new CommandError(EXIT.notFound, message);
export const unreachable = (message: string): CommandError => new CommandError(EXIT.unreachable, message);
export const refused = (message: string): CommandError => new CommandError(EXIT.refused, message);

/** The one place that decides how a command ends that has thrown. */
export function exitStatusOf(error: unknown): ExitStatus {
  if (error instanceof CommandError) return error.status;
  // Help that was asked for is not a mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  if (error instanceof WorkspaceError) return EXIT.usage;
  if (error instanceof ServiceError) return statusOfReply(error);
  return EXIT.failure;
}

/** For an error of the service itself, or in a reply of a server. */
export function statusOfReply({ code, status }: Pick<ServiceError, 'code' | 'status'>): ExitStatus {
  if (code === 'VALIDATION_ERROR' || code === 'UNSUPPORTED_MEDIA_TYPE') return EXIT.usage;
  if (status === 404) return EXIT.notFound;
  return status < 500 ? EXIT.refused : EXIT.failure;
}
