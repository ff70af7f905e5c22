import { readFileSync } from 'node:fs';
import { servicesOf } from './services-of.js';

const MODULE = /^src\/modules\/([^/]+)\//;
/** Rules about what another module shows; what to import instead depends on that module. */
const DOORS = new Set(['modules-through-their-doors', 'examples-through-the-doors']);

/** What a rule of `.dependency-cruiser.json` found: where, and by the rule's comment, what to do instead. */
export function describeViolation({ from, to, unresolvedTo, cycle, rule }, comments) {
  const path = cycle ? ` -> ${cycle.map(({ name }) => name).join(' -> ')}` : ` imports ${to}`;
  const [, module] = MODULE.exec(to) ?? [];
  const isDoor = DOORS.has(rule.name) && module !== undefined;
  const here = isDoor ? ` Ask ${servicesOf('', module)}, and import its module in yours.` : '';
  return `${from}:${lineOf(from, unresolvedTo)}${path} (${rule.name})\n  ${comments.get(rule.name)}${here}`;
}

/** Folders that import each other, by one import of each in the next. */
export function describeCircle(imports) {
  const steps = imports.map(
    ({ from, to, specifier }) => `  ${from}:${lineOf(from, specifier)} imports ${to}\n`,
  );
  return (
    `Folders in a circle:\n${steps.join('')}` +
    '  None of them can be understood alone. Move what both sides need into a folder of its own that imports neither, ' +
    'or let the caller hand it over as an argument.'
  );
}

/** A file that exports what it does not declare; `line` is where. */
export function describeExportList(file, line) {
  return (
    `${file}:${line} exports a list\n` +
    '  Write `export` before each declaration, and import each name from the file that declares it.'
  );
}

/** The line on which a file imports `specifier`; a module of Node's goes by its bare name there. */
function lineOf(file, specifier) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const quoted = [specifier, `node:${specifier}`].flatMap((name) => [`'${name}'`, `"${name}"`]);
  return lines.findIndex((line) => quoted.some((text) => line.includes(text))) + 1;
}
