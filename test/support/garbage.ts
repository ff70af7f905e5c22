import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage ten times a second, as a busy process does, until the function that it returns is called. */
export function collectGarbageOften(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const timer = setInterval(collect, 100);
  return () => clearInterval(timer);
}
