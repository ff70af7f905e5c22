import type { Request } from 'express';

const STALLED_MS = 120_000;

/** Ends a connection on which a file arrives no further; what has arrived by then counts. */
export function endWhenStalled(request: Request): void {
  request.setTimeout(STALLED_MS, () => request.destroy());
}

/** Bytes that the body has by its header; undefined when that is not said beforehand. */
export function contentLength(request: Request): number | undefined {
  const announced = request.get('Content-Length');
  return announced === undefined ? undefined : Number(announced);
}
