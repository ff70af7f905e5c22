import { say } from '../prepare.js';
import { rebuild } from '../rebuild.js';
import { whenChanged } from '../when-changed.js';

const WATCHED = ['src', 'test', 'web', 'demo', 'openapi.json', 'jest.config.js', '.swcrc'];

/** Runs the tests, and again after each change, until `signal` aborts. A change also stops the current run. */
export async function watchTests(run, signal) {
  while (!signal.aborted) {
    const change = new AbortController();
    const changed = whenChanged(WATCHED, signal).then(() => change.abort());
    if (await rebuild()) {
      await run(AbortSignal.any([signal, change.signal]));
      if (!change.signal.aborted && !signal.aborted) say('Waiting for changes; press Ctrl-C to stop...');
    }
    await changed;
  }
  return 0;
}
