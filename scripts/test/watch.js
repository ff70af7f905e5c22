import { say } from '../prepare.js';
import { rebuild } from '../rebuild.js';
import { whenChanged } from '../when-changed.js';

const WATCHED = ['src', 'test', 'web', 'demo', 'openapi.json', 'jest.config.js', '.swcrc'];

/** Runs the tests, and again after each change, until `signal` aborts. A run that a change makes pointless is stopped. */
export async function watchTests(run, signal) {
  while (!signal.aborted) {
    const change = new AbortController();
    const changed = whenChanged(WATCHED, signal).then(() => change.abort());
    if (await rebuild()) {
      await run(AbortSignal.any([signal, change.signal]));
      if (!change.signal.aborted && !signal.aborted) say('Waiting for a change; Ctrl-C ends...');
    }
    await changed;
  }
  return 0;
}
