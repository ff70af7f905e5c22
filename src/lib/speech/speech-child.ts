import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkConfined, type ChildEnding, type ConfinedChild } from '../processes/confined-child.js';
import { ConfinedFolder, OUTPUT_FOLDER } from '../processes/confined-folder.js';
import { confinement } from '../processes/confinement.js';
import { StallWatch } from '../processes/stall-watch.js';
import { modelFiles } from './model-files.js';
import { SPEECH_MESSAGE, STOP, type SpeechRequest, type SpeechResult } from './speech-messages.js';

const ENTRY_POINT = fileURLToPath(new URL('./speech.process.js', import.meta.url));
/** JavaScript heap only; the model is outside of it. */
const HEAP_MEGABYTES = 256;
const KEPT_ERROR_CHARACTERS = 1000;
/** How long an idle process keeps its model in memory. */
const IDLE_MS = 60_000;
/** What the process as a whole may use, in bytes and seconds of CPU time. */
const BOUNDS = {
  memory: 4 * 1024 ** 3,
  /** A model takes more memory than its files. */
  memoryPerModelByte: 4,
  /** More than the longest recording takes; a process that has worked for as long is replaced. */
  cpuSeconds: 7 * 24 * 60 * 60,
  /** The vocabulary of the built-in model. */
  output: 64 * 1024 ** 2,
} as const;

export interface SpeechOptions {
  /** Ends the process at once, unless `mayFinishPassage`: then the process ends its work itself. */
  readonly signal: AbortSignal;
  readonly mayFinishPassage: (reason: unknown) => boolean;
  readonly onResult: (result: SpeechResult) => void;
}

/** The model could not be loaded: its files are damaged, or the library does not run here. A retry would not help. */
export class SpeechModelError extends Error {}

interface Started {
  readonly child: ConfinedChild;
  readonly folder: ConfinedFolder;
  /** Whether the process has loaded its model. */
  loaded: boolean;
}

/** A confined child process that works on speech. It is started when needed, and kept while there is work. */
export class SpeechChild {
  private started: Started | null = null;
  private ending: Promise<void> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  /** One request at a time, for one model. `SpeechModelError`: it cannot be loaded; other errors are worth a retry. */
  async run(request: SpeechRequest, { signal, mayFinishPassage, onResult }: SpeechOptions): Promise<void> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const started = (this.started = (await this.reuse(request.folder)) ?? (await this.start(request)));
    const { process: child, kill } = started.child;
    const watch = new StallWatch(kill);
    const onAbort = (): void => {
      if (mayFinishPassage(signal.reason)) child.send(STOP, () => undefined);
      else kill();
    };
    try {
      const lent = await withLent(started.folder, request);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      const makesWay = await ask(started, lent, (result) => {
        watch.alive();
        onResult(result);
      });
      await started.folder.takeBack();
      // The folder of the request is about to be removed.
      await started.folder.moveInto(dirname(request.folder));
      // A short recording that comes next is not to wait.
      if (makesWay) await this.stop();
      else this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    } catch (error) {
      await this.stop();
      signal.throwIfAborted();
      throw error;
    } finally {
      watch.stop();
      signal.removeEventListener('abort', onAbort);
    }
    signal.throwIfAborted();
  }

  /** Ends the process if there is one, and removes its folder. */
  async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { started } = this;
    this.started = null;
    if (started) this.ending = finish(started);
    await this.ending;
  }

  /** The process of the last request, with its folder moved to that of the next; null if there is none. */
  private async reuse(folder: string): Promise<Started | null> {
    try {
      await this.started?.folder.moveInto(folder);
    } catch {
      // Its folder is gone.
      await this.stop();
    }
    return this.started;
  }

  private async start(request: SpeechRequest): Promise<Started> {
    const { folders, bytes } = await modelFiles(request);
    const { level } = await confinement();
    const folder = await ConfinedFolder.create(request.folder, level);
    const bounds = {
      memoryBytes: BOUNDS.memory + BOUNDS.memoryPerModelByte * bytes,
      cpuSeconds: BOUNDS.cpuSeconds,
      outputBytes: BOUNDS.output,
    };
    const options = { bounds, readable: folders, heapMegabytes: HEAP_MEGABYTES };
    const child = forkConfined(folder, ENTRY_POINT, [], options);
    const started = { child, folder, loaded: false };
    child.process.once('exit', () => {
      if (this.started === started) void this.stop();
    });
    return started;
  }
}

async function finish({ child, folder }: Started): Promise<void> {
  child.kill();
  await child.ended;
  // If it cannot be removed now, the next job removes what is left (`ScratchService`).
  await folder.remove().catch(() => undefined);
}

/** The request as the process sees it. */
async function withLent(folder: ConfinedFolder, request: SpeechRequest): Promise<SpeechRequest> {
  const voices = [];
  const paths = new Map<string, string>();
  for (const { path, from } of request.voices) {
    const inside = paths.get(path) ?? (await folder.add(path));
    paths.set(path, inside);
    voices.push({ path: inside, from });
  }
  return { ...request, folder: OUTPUT_FOLDER, voices };
}

/** Resolves to whether the process has the lowest priority by now, which it cannot raise. */
function ask(
  started: Started,
  request: SpeechRequest,
  onResult: SpeechOptions['onResult'],
): Promise<boolean> {
  const { process: child, ended } = started.child;
  const failure = (reason: string): Error =>
    started.loaded ? new Error(`the speech process failed: ${reason}`) : new SpeechModelError(reason);
  return new Promise((resolve, reject) => {
    const end = (result: boolean | Error): void => {
      child.off('message', onMessage);
      if (typeof result === 'boolean') resolve(result);
      else reject(result);
    };
    const onMessage = (sent: unknown): void => {
      const { data: message } = SPEECH_MESSAGE.safeParse(sent);
      if (!message) end(new Error('the speech process sent an unexpected message'));
      else if (message.kind === 'loaded') started.loaded = true;
      else if (message.kind === 'done') end(message.makesWay);
      else if (message.kind === 'failed') end(failure(message.message));
      else onResult(message);
    };
    child.on('message', onMessage);
    void ended.then((ending) => end(reasonOf(ending, failure)));
    // A send error means that the child has already exited, which `ended` reports.
    child.send(request, () => undefined);
  });
}

function reasonOf({ signal, status, error, stderr }: ChildEnding, failure: (reason: string) => Error): Error {
  if (error) return error;
  // Killed from outside, such as for lack of memory, which says nothing about the model.
  if (signal === 'SIGKILL') return new Error('the speech process was killed');
  const how = signal ? `ended by ${signal}` : `ended with status ${status}`;
  return failure([how, stderr.slice(-KEPT_ERROR_CHARACTERS)].filter(Boolean).join(': '));
}
