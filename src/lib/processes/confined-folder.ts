import { randomInt } from 'node:crypto';
import { constants, existsSync, type Stats } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  lchown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Names as the child sees them, relative to its working folder. */
const INPUT_FOLDER = 'in';
export const OUTPUT_FOLDER = 'out';
/** The subfolder on which the root of an isolated child is mounted. */
export const ROOT_MOUNT = 'root';

const PREFIX = 'child-';
const MAX_FILES = 200_000;
/** Assigned to nobody by the usual distributions, and present in a container whose uids are mapped. */
const UIDS = { from: 61_184, to: 65_520 } as const;

/**
 * How strictly child processes are confined. `isolated`: a child sees only its own folder and the programs it needs, no
 * other process and no network; as root, it also has a uid of its own. `limits`: only its resources are limited.
 */
export type ConfinementLevel = 'isolated' | 'limits';

/** A child left something in its output that is not a plain file of its own, such as a link. */
class UntrustedOutputError extends Error {
  constructor(what: string) {
    super(`a child process left ${what}`);
  }
}

/**
 * The working folder of a confined child: it reads from `in`, writes to `out`, and reaches nothing else if it is isolated.
 * Paths in requests and replies are relative to it, because an isolated child does not have the absolute ones.
 */
export class ConfinedFolder {
  /** Private files that the child may read, by their path in the folder, as they were before. */
  private readonly lent = new Map<string, Stats>();
  private added = 0;

  private constructor(
    private location: string,
    readonly isolated: boolean,
    /**
     * The uid and gid of an isolated child of root; null if the child has those of the service. Another child with the
     * same one would see nothing of this one.
     */
    readonly uid: number | null,
  ) {}

  /** Creates the folder inside `parent`. `remove` must be called, once the child has ended. */
  static async create(parent: string, level: ConfinementLevel): Promise<ConfinedFolder> {
    const isolated = level === 'isolated';
    const uid = isolated && process.getuid?.() === 0 ? randomInt(UIDS.from, UIDS.to) : null;
    const path = await mkdtemp(join(parent, PREFIX));
    for (const name of [INPUT_FOLDER, OUTPUT_FOLDER, ROOT_MOUNT]) await mkdir(join(path, name), 0o700);
    if (uid !== null) {
      await chown(join(path, OUTPUT_FOLDER), uid, uid);
      for (const folder of [path, join(path, INPUT_FOLDER)]) {
        await chown(folder, -1, uid);
        await chmod(folder, 0o750);
      }
    }
    return new ConfinedFolder(path, isolated, uid);
  }

  /** Whether the entry of a folder has been created by this class. */
  static isOne(name: string): boolean {
    return name.startsWith(PREFIX);
  }

  get path(): string {
    return this.location;
  }

  /**
   * Lets the child read a file; returns its path as the child sees it. The file is copied only if it cannot be linked.
   * An isolated child cannot change it. A private file is lent to one child with a uid of its own at a time.
   */
  async add(file: string): Promise<string> {
    const name = `${INPUT_FOLDER}/${(this.added += 1)}-${basename(file)}`;
    const inside = join(this.path, name);
    const before = await stat(file);
    await link(file, inside).catch(() => copyFile(file, inside, constants.COPYFILE_FICLONE));
    if (this.uid !== null && (before.mode & 0o004) === 0) {
      this.lent.set(name, before);
      await chown(inside, -1, this.uid);
      await chmod(inside, 0o640);
    }
    return name;
  }

  /** Takes back all files of `add`. */
  async takeBack(): Promise<void> {
    for (const [name, { gid, mode }] of this.lent) {
      const inside = join(this.path, name);
      // Gone if the folder around it has been removed.
      if (!existsSync(inside)) continue;
      await chown(inside, -1, gid);
      await chmod(inside, mode & 0o777);
    }
    this.lent.clear();
    const input = join(this.path, INPUT_FOLDER);
    for (const name of await readdir(input).catch(() => [])) await rm(join(input, name), { force: true });
  }

  /**
   * Moves everything the child has written into a folder of the service, when the child has ended. Throws
   * `UntrustedOutputError` if anything is not a plain file of the child's, because following a link would read or
   * overwrite what the child could not, or if it has a name that is not expected.
   */
  async collect(into: string, isExpected: (file: string) => boolean): Promise<void> {
    const files = await this.plainFiles('');
    if (!files.every(isExpected)) throw new UntrustedOutputError('files with unexpected names');
    for (const file of files) {
      const from = join(this.path, OUTPUT_FOLDER, file);
      if (this.uid !== null) await lchown(from, 0, process.getgid?.() ?? 0);
      await chmod(from, 0o600);
      const to = join(into, file);
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
    }
  }

  /** Bytes of disk space that the output occupies. */
  async outputBytes(): Promise<number> {
    return spaceIn(join(this.path, OUTPUT_FOLDER));
  }

  /** Moves the folder, which the child does not notice. */
  async moveInto(parent: string): Promise<void> {
    const target = join(parent, basename(this.location));
    if (target === this.location) return;
    await rename(this.location, target);
    this.location = target;
  }

  async remove(): Promise<void> {
    await this.takeBack();
    await rm(this.location, { recursive: true, force: true, maxRetries: 5 });
  }

  private async plainFiles(below: string, found: string[] = []): Promise<string[]> {
    for (const name of await readdir(join(this.path, OUTPUT_FOLDER, below))) {
      const file = below === '' ? name : `${below}/${name}`;
      const stats = await lstat(join(this.path, OUTPUT_FOLDER, file));
      if (stats.isDirectory()) await this.plainFiles(file, found);
      else if (this.isPlain(stats)) found.push(file);
      else throw new UntrustedOutputError('something other than plain files');
      if (found.length > MAX_FILES) throw new UntrustedOutputError('too many files');
    }
    return found;
  }

  private isPlain(stats: Stats): boolean {
    return stats.isFile() && stats.nlink === 1 && (this.uid === null || stats.uid === this.uid);
  }
}

/** Disappearing entries count as nothing, because the child is still writing. */
async function spaceIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats?.isDirectory()) bytes += await spaceIn(path);
    else if (stats) bytes += stats.blocks ? stats.blocks * 512 : stats.size;
  }
  return bytes;
}
