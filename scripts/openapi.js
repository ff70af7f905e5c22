// `npm run openapi`: generates openapi.json from the controllers, or says what is wrong with their decorators; then, from the catalogs,
// the error classes of the client library and the tables of errors, events and lists in the documents.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsIn } from './openapi-rules.js';
import { prepare, ROOT, say } from './prepare.js';

const MISTAKES = new Set(['DecoratorError', 'OpenApiMistakes']);
/** Where in the build something was used before its module had declared it. */
const TOO_EARLY = /^Cannot access '(\w+)' before initialization$/;
const BUILT = /\/dist\/(src\/\S+?)\.js:\d+/;

await prepare({ tools: true });
const document = await generated();
if (document) {
  const { format, resolveConfig } = await import('prettier');
  const filepath = join(ROOT, 'openapi.json');
  const options = { ...(await resolveConfig(filepath)), filepath };
  writeFileSync(filepath, await format(JSON.stringify(document), options));
  await writeTables();
}

async function writeTables() {
  const { ERROR_CATALOG } = await import('../dist/src/contract/error-catalog.js');
  const { EVENT_TYPES } = await import('../dist/src/contract/changes/event-families.js');
  // Uses the build.
  const { generatedFrom } = await import('./catalog-tables.js');
  for (const [name, updated] of Object.entries(
    generatedFrom({ errors: ERROR_CATALOG, events: EVENT_TYPES, document }),
  )) {
    const file = join(ROOT, name);
    try {
      writeFileSync(file, updated(readFileSync(file, 'utf8')));
    } catch (error) {
      say(error.message);
      process.exitCode = 1;
    }
  }
}

async function generated() {
  try {
    const { openApiDocument } = await import('../dist/src/entrypoints/cli/openapi.js');
    const made = await openApiDocument();
    const problems = await problemsIn(made);
    return problems.length === 0 ? made : refuse(problems.join('\n'));
  } catch (error) {
    const text = MISTAKES.has(error.name) ? error.message : messageOf(error);
    if (text === undefined) throw error;
    return refuse(text);
  }
}

function refuse(text) {
  say(`${text}\nopenapi.json was not changed.`);
  process.exitCode = 1;
}

/** Of a class that is used before it is declared, as the type of a field or a parameter of a decorator. */
function messageOf({ message, stack }) {
  const [, name] = TOO_EARLY.exec(message) ?? [];
  const [, file] = BUILT.exec(stack) ?? [];
  if (!name || !file) return undefined;
  return `${file}.ts uses ${name} before it is declared: declare it further up or, if its file imports this one, directly or through others, move it to a file that imports neither.`;
}
