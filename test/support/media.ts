import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a player finds in a file. Times in seconds; `flashAt` and `beepAt` are 1 for files of `makeMedia`. */
export interface ReadMedia {
  readonly duration: number;
  readonly start: number;
  readonly video: null | {
    readonly codec: string;
    readonly width: number;
    readonly height: number;
    readonly rotation: number;
    readonly end: number;
    readonly redCorner: string | null;
    readonly flashAt: number | null;
  };
  readonly audio: null | { readonly codec: string; readonly seconds: number; readonly beepAt: number | null };
}

export interface ReadPackage {
  readonly hls: ReadMedia;
  readonly file: ReadMedia | null;
  readonly segments: {
    readonly durations: number[];
    /** Whether each starts with a key frame; null without video. */
    readonly keys: (boolean | null)[];
    readonly playlist: string;
    readonly master: string;
  };
}

/** Files that are made from one that is whole. */
const DAMAGED: Readonly<Record<string, { of: string; by: (from: string, to: string) => Promise<void> }>> = {
  'cut.webm': { of: 'live.webm', by: (from, to) => cutOff(from, to, 0.6) },
  'cut-fragmented.mp4': { of: 'fragmented.mp4', by: (from, to) => cutOff(from, to, 0.7) },
  'cut-fast-start.mp4': { of: 'fast-start.mp4', by: (from, to) => cutOff(from, to, 0.7) },
  'no-index.mp4': { of: 'index-last.mp4', by: (from, to) => cutOff(from, to, 0.7) },
  'encrypted.mp4': { of: 'fast-start.mp4', by: encrypt },
};

/**
 * Creates a folder of files to package, some damaged, some not media at all; the caller removes it. `only`: these,
 * which takes less time than all.
 */
export async function makeMedia(only?: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-media-'));
  const films = only?.map((name) => DAMAGED[name]?.of ?? name) ?? [];
  await run(process.execPath, [here('make-media.mjs'), folder, ...films]);
  const path = (name: string) => join(folder, name);
  for (const [name, { of, by }] of Object.entries(DAMAGED)) {
    if (!only || only.includes(name)) await by(path(of), path(name));
  }
  await writeFile(path('empty.mp4'), '');
  await writeFile(path('text.mp4'), 'Minutes of the meeting\n'.repeat(100));
  await writeFile(path('playlist.m3u8'), '#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n');
  return folder;
}

/** Reads packages, and a file beside each, completely. */
export async function readPackages(packages: { folder: string; file?: string }[]): Promise<ReadPackage[]> {
  const { stdout } = await run(process.execPath, [here('read-media.mjs'), JSON.stringify(packages)]);
  return JSON.parse(stdout) as ReadPackage[];
}

/** Paths of all files, relative and sorted. */
export async function allFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Whether the index precedes the media. */
export function isFastStart(path: string): boolean {
  const data = readFileSync(path);
  return data.indexOf('moov') < data.indexOf('mdat');
}

export async function digest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** Descendants of this process with this word in their command line, according to `/proc`. */
export function childProcesses(word: string): { id: number; command: string }[] {
  if (!existsSync('/proc/self/stat')) return [];
  const found = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  const own = new Set([process.pid]);
  // A parent does not always have the lower id.
  for (let before = 0; before < own.size;) {
    before = own.size;
    for (const { id, parent } of found) if (own.has(parent)) own.add(id);
  }
  own.delete(process.pid);
  return found.filter(({ id, command }) => own.has(id) && command.includes(word));
}

function readProcess(name: string): { id: number; parent: number; command: string }[] {
  try {
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ id: Number(name), parent: Number(parent), command }];
  } catch {
    // Exited in the meantime.
    return [];
  }
}

async function cutOff(from: string, to: string, part: number): Promise<void> {
  await copyFile(from, to);
  await truncate(to, Math.floor((await stat(to)).size * part));
}

/** An index like that of a file with encrypted tracks. */
async function encrypt(from: string, to: string): Promise<void> {
  const data = await readFile(from);
  data.write('encv', data.indexOf('avc1', data.indexOf('stsd')), 'latin1');
  data.write('schm', data.indexOf('stts'), 'latin1');
  await writeFile(to, data);
}
