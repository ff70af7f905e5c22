// No value becomes text of an SQL statement: what is interpolated is constant, or SQL that was put together from constants and bound
// parameters. Looks at the folders that it is given, or at the service and the example of `docs/extending.md`. Prints what is
// wrong and exits with 1.
import { relative } from 'node:path';
import { openProject } from './sql/project.js';
import { findInterpolatedValues } from './sql/statements.js';

const folders = process.argv.slice(2);
const project = openProject(folders.length > 0 ? folders : ['src', 'test/examples']);

const HOW = `Bind it instead:
  in SQL that is put together       \${parameters.bind(value, 'text')}, of src/platform/database/statement.ts
  in query() and preparedQuery()    $1, and the value in the list of parameters
  in a query builder                :name, and { name: value }
A name of a column may be chosen by a value whose type is a union of literals ('at' | 'label').`;

const place = (node) => {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative('.', file.fileName)}:${line + 1}:${character + 1}`;
};
const textOf = (node) => node.getText().replaceAll(/\s+/g, ' ').slice(0, 60);
/** Of `a`, where it is the beginning of `a.b`: that. */
const whole = (node) => (node.parent.expression === node && node.parent.name ? whole(node.parent) : node);

const found = findInterpolatedValues(project);
for (const { value, origin: beginning } of found) {
  const origin = whole(beginning);
  const from = origin === value ? '' : `, which comes from ${textOf(origin)} at ${place(origin)}`;
  console.error(`${place(value)}  A value becomes part of the SQL: ${textOf(value)}${from}`);
}
if (found.length > 0) console.error(HOW);
process.exitCode = found.length > 0 ? 1 : 0;
