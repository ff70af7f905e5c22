import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

/**
 * Closes the connection that the process is just getting when it ends. Node hands over one at a time, and forgets it if
 * the process ends before it has answered: its client would wait for ever.
 */
export function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  let handed: Handle | undefined;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isHandle(handle)) handed = handle;
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) handed = undefined;
  });
  worker.once('exit', () => handed?.close());
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value;
