// `npm run bench [-- NAME...] [OPTION...]`: measures the service on generated data, prints the results and writes them to
// `bench/results.json` (`--out`). `--data` keeps the data for the next run. If replies of the service and the yardstick
// differ, or a target is missed, it still measures everything and then exits with status 1.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepare, say } from '../scripts/prepare.js';
import { closingLine } from './api/report.js';
import { endAll, onEnd } from './endings.js';
import { readOptions, USAGE } from './options.js';

const options = readOptions(process.argv.slice(2));
if (!options) {
  say(USAGE);
  process.exit(2);
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    void endAll().finally(() => process.exit(130));
  });
}

await prepare({ tools: true });
const parts = [];
const missed = [];
try {
  const data = options.data ?? temporaryFolder();
  for (const name of options.names) {
    const { measure } = await import(`./${name}.js`);
    const result = await measure({ ...options.sizesOf(name), compare: options.compare, data, say });
    keep(name, result);
    parts.push(...(result.parts ?? []));
    missed.push(...(result.missed ?? []));
  }
} catch (error) {
  // An interruption also makes the measurement fail; that error is not reported.
  if (!interrupted) say(error.stack);
  process.exitCode = 1;
} finally {
  await endAll();
}

const differing = closingLine(parts);
const slow = missed.length === 0 ? null : `Targets missed: ${missed.join('; ')}`;
for (const line of [differing, slow].filter(Boolean)) {
  say(line);
  process.exitCode = 1;
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
