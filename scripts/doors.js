import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';

const MODULES = 'src/modules';
const IMPORT = /import (?:type )?\{([^}]*)\} from '(\.[^']*)\.js'/g;
const EXPORTS = /\bexports: \[([^\]]*)\]/g;

/**
 * Returns the folder of the module that a file belongs to: the nearest one with a `*.module.ts`, as a module can have inner
 * modules. `root` is the folder of the project.
 */
export function moduleOf(file, root = '') {
  if (!file.startsWith(`${MODULES}/`)) return undefined;
  const [, , room] = file.split('/');
  const outermost = `${MODULES}/${room}`;
  let folder = dirname(file);
  while (folder !== outermost && moduleFiles(root, folder).length === 0) folder = dirname(folder);
  return folder;
}

/** Whether other modules may import the file of the module in `folder`: its module file, its exported providers, `public/`, `entities/`. */
export function isAtDoor(file, folder, root = '') {
  const inside = file.slice(folder.length + 1);
  return (
    /^(public|entities)\//.test(inside) ||
    /^[^/]*\.module\.ts$/.test(inside) ||
    exportedProviders(folder, root).includes(file)
  );
}

/** Returns the files of the providers that the module in `folder` exports. */
export function exportedProviders(folder, root = '') {
  return moduleFiles(root, folder).flatMap((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    const exported = [...text.matchAll(EXPORTS)].flatMap(([, list]) => list.match(/\w+/g) ?? []);
    const files = [...text.matchAll(IMPORT)].flatMap(([, names, path]) =>
      (names.match(/\w+/g) ?? []).map((imported) => [imported, `${normalize(join(folder, path))}.ts`]),
    );
    const fileOf = new Map(files);
    return exported.flatMap((provider) => fileOf.get(provider) ?? []);
  });
}

/** Returns the exported providers of a module, as text for a message. */
export function describeProviders(folder, root = '') {
  const files = exportedProviders(folder, root).filter((file) => moduleOf(file, root) === folder);
  return files.length === 0 ? `a provider that ${folder} exports (there is none yet)` : files.join(' or ');
}

const known = new Map();

function moduleFiles(root, folder) {
  const path = join(root, folder);
  if (!known.has(path)) {
    const names = existsSync(path) ? readdirSync(path) : [];
    known.set(
      path,
      names.filter((name) => name.endsWith('.module.ts')),
    );
  }
  return known.get(path);
}
