import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import {
  Packager,
  UnplayableMediaError,
  type MediaPackage,
  type PackageOptions,
  type PackageRequest,
} from './packager.js';
import { fromSent, type PackagerMessage } from './packager-messages.js';
import { StallWatch } from './stall-watch.js';
import { minimalEnvironment } from './minimal-environment.js';

const ENTRANCE = fileURLToPath(new URL('./packager.process.js', import.meta.url));
/** Of JavaScript alone; the whole process watches itself. */
const HEAP_MEGABYTES = 512;
const KEPT_ERROR_CHARACTERS = 1000;

/**
 * Works with mediabunny and the codecs of FFmpeg as a library, in a child process per package: media that crashes a
 * native decoder, or leaks, hurts that child alone. Nothing has to be installed.
 */
@Injectable()
export class MediabunnyPackager extends Packager {
  override async package(
    request: PackageRequest,
    { signal, onProgress }: PackageOptions,
  ): Promise<MediaPackage> {
    signal.throwIfAborted();
    const child = fork(ENTRANCE, {
      env: minimalEnvironment(),
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const kill = () => child.kill('SIGKILL');
    const watch = new StallWatch(kill);
    signal.addEventListener('abort', kill, { once: true });
    try {
      const answer = await ask(child, request, (fraction) => {
        watch.alive();
        onProgress(fraction);
      });
      signal.throwIfAborted();
      if (watch.stalled) throw new Error('the packager stopped making progress');
      return toPackage(answer);
    } finally {
      watch.stop();
      signal.removeEventListener('abort', kill);
    }
  }
}

type Answer =
  Exclude<PackagerMessage, { kind: 'progress' }> | { readonly kind: 'silent'; readonly reason: string };

/** Resolves when the child has ended, so that nothing of it is left. */
function ask(
  child: ChildProcess,
  request: PackageRequest,
  onProgress: (fraction: number) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer | null = null;
    let highest = 0;
    let stderr = '';
    const silent = (reason: string) => resolve(answer ?? { kind: 'silent', reason });

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    child.on('message', (message: PackagerMessage) => {
      if (message.kind !== 'progress') {
        answer = message;
        return;
      }
      highest = Math.max(highest, message.fraction);
      onProgress(highest);
    });
    child.once('error', (error) => {
      // Not started at all, or not reachable: then `close` follows only in the second case.
      if (child.pid === undefined) silent(`could not be started: ${error.message}`);
    });
    child.once('close', (status, signal) => {
      const details = stderr.trim() && `: ${stderr.trim()}`;
      silent(signal ? `ended by ${signal}` : `ended with status ${status}${details}`);
    });
    child.send(request, () => undefined);
  });
}

function toPackage(answer: Answer): MediaPackage {
  switch (answer.kind) {
    case 'done':
      return fromSent(answer.made);
    case 'unplayable':
      throw new UnplayableMediaError(answer.message);
    case 'failed':
      throw new Error(`the packager failed: ${answer.message}`);
    case 'silent':
      throw new Error(`the packager ${answer.reason}`);
  }
}
