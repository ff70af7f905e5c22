import { readFileSync } from 'node:fs';
import { servicesOf } from './services-of.js';

const MODULE = /^src\/modules\/([^/]+)\//;
/** Rules about the public files of a module; what to import instead depends on that module. */
const PUBLIC_FILE_RULES = new Set(['modules-public-files', 'examples-public-files']);

/** A violation of a rule in `.dependency-cruiser.json`: its location, and the rule's comment, which says how to fix it. */
export function describeViolation({ from, to, unresolvedTo, cycle, rule }, comments) {
  const path = cycle ? ` -> ${cycle.map(({ name }) => name).join(' -> ')}` : ` imports ${to}`;
  const [, module] = MODULE.exec(to) ?? [];
  const needsService = PUBLIC_FILE_RULES.has(rule.name) && module !== undefined;
  const remedy = needsService ? ` Use ${servicesOf('', module)}, and import its module in yours.` : '';
  return `${from}:${lineOf(from, unresolvedTo)}${path} (${rule.name})\n  ${comments.get(rule.name)}${remedy}`;
}

/** Folders that form an import cycle, with one import from each to the next. */
export function describeCycle(imports) {
  const steps = imports.map(
    ({ from, to, specifier }) => `  ${from}:${lineOf(from, specifier)} imports ${to}\n`,
  );
  return (
    `Import cycle between folders:\n${steps.join('')}` +
    '  None of these folders can be understood on its own. Move what they share into a folder that imports none of them, ' +
    'or let the caller pass it as an argument.'
  );
}

/** A file with an export list, which starts at `line`. */
export function describeExportList(file, line) {
  return (
    `${file}:${line} has an export list\n` +
    '  Write `export` before each declaration, and import each name from the file that declares it.'
  );
}

/** The line on which a file imports `specifier`, which for Node's own modules lacks the `node:` prefix. */
function lineOf(file, specifier) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const quoted = [specifier, `node:${specifier}`].flatMap((name) => [`'${name}'`, `"${name}"`]);
  return lines.findIndex((line) => quoted.some((text) => line.includes(text))) + 1;
}
