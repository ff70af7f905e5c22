import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './prepare.js';

/** How long to wait for further changes: editors write several files at a time. */
const QUIET_MS = 30;

/** Resolves once something below these paths has changed and changes have settled, or when `signal` aborts. */
export function whenChanged(paths, signal) {
  return new Promise((resolve) => {
    let quiet;
    const onChange = () => {
      clearTimeout(quiet);
      quiet = setTimeout(finish, QUIET_MS);
    };
    const watchers = paths
      .map((path) => join(ROOT, path))
      .filter((path) => existsSync(path))
      .map((path) => watch(path, { recursive: true }, onChange));
    const finish = () => {
      clearTimeout(quiet);
      for (const watcher of watchers) watcher.close();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
  });
}
