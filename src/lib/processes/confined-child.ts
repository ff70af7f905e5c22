import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import { commandLine, environment, type Confines } from './confined-command.js';
import type { ConfinedFolder } from './confined-folder.js';

const WATCH_MS = 1_000;
/** How long output may still arrive after the end of a child. */
const DRAIN_MS = 5_000;
/** Exit status of a shell whose command was ended by a signal, without the number of the signal. */
const SIGNAL_STATUS = 128;
const KEPT_ERROR_CHARACTERS = 4_000;

export interface ConfinedOptions extends Confines {
  /** Kills the child. */
  readonly signal?: AbortSignal;
}

/** How a child ended: with a status or by a signal, or it could not be started. */
export interface ChildEnding {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error: Error | null;
  /** It was ended because it wrote more than `outputBytes`. */
  readonly tooMuchOutput: boolean;
  /** The end of its error output. */
  readonly stderr: string;
}

export interface ConfinedChild {
  readonly process: ChildProcess;
  /** Resolves when the child and everything it started has ended. Never rejects. */
  readonly ended: Promise<ChildEnding>;
  /** Ends it at once. */
  kill(): void;
}

/** Starts a Node module with an IPC channel, confined to a folder. Its standard output is ignored. */
export function forkConfined(
  folder: ConfinedFolder,
  module: string,
  args: readonly string[],
  /** `heapMegabytes`: of the JavaScript heap. */
  { heapMegabytes, ...options }: ConfinedOptions & { readonly heapMegabytes: number },
): ConfinedChild {
  const line = [`--max-old-space-size=${heapMegabytes}`, module, ...args];
  return start(folder, process.execPath, line, ['ignore', 'ignore', 'pipe', 'ipc'], options);
}

/** Starts a program, confined to a folder. Reads of its standard output are up to the caller. */
export const spawnConfined = (
  folder: ConfinedFolder,
  program: string,
  args: readonly string[],
  options: ConfinedOptions,
): ConfinedChild => start(folder, program, args, ['ignore', 'pipe', 'pipe'], options);

function start(
  folder: ConfinedFolder,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
  options: ConfinedOptions,
): ConfinedChild {
  const [command, ...rest] = commandLine(folder, program, args, options);
  const child = spawn(command, rest, {
    cwd: folder.path,
    env: environment(folder),
    // A process group of its own, so that what it started ends with it.
    detached: ownsGroup(folder),
    signal: options.signal,
    killSignal: 'SIGKILL',
    stdio,
    windowsHide: true,
  });
  return watched(folder, child, options);
}

function watched(folder: ConfinedFolder, child: ChildProcess, { bounds }: ConfinedOptions): ConfinedChild {
  const kill = (): void => void child.kill('SIGKILL');
  let tooMuchOutput = false;
  let measuring = false;
  const measure = async (): Promise<void> => {
    if (measuring) return;
    measuring = true;
    tooMuchOutput ||= (await folder.outputBytes()) >= bounds.outputBytes;
    measuring = false;
    if (tooMuchOutput) kill();
  };
  const timer = setInterval(() => void measure(), WATCH_MS).unref();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  child.once('exit', () => {
    // What it left behind may hold its output open, which would delay `close`.
    if (ownsGroup(folder)) endGroup(child.pid);
    // What could not be ended must not keep the service waiting.
    setTimeout(() => [child.stdout, child.stderr].map((stream) => stream?.destroy()), DRAIN_MS).unref();
  });
  const ended = new Promise<ChildEnding>((resolve) => {
    const end = (ending: Pick<ChildEnding, 'status' | 'signal' | 'error'>): void => {
      clearInterval(timer);
      resolve({ ...ending, tooMuchOutput, stderr: stderr.trim() });
    };
    child.on('error', (error) => {
      // If it did not start, no `close` follows; after an abort, one does.
      if (child.pid === undefined) end({ status: null, signal: null, error });
    });
    child.once('close', (status, signal) => {
      const by = signal ?? signalOf(status);
      void measure().then(() => end({ status: by ? null : status, signal: by, error: null }));
    });
  });
  return { process: child, ended, kill };
}

/** An isolated child has its own process namespace, which the kernel empties. */
const ownsGroup = ({ isolated }: ConfinedFolder): boolean => !isolated && process.platform !== 'win32';

function endGroup(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

/** The first process of a namespace passes a signal on as an exit status, as shells do. */
function signalOf(status: number | null): NodeJS.Signals | null {
  const number = (status ?? 0) - SIGNAL_STATUS;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found ? (found[0] as NodeJS.Signals) : null;
}
