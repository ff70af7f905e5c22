import { usesOf } from './globals.js';

const MESSAGE =
  'Instead of process.env, read a setting: add it to src/platform/config/settings.schema.ts and settings.ts, ' +
  'take it with @Inject(SETTINGS), and run `npm run settings`, which documents it.';

/** The environment is read in one place, which checks it before anything starts. */
export const settings = {
  create: (context) =>
    usesOf({
      object: 'process',
      property: 'env',
      report: (node) => context.report({ node, message: MESSAGE }),
    }),
};
