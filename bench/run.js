// `npm run bench [-- NAME...] [OPTION...]`: measures the service on data of its own, prints what it found and writes it to
// `bench/results.json` (`--out`). `--data` keeps the data, so that the next run need not make it again.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepare, say } from '../scripts/prepare.js';
import { endAll, onEnd } from './endings.js';
import { readOptions, USAGE } from './options.js';

const options = readOptions(process.argv.slice(2));
if (!options) {
  say(USAGE);
  process.exit(2);
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    interrupted = true;
    await endAll();
    process.exit(130);
  });
}

await prepare();
try {
  const data = options.data ?? temporaryFolder();
  for (const name of options.names) {
    const { measure } = await import(`./${name}.js`);
    keep(name, await measure({ ...options.sizes, data, say }));
  }
} catch (error) {
  // What was interrupted fails because of it.
  if (!interrupted) say(error.stack);
  process.exitCode = 1;
} finally {
  await endAll();
}

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'mrs-bench-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function keep(name, result) {
  const results = existsSync(options.out) ? JSON.parse(readFileSync(options.out, 'utf8')) : {};
  mkdirSync(dirname(options.out), { recursive: true });
  writeFileSync(options.out, `${JSON.stringify({ ...results, [name]: result }, null, 2)}\n`);
}
