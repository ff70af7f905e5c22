import { join } from 'node:path';
import { compileFile } from '../compile.js';
import { ROOT } from '../prepare.js';

/** Loaded by Node, as `src` is; see `jest.config.js`. */
const CONTRACT = join(ROOT, 'test', 'support', 'contract.ts');

/** Builds what test files share, beside the build of `src`. */
export const buildShared = () => compileFile(ROOT, CONTRACT, join(ROOT, 'dist'));
