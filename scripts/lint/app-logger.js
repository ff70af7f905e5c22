import { usesOf } from './globals.js';

const MESSAGE =
  'Instead of console, take AppLogger (src/platform/logging/app-logger.ts) in the constructor: ' +
  'its lines have a level, are JSON, and hide keys and tokens.';

/** Whatever the service writes goes through its log. */
export const appLogger = {
  create: (context) =>
    usesOf({ object: 'console', report: (node) => context.report({ node, message: MESSAGE }) }),
};
