/** What the operator reads when the embedded PostgreSQL cannot be used: one clear line, then perhaps log lines. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export const OWN_DATABASE_HINT = 'Set DATABASE_URL to use a PostgreSQL server of your own.';

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not change it',
};

/** Turns a file system error into the line for the operator; other errors stay as they are. */
export function explainFileError(error: unknown, path: string): unknown {
  const reason = REASONS[errorCode(error) ?? ''];
  if (reason === undefined || error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(`Cannot keep the database in ${path}: ${reason}.`, { cause: error });
}
