import { PlatformError } from '../errors/platform-error.js';

/** SQLSTATE classes and codes that mean that the database is unavailable, not that the statement is wrong. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
export const READ_ONLY = '25006';
/** The transaction was ended for the sake of another; it succeeds when it is tried again. */
const DEADLOCK = '40P01';

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

/** Prefix of such errors when they come from a thread. */
export const DATABASE_AWAY = 'Database unavailable';

/** `pg` has no codes for these; TypeORM releases its query runner when the connection dies in a transaction. */
const CONNECTION_MESSAGES =
  /^(Database unavailable|Connection terminated|timeout exceeded when trying to connect|Query read timeout|timeout expired|Client has encountered a connection error|The server does not support SSL|Cannot use a pool after calling end|Driver not Connected|Client was closed|Query runner already released|Database connection provided by a query runner was already released)/i;

interface MaybeDatabaseError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

/** Whether an error means that PostgreSQL is unreachable, overloaded or shutting down. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, driverError, errors } = error as MaybeDatabaseError;
  if (driverError && driverError !== error && isDatabaseUnavailable(driverError)) return true;
  // A host name with several addresses causes an AggregateError.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  if (typeof code === 'string') {
    if (CONNECTION_ERRORS.has(code) || code === READ_ONLY) return true;
    if (/^[0-9A-Z]{5}$/.test(code)) return UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  }
  return typeof message === 'string' && CONNECTION_MESSAGES.test(message);
}

/** A statement that took too long, which need not be due to the server. */
const QUERY_CANCELED = '57014';

/** Whether an error says that the database is away, for more than one statement. */
export const isDatabaseAway = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && codeOf(error) !== QUERY_CANCELED;

/** PostgreSQL ends what is read on a replica if it would hold up what is to be replayed. */
const CONFLICT_WITH_RECOVERY = '40001';

export const isEndedByRecovery = (error: unknown): boolean => codeOf(error) === CONFLICT_WITH_RECOVERY;

/** What PostgreSQL or its driver said. */
const saidBy = (error: unknown): MaybeDatabaseError | null =>
  ((error as MaybeDatabaseError | null)?.driverError ?? error) as MaybeDatabaseError | null;

const codeOf = (error: unknown): unknown => saidBy(error)?.code;

/** What PostgreSQL says, or a pooler; null if the error is none of theirs. */
export function messageOfServer(error: unknown): string | null {
  const { message } = error as { readonly message?: string };
  return /^[0-9A-Z]{5}$/.test(String(codeOf(error))) ? (message ?? null) : null;
}

/** Returns `SERVICE_UNAVAILABLE` if the database is unavailable or has ended the transaction for another; else null. */
export const databaseUnavailable = (error: unknown): PlatformError | null =>
  isDatabaseUnavailable(error) || codeOf(error) === DEADLOCK
    ? new PlatformError('SERVICE_UNAVAILABLE', undefined, { cause: error })
    : null;

/** Whether a statement violated the named unique or foreign-key constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  saidBy(error)?.constraint === constraint;

/** What a write that violates a constraint throws instead, by the name of the constraint. */
export type Violations = Readonly<Record<string, () => Error>>;

/** Runs a write. Around it, rather than as a handler behind it, so that types and lint notice when nobody awaits it. */
export async function mapViolations<T>(violations: Violations, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const violated = Object.keys(violations).find((constraint) => violates(error, constraint));
    throw violated === undefined ? error : violations[violated]!();
  }
}
