import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generatedFrom } from '../../scripts/catalog-tables.js';
import { exampleFiles } from '../jest/example-files.js';
import { EVENT_TYPES } from '../../src/contract/changes/event-families.js';
import { ERROR_CATALOG } from '../../src/contract/error-catalog.js';

/** A source file as documents name it: with its whole path, or the end of it; not a pattern such as `*.task.ts`, nor declarations. */
const SOURCE_FILE = /(?<![\w.*>/-])(?:[\w-]+\/)*[a-z][\w.-]*(?<!\.d)\.ts\b/g;
/** What an author meant to fill in: outside of code, nobody writes like this. */
const PLACEHOLDER = /\b(?:[A-Z]{2,}(?:_[A-Z0-9]+)+|TODO|TBD|FIXME|XXX)\b/g;
const CODE = /^ *```[^]*?^ *```$|`[^`]*`/gm;
/** Settings, error codes, variables and constants; `RATE_LIMIT_` and `_MODEL` stand for all that begin or end with them. */
const CONSTANT = /(?<![A-Za-z0-9])_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_?(?![A-Za-z0-9])/g;
/** Of Node and Linux. */
const FOREIGN = ['NODE_EXTRA_CA_CERTS', 'RLIMIT_AS', 'RLIMIT_DATA', 'SCHED_IDLE', 'SCHED_NONE'];
const API = JSON.parse(readFileSync('openapi.json', 'utf8'));
const FOLDERS = ['src', 'test', 'web', 'docs', 'bench', 'demo', 'clients', 'examples'];

const files = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ),
];
/** Also those of the resource that a document shows how to add. */
const existing = [...files, ...Object.keys(exampleFiles())];
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');

const SOURCES = files.filter(
  (file) =>
    /^(src|test|scripts|bench)\b.*\.(ts|js|mjs)$/.test(file) ||
    /^(\.env\.example|docker-compose\.yml|Dockerfile)$/.test(file),
);
const constantsIn = (text: string): string[] =>
  (text.match(CONSTANT) ?? []).filter((name) => name.includes('_') && name !== '_');
const known = new Set([...FOREIGN, ...SOURCES.flatMap((file) => constantsIn(readFileSync(file, 'utf8')))]);

const isKnown = (name: string, text: string): boolean =>
  known.has(name) ||
  // Of a secret.
  known.has(name.replace(/_FILE$/, '')) ||
  // The page itself sets it.
  new RegExp(`\\b${name}(?:: [^=\n]+)? ?=`).test(text) ||
  (/^_|_$/.test(name) &&
    [...known].some((one) => one !== name && (one.startsWith(name) || one.endsWith(name))));

describe('Documents', () => {
  it.each(documents)('%s refers only to existing source files', (document) => {
    const found = readFileSync(document, 'utf8').match(SOURCE_FILE) ?? [];
    const missing = found.filter((name) => !existing.some((file) => `/${file}`.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s has no placeholder', (document) => {
    expect(readFileSync(document, 'utf8').replace(CODE, '').match(PLACEHOLDER)).toBeNull();
  });

  it.each(Object.entries(generatedFrom({ errors: ERROR_CATALOG, events: EVENT_TYPES, document: API })))(
    '%s has what the catalogs have (otherwise run npm run openapi)',
    (file, updated) => {
      const text = readFileSync(file, 'utf8');
      expect(text).toBe(updated(text));
    },
  );

  it('refuses an error whose status has no row in the API guide, and says which to add', () => {
    const { 'docs/api-guide.md': updated } = generatedFrom({
      errors: { TEAPOT: { status: 418 } },
      events: [],
      document: API,
    });
    expect(() => updated('| 404 | `NOT_FOUND` | look elsewhere |')).toThrow(
      'docs/api-guide.md has no row for the status of TEAPOT: add "| 418 | | what to do |" to its table of errors, and run npm run openapi.',
    );
  });

  it('refuses an error without an entry in docs/errors.md, an entry without an error, and a list without an order', () => {
    const { 'docs/errors.md': entries, 'docs/api-guide.md': lists } = generatedFrom({
      errors: { TEAPOT: { status: 418, message: 'Short and stout.', when: 'it is one' } },
      events: [],
      document: { paths: { '/api/v1/pots': API.paths['/api/v1/users'] }, components: API.components },
    });
    const entry = (code: string) => `## \`${code}\`\n\n- **What to do**: pour.\n- **Example**: tea.\n`;
    expect(entries(entry('TEAPOT'))).toBe(
      '## `TEAPOT`\n\n- **418**: `Short and stout.`\n- **Cause**: it is one.\n- **What to do**: pour.\n- **Example**: tea.\n',
    );
    expect(() => entries('')).toThrow('docs/errors.md has no entry for TEAPOT: add "## `CODE`"');
    expect(() => entries(entry('TEAPOT') + entry('KETTLE'))).toThrow('docs/errors.md: remove KETTLE');
    expect(() => lists('| 418 | `TEAPOT` | pour |')).toThrow(
      'docs/api-guide.md: add "| `GET /pots` | its order | |" to the table of lists.',
    );
  });

  it.each(documents)('%s names no setting, error code or constant that does not exist', (document) => {
    const text = readFileSync(document, 'utf8');
    expect(constantsIn(text).filter((name) => !isKnown(name, text))).toEqual([]);
  });
});
