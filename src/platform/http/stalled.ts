import type { Request } from 'express';

const STALLED_MS = 120_000;

/** Ends a connection on which a file arrives no further; what has arrived by then counts. */
export function endWhenStalled(request: Request): void {
  request.setTimeout(STALLED_MS, () => request.destroy());
}
