import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = join(ROOT, 'test', 'examples', 'bookmarks');
const ROWS = 'catalog-rows.ts';
const MIGRATION = 'create-bookmarks.ts';

/** What `docs/extending.md` adds to existing files: `insert` is put before the first line that begins with `before`. */
const ADDED = {
  'src/entrypoints/app.module.ts': {
    before: '        HealthModule,',
    insert: 'BookmarksModule,',
    imports: `import { BookmarksModule } from '../modules/bookmarks/bookmarks.module.js';`,
  },
  'src/platform/database/migrations.ts': {
    before: '];',
    insert: ', CreateBookmarks1764500000000',
    imports: `import { CreateBookmarks1764500000000 } from './migrations/1_1_0/create-bookmarks.js';`,
  },
  'src/contract/error-catalog.ts': { before: '} as const satisfies', insert: rowsOf('ERROR_CATALOG') },
  'src/contract/change-catalog.ts': { before: '} as const satisfies', insert: rowsOf('CHANGE_CATALOG') },
};

/**
 * Builds the service as it is when someone has followed "Add a resource" of `docs/extending.md`, in a folder beside
 * `dist`, and returns its name. Test files that say `@example` get its modules where they import from `src`.
 */
export async function buildExample() {
  const folder = `dist.example-${process.pid}-${Date.now()}`;
  cpSync(join(ROOT, 'dist'), join(ROOT, folder), { recursive: true });
  const files = readdirSync(EXAMPLE, { recursive: true }).filter(
    (name) => name.endsWith('.ts') && name !== ROWS,
  );
  for (const name of files) {
    const source = readFileSync(join(EXAMPLE, name), 'utf8');
    await (name === MIGRATION
      ? build(
          folder,
          `src/platform/database/migrations/1_1_0/${name}`,
          moved(source, /\.\.\/.*\/platform\/database\//g, '../../'),
        )
      : build(folder, `src/modules/bookmarks/${name}`, moved(source, /\/\.\.\/src\//g, '/')));
  }
  for (const [name, { before, insert, imports = '' }] of Object.entries(ADDED)) {
    const source = readFileSync(join(ROOT, name), 'utf8');
    const at = source.indexOf(before, source.indexOf('\n'));
    if (at < 0)
      throw new Error(`${name} has no line that begins with "${before}"; see ${import.meta.filename}`);
    await build(folder, name, `${imports}\n${source.slice(0, at)}${insert}\n${source.slice(at)}`);
  }
  return folder;
}

const moved = (source, pattern, replacement) =>
  source.replaceAll(/(?<=from ')[^']+/g, (path) => path.replace(pattern, replacement));

async function build(folder, name, source) {
  const target = join(ROOT, folder, name.replace(/\.ts$/, '.js'));
  const { code } = await transform(source, {
    filename: join(ROOT, name),
    configFile: join(ROOT, '.swcrc'),
    sourceMaps: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

/** The text between the braces of a constant of the example's rows. */
function rowsOf(name) {
  const rows = new RegExp(`^export const ${name} = \\{\\n([^]*?)^\\}`, 'm');
  return rows.exec(readFileSync(join(EXAMPLE, ROWS), 'utf8'))[1];
}
