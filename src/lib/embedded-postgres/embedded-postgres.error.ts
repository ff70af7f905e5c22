/** Tells the operator why the embedded PostgreSQL cannot be used: one clear line, possibly followed by log lines. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

const REASONS: Record<string, string> = {
  // Node's answer if the parent is read-only.
  ENOENT: 'the folder cannot be created',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'this user has no read and write access to it',
  EPERM: 'this user is not allowed to change it',
};

/** Turns a file system error into a message for the operator; returns other errors unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const reason = REASONS[errorCode(error) ?? ''];
  if (reason === undefined || error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(`Cannot store the database in ${path}: ${reason}.`, { cause: error });
}
