// No value becomes part of the text of an SQL statement: only constants, and SQL composed of constants and bound parameters, may be
// interpolated. Checks the given folders, by default the service and the example of `docs/extending.md`. Prints each violation and
// exits with 1.
import { relative } from 'node:path';
import { openProject } from './sql/project.js';
import { findInterpolatedValues } from './sql/statements.js';

const folders = process.argv.slice(2);
const project = openProject(folders.length > 0 ? folders : ['src', 'test/examples']);

const REMEDY = `Bind it instead:
  in composed SQL                   \${parameters.bind(value, 'text')} from src/platform/database/statement.ts
  in query() and preparedQuery()    $1, with the value in the parameter list
  in a query builder                :name, with { name: value }
To choose a column by a value, give the value a union of literals as its type ('at' | 'label').`;

const locationOf = (node) => {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative('.', file.fileName)}:${line + 1}:${character + 1}`;
};
const textOf = (node) => node.getText().replaceAll(/\s+/g, ' ').slice(0, 60);
/** Extends `a` to `a.b` if it is the start of such an access. */
const fullAccess = (node) =>
  node.parent.expression === node && node.parent.name ? fullAccess(node.parent) : node;

const found = findInterpolatedValues(project);
for (const { value, origin: start } of found) {
  const origin = fullAccess(start);
  const from = origin === value ? '' : `, which comes from ${textOf(origin)} at ${locationOf(origin)}`;
  console.error(`${locationOf(value)}  A value becomes part of the SQL: ${textOf(value)}${from}`);
}
if (found.length > 0) console.error(REMEDY);
process.exitCode = found.length > 0 ? 1 : 0;
