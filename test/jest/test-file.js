import { readFileSync } from 'node:fs';
import { createTransformer } from '@swc/jest';

const OPTIONS = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
/** The source map is in the code: debuggers do not see those that Jest keeps elsewhere. */
const swc = createTransformer({ ...OPTIONS, sourceMaps: 'inline' });
const MOCK = /\bjest\s*\.\s*(mock|doMock|setMock|unstable_mockModule)\(/;

/** Compiles test files with SWC, and refuses what would silently do nothing. */
export default {
  ...swc,
  process(source, path, options) {
    const call = MOCK.exec(source)?.[1];
    if (call) {
      throw new Error(
        `jest.${call} replaces no module of src: Node loads them, once for all test files (jest.config.js says why). Pass a fake to the constructor, or use jest.spyOn(service.app.get(SomeService), 'method').`,
      );
    }
    return swc.process(source, path, options);
  },
};
