import { readFileSync } from 'node:fs';
import { describeProviders } from './doors.js';

/** A violation of a rule in `.dependency-cruiser.json`: its location, and the rule's comment, which says how to fix it. */
export function describeViolation({ from, to, unresolvedTo, cycle, rule }, comments) {
  const path = cycle ? ` -> ${cycle.map(({ name }) => name).join(' -> ')}` : ` imports ${to}`;
  return `${from}:${lineOf(from, unresolvedTo)}${path} (${rule.name})\n  ${comments.get(rule.name)}`;
}

/** An import of a file that another module, in `folder`, keeps to itself. */
export function describeInnerFile({ from, to, specifier }, folder) {
  return (
    `${from}:${lineOf(from, specifier)} imports ${to}\n` +
    '  From another module, import only its module file, the providers it exports, its `public/` folder and its entities. ' +
    `Use ${describeProviders(folder)}, and import its module in yours.`
  );
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

export function describeLongFile(file, lines, limit) {
  return `${file} has ${lines} lines, more than ${limit}\n  Split it by what it does.`;
}

export function describeFullFolder(folder, files, limit) {
  return `${folder} has ${files} files, more than ${limit}\n  Group those that belong together in folders of their own.`;
}

/** The line on which a file imports `specifier`, which for Node's own modules lacks the `node:` prefix. */
function lineOf(file, specifier) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const quoted = [specifier, `node:${specifier}`].flatMap((name) => [`'${name}'`, `"${name}"`]);
  return lines.findIndex((line) => quoted.some((text) => line.includes(text))) + 1;
}
