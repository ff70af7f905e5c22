import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = 'test/examples/bookmarks';
const ROWS = 'rows.ts';
/** Where files belong that are not part of its module. */
const ELSEWHERE = {
  [`${EXAMPLE}/create-bookmarks.ts`]: 'src/platform/database/migrations/1_1_0/create-bookmarks.ts',
  'test/integration/extending.e2e-spec.ts': 'test/e2e/bookmarks/bookmarks.e2e-spec.ts',
};

/** What `docs/extending.md` adds to existing files: `insert`, or rows of the example, are put before the first `before`. */
const ADDED = {
  'src/entrypoints/app.module.ts': {
    before: 'HealthModule,\n',
    insert: 'BookmarksModule,',
    imports: `import { BookmarksModule } from '../modules/bookmarks/bookmarks.module.js';`,
  },
  'src/platform/database/migrations.ts': {
    before: '];',
    insert: ', CreateBookmarks1800000000000',
    imports: `import { CreateBookmarks1800000000000 } from './migrations/1_1_0/create-bookmarks.js';`,
  },
  'src/contract/error-catalog.ts': { before: '\n} as const satisfies', rows: 'ERROR_CATALOG' },
  'src/contract/changes/change-catalog.ts': { before: '\n} as const satisfies', rows: 'CHANGE_CATALOG' },
  'docs/errors.md': {
    before: '\n## `NOT_FOUND`',
    insert:
      "## `BOOKMARK_NOT_FOUND`\n\n- **What to do**: list the bookmarks again.\n- **Example**: `DELETE` of one that is gone.\n\n## `BOOKMARK_NOT_YOURS`\n\n- **What to do**: ask its author.\n- **Example**: `PATCH` of a colleague's.\n",
  },
  'docs/api-guide.md': {
    before: '\n| `GET /recordings/{id}/transcript` |',
    insert: '| `GET /recordings/{id}/bookmarks` | newest first | | |',
  },
  'src/modules/erasure/personal-data.ts': { before: `\n  'recordings.title'`, rows: 'PERSONAL_DATA' },
  'test/factories/parts.ts': { before: '\n];', rows: 'PARTS' },
  'test/contract/plan-tests.spec.ts': { before: `\n  'GET /api/v1/action-items'`, rows: 'PLAN_TESTS' },
};

/** The files, by their path, that are new or different once someone has followed "Add a resource" of `docs/extending.md`. */
export function exampleFiles() {
  const names = readdirSync(join(ROOT, EXAMPLE), { recursive: true })
    .filter((name) => name.endsWith('.ts') && name !== ROWS)
    .map((name) => `${EXAMPLE}/${name.replaceAll('\\', '/')}`);
  const placed = names.map((name) => [name, name.replace(EXAMPLE, 'src/modules/bookmarks')]);
  const places = { ...Object.fromEntries(placed), ...ELSEWHERE };
  return Object.fromEntries([
    ...Object.entries(places).map(([name, place]) => [place, movedTo(place, name)]),
    ...Object.entries(ADDED).map(([path, added]) => [path, withAdded(path, added)]),
  ]);
}

/** The text of a file, with imports as they are at another place. */
function movedTo(place, name) {
  return readFileSync(join(ROOT, name), 'utf8')
    .replace('/** @example */\n', '')
    .replaceAll(/(?<=from ')\.[^']+/g, (path) => {
      const target = posix.join(posix.dirname(name), path);
      return target.startsWith(`${EXAMPLE}/`) ? path : fromFolder(posix.dirname(place), target);
    });
}

function fromFolder(folder, target) {
  const path = posix.relative(folder, target);
  return path.startsWith('.') ? path : `./${path}`;
}

function withAdded(path, { before, rows, insert = rowsOf(rows), imports = '' }) {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const at = source.indexOf(before);
  if (at < 0) throw new Error(`${path} has no "${before}"; see ${import.meta.filename}`);
  return `${imports}\n${source.slice(0, at)}\n${insert}${source.slice(at)}`.trimStart();
}

/** The text between the brackets of a constant of the example's rows. */
function rowsOf(name) {
  const rows = new RegExp(`^export const ${name}\\b.* = [{[]\\n([^]*?)^[}\\]]`, 'm');
  return rows.exec(readFileSync(join(ROOT, EXAMPLE, ROWS), 'utf8'))[1];
}
