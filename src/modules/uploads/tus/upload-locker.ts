import type { Lock, Locker } from '@tus/utils';
import type { Request } from 'express';

interface Held {
  readonly request: Request;
  /** Asks the holder to finish soon. */
  readonly release: () => void;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/** What a request knows of its lock. */
export interface RequestLocker extends Locker {
  /** Whether a later request for the same upload wants the lock. */
  isSuperseded(): boolean;
}

/**
 * One request that changes an upload at a time within this process; a later one ends an earlier one, which its client
 * has given up. `HEAD` reads what is durable, and waits only for a request whose client is gone, as its bytes are being
 * stored. Between processes the offset decides: the second to append at it gets 409.
 */
export class UploadLocker {
  private readonly held = new Map<string, Held>();

  forRequest(request: Request): RequestLocker {
    const state = { superseded: false };
    const newLock = request.method === 'HEAD' ? this.shared : this.exclusive;
    return {
      newLock: (id) => newLock(id, request, () => (state.superseded = true)),
      isSuperseded: () => state.superseded,
    };
  }

  private readonly shared = (id: string): Lock => ({
    lock: async () => {
      const holder = this.held.get(id);
      if (holder && isGone(holder.request)) await holder.ended;
    },
    unlock: async () => {},
  });

  private readonly exclusive = (id: string, request: Request, onRelease: () => void): Lock => {
    let mine: Held | undefined;
    return {
      lock: async (signal, requestRelease) => {
        for (let holder = this.held.get(id); holder; holder = this.held.get(id)) {
          holder.release();
          await holder.ended;
          signal.throwIfAborted();
        }
        mine = hold(request, () => {
          // What has arrived from a client that is gone is kept.
          if (!isGone(request)) onRelease();
          void requestRelease();
        });
        this.held.set(id, mine);
      },
      unlock: async () => {
        this.held.delete(id);
        mine?.end();
      },
    };
  };
}

/** Whether it is known that no more bytes will arrive, nor the reply be read. */
const isGone = ({ readableAborted, socket }: Request): boolean => readableAborted || socket.destroyed;

function hold(request: Request, release: () => void): Held {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { request, release, end, ended };
}
