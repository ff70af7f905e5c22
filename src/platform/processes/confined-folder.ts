import { constants, type Stats } from 'node:fs';
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
import { ROOT_MOUNT, type ConfinementLevel } from './confinement-levels.js';
import { releaseUid, takeUid } from './free-uid.js';

/** Names as the child sees them, relative to its working folder. */
const INPUT_FOLDER = 'in';
export const OUTPUT_FOLDER = 'out';

const PREFIX = 'child-';
const MOST_FILES = 200_000;
/** Error codes of a file system that cannot create a hard link. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A child left something in its output that is not a plain file of its own, such as a link. */
export class UntrustedOutputError extends Error {}

/**
 * The working folder of a confined child: it reads from `in`, writes to `out`, and reaches nothing else. Paths in requests
 * and replies are relative to it, because a child with a uid of its own cannot resolve absolute ones.
 */
export class ConfinedFolder {
  /** Files that the child may read, by their name in `in`, as they were before. */
  private readonly lent = new Map<string, Stats>();
  private added = 0;

  private constructor(
    readonly level: ConfinementLevel,
    private location: string,
    /** The child's own uid and gid; null if it has that of the service. */
    readonly uid: number | null,
  ) {}

  /** Creates the folder inside `parent`. `remove` must be called, once the child has ended. */
  static async create(parent: string, level: ConfinementLevel): Promise<ConfinedFolder> {
    const uid = level.ownUser ? await takeUid() : null;
    try {
      const folder = new ConfinedFolder(level, await mkdtemp(join(parent, PREFIX)), uid);
      await folder.build();
      return folder;
    } catch (error) {
      if (uid !== null) releaseUid(uid);
      throw error;
    }
  }

  /** Whether the entry of a folder has been created by this class. */
  static isOne(name: string): boolean {
    return name.startsWith(PREFIX);
  }

  get path(): string {
    return this.location;
  }

  /**
   * Lets the child read a file; returns its path as the child sees it. The file is copied only if it is on another file
   * system. A child with a uid or a root of its own cannot change it. A private file is lent to one such child at a time.
   */
  async add(file: string): Promise<string> {
    const name = `${(this.added += 1)}-${basename(file)}`;
    const inside = this.inputPath(name);
    const before = await stat(file);
    try {
      await link(file, inside);
    } catch (error) {
      if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await copyFile(file, inside, constants.COPYFILE_FICLONE);
    }
    this.lent.set(name, before);
    if (this.mustOpen(before)) {
      await chown(inside, before.uid, this.uid ?? before.gid);
      await chmod(inside, 0o640);
    }
    return `${INPUT_FOLDER}/${name}`;
  }

  /** Takes back all files of `add`. */
  async takeBack(): Promise<void> {
    for (const [name, before] of this.lent) {
      const inside = this.inputPath(name);
      // Gone if the folder around it has been removed.
      const exists = await lstat(inside).catch(() => null);
      if (exists && this.mustOpen(before)) {
        await chown(inside, before.uid, before.gid);
        await chmod(inside, before.mode & 0o777);
      }
      await rm(inside, { force: true });
    }
    this.lent.clear();
  }

  /**
   * Moves everything the child has written into a folder of the service, when the child has ended; returns relative paths,
   * with slashes. Throws `UntrustedOutputError` if anything is not a plain file of the child's, because following a link would
   * read or overwrite what the child could not, or if it has a name that is not expected.
   */
  async collect(into: string, isExpected: (file: string) => boolean): Promise<string[]> {
    const files = await this.plainFiles('');
    if (!files.every(isExpected)) {
      throw new UntrustedOutputError('a child process left files with unexpected names');
    }
    for (const file of files) {
      const from = join(this.path, OUTPUT_FOLDER, file);
      if (this.uid !== null) await lchown(from, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
      await chmod(from, 0o600);
      const to = join(into, file);
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await rename(from, to);
    }
    return files;
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
    if (this.uid !== null) releaseUid(this.uid);
  }

  private async build(): Promise<void> {
    const [input, output] = [INPUT_FOLDER, OUTPUT_FOLDER].map((name) => join(this.path, name)) as [
      string,
      string,
    ];
    for (const folder of [input, output, join(this.path, ROOT_MOUNT)]) await mkdir(folder, { mode: 0o700 });
    if (this.uid === null) return;
    await chown(output, this.uid, this.uid);
    for (const folder of [this.path, input]) {
      await chown(folder, process.getuid?.() ?? 0, this.uid);
      await chmod(folder, 0o750);
    }
  }

  /** Whether a file has to get the group of the child, because not every user can read it. */
  private mustOpen({ mode }: Stats): boolean {
    return this.uid !== null && (mode & 0o004) === 0;
  }

  private inputPath(name: string): string {
    return join(this.path, INPUT_FOLDER, name);
  }

  private async plainFiles(below: string, found: string[] = []): Promise<string[]> {
    for (const name of await readdir(join(this.path, OUTPUT_FOLDER, below))) {
      const file = below === '' ? name : `${below}/${name}`;
      const stats = await lstat(join(this.path, OUTPUT_FOLDER, file));
      if (stats.isDirectory()) await this.plainFiles(file, found);
      else if (this.isPlain(stats)) found.push(file);
      else throw new UntrustedOutputError('a child process left something other than plain files');
      if (found.length > MOST_FILES) throw new UntrustedOutputError('a child process left too many files');
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
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await spaceIn(path);
    else
      bytes += await lstat(path).then(
        ({ blocks = 0, size }) => (blocks ? blocks * 512 : size),
        () => 0,
      );
  }
  return bytes;
}
