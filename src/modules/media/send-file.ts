import { stat } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { DomainError } from '../../platform/errors/domain-error.js';

const ERROR_CODES = {
  412: 'PRECONDITION_FAILED',
  416: 'RANGE_NOT_SATISFIABLE',
} as const;

/** Headers that describe the file, not an error or a redirection. */
const FILE_HEADERS = ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag', 'Last-Modified'];

/** For a reply that turns out not to be the file. */
export function forgetFile(response: Response): void {
  if (!response.headersSent) for (const header of FILE_HEADERS) response.removeHeader(header);
}

/** Sends a local file with ranges and conditional requests. An error with `status` 404 when it is not there. */
export async function sendFile(path: string, request: Request, response: Response): Promise<void> {
  await fitSuffixRange(request, path);
  await new Promise<void>((resolve, reject) => {
    response.sendFile(
      path,
      { dotfiles: 'allow', cacheControl: false },
      (error?: Error & { status?: number; code?: string }) => {
        // A player that seeks or leaves closes the connection: not an error of anybody.
        if (!error || error.code === 'ECONNABORTED' || error.code === 'EPIPE') return resolve();
        const code = ERROR_CODES[error.status as keyof typeof ERROR_CODES];
        return reject(code ? new DomainError(code, undefined, { cause: error }) : error);
      },
    );
  });
}

/** RFC 9110, 14.1.2: a suffix longer than the file means all of it; `range-parser` calls that unsatisfiable. */
async function fitSuffixRange(request: Request, path: string): Promise<void> {
  const length = /^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1];
  if (length === undefined) return;
  const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // Sending it says so.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file && file.size > 0 && Number(length) > file.size) request.headers.range = 'bytes=0-';
}
