import { join } from 'node:path';
import { ROOT } from '../prepare.js';

/** Loaded by Node, as `src` is; see `jest.config.js`. */
const CONTRACT = join(ROOT, 'test', 'support', 'contract.ts');

/** Builds what test files share, beside the build of `src`. */
export async function buildShared() {
  // Not before the packages that it needs are installed.
  const { compileFile } = await import('../compile.js');
  await compileFile(ROOT, CONTRACT, join(ROOT, 'dist'));
}
