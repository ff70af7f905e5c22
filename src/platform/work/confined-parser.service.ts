import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Deadline } from '../../lib/deadline.js';
import { spawnConfined, type ChildEnding } from '../../lib/processes/confined-child.js';
import { OUTPUT_FOLDER } from '../../lib/processes/confined-folder.js';
import { withConfinedFolder } from '../../lib/processes/confinement.js';
import { countCores } from '../runtime/cores.js';
import { observed } from '../telemetry/observed.js';
import { FairQueue } from './fair-queue.js';
import { WorkLimitError, type WorkOptions } from './work-pool.service.js';

/** The default export of a module (`import.meta.url`), which parses untrusted bytes; its result is as untrusted. */
export interface ParserTask<Options> {
  readonly module: string;
  /** Only infers types. `options` is passed as JSON. */
  readonly run?: (bytes: Uint8Array, options: Options) => string | Promise<string>;
}

const ENTRY_POINT = fileURLToPath(new URL('./parser.process.js', import.meta.url));
/** Name of the file with what a parser returned. */
const PARSED = 'parsed';
const FOLDER_PREFIX = 'mrs-parse-';
/** A folder that old was left behind by a process that was killed; no parser runs as long. */
const ABANDONED_MS = 60 * 60 * 1000;
const MAX_AT_ONCE = 8;
const WAITING = { waiting: 200, waitingEach: 20 };
const HEAP_MEGABYTES = 512;
/** Besides the heap: the input, the output, and what Node needs for itself. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const OUTPUT_BYTES = 64 * 1024 ** 2;

/** Parses files of callers in confined processes, one for each file, at most half of the cores for one caller. */
@Injectable()
export class ConfinedParser implements OnModuleInit {
  private readonly queue: FairQueue;

  /** `parent`: the folder for temporary folders; that of the operating system by default. */
  constructor(@Optional() private readonly parent = tmpdir()) {
    const cores = Math.min(MAX_AT_ONCE, countCores());
    this.queue = new FairQueue({ atOnce: cores, atOnceEach: Math.max(1, Math.floor(cores / 2)), ...WAITING });
  }

  /** Removes the files of callers that processes left behind when they were killed. */
  async onModuleInit(): Promise<void> {
    for (const name of await readdir(this.parent)) {
      const path = join(this.parent, name);
      if (name.startsWith(FOLDER_PREFIX) && (await isAbandoned(path)))
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Throws 503 `SERVICE_UNAVAILABLE` if the queue is full, `WorkLimitError`, and the reason of `signal`. */
  run<Options>(
    task: ParserTask<Options>,
    bytes: Uint8Array,
    options: Options,
    { caller, seconds, signal }: Pick<WorkOptions, 'caller' | 'seconds' | 'signal'>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.queue.run(caller, () => this.parse(task, bytes, options, seconds, signal), { signal });
  }

  private async parse<Options>(
    { module }: ParserTask<Options>,
    bytes: Uint8Array,
    options: Options,
    seconds: number,
    aborted?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const temporary = await mkdtemp(join(this.parent, FOLDER_PREFIX));
    try {
      const file = join(temporary, 'file');
      await writeFile(file, bytes, { mode: 0o600 });
      await withConfinedFolder(temporary, async (folder) => {
        using deadline = new Deadline(seconds * 1000, aborted);
        const heap = `--max-old-space-size=${HEAP_MEGABYTES}`;
        const paths = [await folder.add(file), `${OUTPUT_FOLDER}/${PARSED}`];
        const args = [heap, ENTRY_POINT, module, ...paths, JSON.stringify(options)];
        const { ended } = spawnConfined(folder, process.execPath, args, {
          bounds: { memoryBytes: MEMORY_BYTES, cpuSeconds: seconds, outputBytes: OUTPUT_BYTES },
          signal: deadline.signal,
        });
        const ending = await observed('process', 'parser', () => ended);
        aborted?.throwIfAborted();
        if (deadline.isOver) throw new WorkLimitError('time');
        requireSuccess(ending);
        await folder.collect(temporary, (name) => name === PARSED);
      });
      return await readFile(join(temporary, PARSED));
    } finally {
      await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

function requireSuccess({ status, signal, error, stderr, tooMuchOutput }: ChildEnding): void {
  if (status === 0) return;
  if (tooMuchOutput || signal === 'SIGXFSZ' || stderr.includes('EFBIG')) throw new WorkLimitError('output');
  if (signal === 'SIGXCPU') throw new WorkLimitError('time');
  if (signal === 'SIGABRT' || /out of memory/i.test(stderr)) throw new WorkLimitError('memory');
  throw new Error(`the parser ended with ${signal ?? status}: ${stderr}`, { cause: error ?? undefined });
}

/** Not one of another user or of a process at work, nor one that another process has just removed. */
async function isAbandoned(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null || stats.uid !== (process.getuid?.() ?? stats.uid)) return false;
  return Date.now() - stats.mtimeMs > ABANDONED_MS;
}
