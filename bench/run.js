// `npm run bench [-- NAME...] [--meetings N] [--data FOLDER]`: measures the service on data of its own, prints what it found
// and writes it to `bench/results.json`. `--data` keeps the data, so that the next run need not make it again.
import { mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare, say } from '../scripts/prepare.js';

const BENCHES = ['search'];
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

const { values, positionals } = parseArgs({
  options: { meetings: { type: 'string', default: '6000' }, data: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !BENCHES.includes(name));
const meetings = Number(values.meetings);
if (unknown.length > 0 || !Number.isInteger(meetings) || meetings < 1) {
  say(`usage: npm run bench [-- ${BENCHES.join(' | ')}] [--meetings N] [--data FOLDER]`);
  process.exit(2);
}

prepare();
const data = values.data ? resolve(values.data) : mkdtempSync(join(tmpdir(), 'mrs-bench-'));
try {
  for (const name of positionals.length > 0 ? positionals : BENCHES) {
    const { measure } = await import(`./${name}.js`);
    const result = await measure({ data, meetings, say });
    const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
    writeFileSync(RESULTS, `${JSON.stringify({ ...results, [name]: result }, null, 2)}\n`);
  }
} finally {
  if (!values.data) rmSync(data, { recursive: true, force: true });
}
