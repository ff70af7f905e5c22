import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { minimalEnvironment } from '../../../platform/processes/minimal-environment.js';
import { StallWatch } from '../../../platform/processes/stall-watch.js';
import { TurnOverError } from '../transcriber.js';
import { STOP, type HeardMessage, type SpeechMessage, type SpeechRequest } from './speech-messages.js';

const ENTRY_POINT = fileURLToPath(new URL('./speech.process.js', import.meta.url));
/** JavaScript heap only; the model is outside of it. */
const HEAP_MEGABYTES = 256;
const KEPT_ERROR_CHARACTERS = 1000;
/** How long an idle process keeps its model in memory. */
const IDLE_MS = 60_000;

export interface SpeechOptions {
  /** Ends the process, and with it the work, at once; after a `TurnOverError` the process ends its work itself. */
  readonly signal: AbortSignal;
  readonly onHeard: (heard: HeardMessage) => void;
}

/** The model could not be loaded: its files are damaged, or the library does not run here. A retry would not help. */
export class SpeechModelError extends Error {}

/** A child process that recognizes speech. It is started when needed, and kept while there is work. */
export class SpeechChild {
  private child: ChildProcess | null = null;
  /** Whether the process has loaded its model; still known after its end, to tell why it ended. */
  private loaded = false;
  private errors = '';
  private idle: NodeJS.Timeout | undefined;

  /**
   * Recognizes the voices of a request; one request at a time. Throws `SpeechModelError` if the model cannot be loaded, and
   * another error if the process dies, which is worth a retry.
   */
  async run(request: SpeechRequest, { signal, onHeard }: SpeechOptions): Promise<void> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    const watch = new StallWatch(() => this.stop());
    const onAbort = (): void => {
      if (signal.reason instanceof TurnOverError) child.send(STOP, () => undefined);
      else this.stop();
    };
    signal.addEventListener('abort', onAbort);
    try {
      await this.ask(child, request, (heard) => {
        watch.alive();
        onHeard(heard);
      });
    } catch (error) {
      this.stop();
      signal.throwIfAborted();
      throw error;
    } finally {
      watch.stop();
      signal.removeEventListener('abort', onAbort);
      this.idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    }
    signal.throwIfAborted();
  }

  /** Ends the process if there is one. */
  stop(): void {
    clearTimeout(this.idle);
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcess {
    const child = fork(ENTRY_POINT, [], {
      env: minimalEnvironment(),
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.errors = '';
    this.loaded = false;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    child.once('exit', () => {
      if (this.child === child) this.stop();
    });
    return child;
  }

  private ask(child: ChildProcess, request: SpeechRequest, onHeard: SpeechOptions['onHeard']): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        child.off('message', onMessage).off('close', onClose).off('error', onError);
        if (error) reject(error);
        else resolve();
      };
      const onMessage = (message: SpeechMessage): void => {
        if (message.kind === 'loaded') this.loaded = true;
        else if (message.kind === 'heard') onHeard(message);
        else if (message.kind === 'done') end();
        else end(this.failure(message.message));
      };
      const onClose = (status: number | null, killedBy: NodeJS.Signals | null): void => {
        // Killed from outside, such as for lack of memory, which says nothing about the model.
        if (killedBy === 'SIGKILL') return end(new Error('the speech process was killed'));
        const how = killedBy ? `ended by ${killedBy}` : `ended with status ${status}`;
        end(this.failure([how, this.errors.trim()].filter(Boolean).join(': ')));
      };
      const onError = (error: Error): void => end(error);
      child.on('message', onMessage).on('close', onClose).on('error', onError);
      // A send error means that the child has already exited, which `close` reports.
      child.send(request, () => undefined);
    });
  }

  private failure(reason: string): Error {
    return this.loaded ? new Error(`the speech process failed: ${reason}`) : new SpeechModelError(reason);
  }
}
