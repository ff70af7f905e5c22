// `npm run format`
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.js';

await prepare({ tools: true });
const prettier = join(ROOT, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
const { status } = spawnSync(process.execPath, [prettier, '--write', '.'], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
