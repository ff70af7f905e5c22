import type { Lock, Locker } from '@tus/utils';

interface Held {
  /** Asks the holder to finish soon. */
  readonly release: () => void;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/**
 * One request at a time per upload within this process: when a client reconnects after a broken connection, the bytes of
 * the old request are stored before it gets the offset. Between processes the offset itself decides: the second to append
 * at it gets 409 and asks for it again.
 */
export class UploadLocker implements Locker {
  private readonly held = new Map<string, Held>();

  newLock(id: string): Lock {
    let mine: Held | undefined;
    return {
      lock: async (signal, requestRelease) => {
        for (let holder = this.held.get(id); holder; holder = this.held.get(id)) {
          holder.release();
          await holder.ended;
          signal.throwIfAborted();
        }
        mine = hold(() => void requestRelease());
        this.held.set(id, mine);
      },
      unlock: async () => {
        this.held.delete(id);
        mine?.end();
      },
    };
  }
}

function hold(release: () => void): Held {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { release, end, ended };
}
