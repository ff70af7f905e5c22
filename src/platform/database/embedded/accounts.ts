import { readFile } from 'node:fs/promises';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Spread into the options of `spawn`. Empty unless this process is root: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

export async function accounts(): Promise<Account[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** The name of a user for messages to the operator. */
export async function accountName(uid: number): Promise<string> {
  return (await accounts()).find((account) => account.uid === uid)?.name ?? `uid ${uid}`;
}
