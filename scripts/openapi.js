// `npm run openapi`: generates openapi.json from the controllers, or says what is wrong with their decorators.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
}

async function generated() {
  try {
    const { openApiDocument } = await import('../dist/src/entrypoints/cli/openapi.js');
    return await openApiDocument();
  } catch (error) {
    const text = MISTAKES.has(error.name) ? error.message : messageOf(error);
    if (text === undefined) throw error;
    say(`${text}\nopenapi.json was not changed.`);
    process.exitCode = 1;
    return undefined;
  }
}

/** Of a class that is used before it is declared, as the type of a field or a parameter of a decorator. */
function messageOf({ message, stack }) {
  const [, name] = TOO_EARLY.exec(message) ?? [];
  const [, file] = BUILT.exec(stack) ?? [];
  if (!name || !file) return undefined;
  return `${file}.ts uses ${name} before it is declared: declare it further up or, if its file imports this one, directly or through others, move it to a file that imports neither.`;
}
