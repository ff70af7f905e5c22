import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PROJECT_ROOT } from '../../../src/lib/project-root.js';

const WEB = join(PROJECT_ROOT, 'web');
/** Of all views. */
const COMMON = ['share/share.css', 'app/app.css'];

/** The classes in the selectors of a file. */
function classesIn(file: string): Set<string> {
  const css = readFileSync(join(WEB, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = [...css.matchAll(/([^{}]+)\{/g)].map(([, selector]) => selector);
  return new Set(selectors.join('\n').match(/\.[a-z][\w-]*/g));
}

it('the styles of a view name no class of another: all are loaded together', () => {
  const common = new Set(COMMON.flatMap((file) => [...classesIn(file)]));
  const files = readdirSync(join(WEB, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => `app/${name}`)
    .filter((name) => !COMMON.includes(name));
  expect(files.length).toBeGreaterThan(3);
  const owners = new Map<string, string>();
  const shared: string[] = [];
  for (const file of files) {
    for (const name of classesIn(file)) {
      if (common.has(name)) continue;
      const other = owners.get(name);
      if (other) shared.push(`${name}: ${other}, ${file}`);
      owners.set(name, file);
    }
  }
  expect(shared).toEqual([]);
});
