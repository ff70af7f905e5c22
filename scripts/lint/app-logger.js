import { usesOf } from './globals.js';

const MESSAGE =
  'Instead of console, inject AppLogger (src/platform/logging/app-logger.ts) in the constructor: ' +
  'it writes JSON with a level, and redacts keys and tokens.';

/** All output of the service goes through its log. */
export const appLogger = {
  create: (context) =>
    usesOf({ object: 'console', report: (node) => context.report({ node, message: MESSAGE }) }),
};
