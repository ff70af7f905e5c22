// Removes from `node_modules` what the image must not or need not contain: see THIRD-PARTY.md. Run by the Dockerfile, in the
// folder of the service, after the build.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { matches } from './licenses/packages.js';
import { CONTENTS, USELESS_IN_IMAGE } from './licenses/policy.js';

const REMOVED = [
  ...CONTENTS.filter(({ passOn, image = passOn }) => !image).flatMap(({ packages }) => packages),
  ...USELESS_IN_IMAGE,
];

prune('node_modules');

function prune(folder) {
  for (const name of packagesIn(folder)) {
    const path = join(folder, name);
    if (matches(name, REMOVED)) rmSync(path, { recursive: true, force: true });
    else prune(join(path, 'node_modules'));
  }
}

/** Names of the packages in a `node_modules` folder, with their scopes. */
function packagesIn(folder) {
  return foldersIn(folder).flatMap((name) =>
    name.startsWith('@') ? foldersIn(join(folder, name)).map((own) => `${name}/${own}`) : name,
  );
}

function foldersIn(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch (error) {
    // Most packages have no packages of their own.
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
