import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loading } from './cpu.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Jest reloads every module for each test file: 3 s for the whole service. Modules handled by this transformer are
 * loaded by Node instead, once per worker process; the test file gets the exports of that instance. For the project's
 * own, it is the build in `dist`.
 */
export default {
  async processAsync(_source, path) {
    const url = pathToFileURL(builtFrom(path)).href;
    const names = Object.keys(await loading.of(() => import(url)));
    const exported = names.map((name) =>
      name === 'default' ? 'export default loaded.default;' : `export const ${name} = loaded.${name};`,
    );
    return { code: [`const loaded = await importIntoNode(${JSON.stringify(url)});`, ...exported].join('\n') };
  },
};

function builtFrom(path) {
  const inRoot = relative(ROOT, path);
  return inRoot.endsWith('.ts') ? join(ROOT, 'dist', inRoot.replace(/\.ts$/, '.js')) : path;
}
