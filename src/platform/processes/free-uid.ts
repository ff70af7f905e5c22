import { randomInt } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';

/** Assigned to nobody by the usual distributions, and present in a container whose uids are mapped. */
const UIDS = { from: 61_184, to: 65_520 } as const;

const taken = new Set<number>();

/** A uid (also a gid) that no process of this machine has, until it is released. Throws if there is none. */
export async function takeUid(): Promise<number> {
  const used = await usedUids();
  const free: number[] = [];
  for (let uid = UIDS.from; uid < UIDS.to; uid++) if (!used.has(uid) && !taken.has(uid)) free.push(uid);
  // At random, because another process of the service may be choosing at the same moment.
  const uid = free[randomInt(Math.max(1, free.length))];
  if (uid === undefined) throw new Error('no uid is free for another child process');
  taken.add(uid);
  return uid;
}

export function releaseUid(uid: number): void {
  taken.delete(uid);
}

async function usedUids(): Promise<ReadonlySet<number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const owners = await Promise.all(
    pids.map((pid) =>
      stat(`/proc/${pid}`).then(
        ({ uid }) => uid,
        // Exited in the meantime.
        () => 0,
      ),
    ),
  );
  return new Set(owners);
}
