import { usesOf } from './globals.js';

const MESSAGE =
  'Instead of process.env, use a setting: add it to src/platform/config/settings.schema.ts and settings.ts, ' +
  'inject it with @Inject(SETTINGS), and run `npm run settings` to document it.';

/** The environment is read in one place, which validates it before anything starts. */
export const settings = {
  create: (context) =>
    usesOf({
      object: 'process',
      property: 'env',
      report: (node) => context.report({ node, message: MESSAGE }),
    }),
};
