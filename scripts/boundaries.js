// Which imports are allowed in the service and the example of `docs/extending.md`: the rules in `.dependency-cruiser.json`, plus
// those it cannot express: the door of a module, no import cycles between modules or between the folders of `src/lib` or
// `src/platform`, no re-exports; and how large files and folders may be. Prints each violation with its location and how to fix it,
// and exits with 1.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import {
  describeCycle,
  describeExportList,
  describeFullFolder,
  describeInnerFile,
  describeLongFile,
  describeViolation,
} from './boundary-messages.js';
import { isAtDoor, moduleOf } from './doors.js';

/** Names are imported from the file that declares them: export lists are not allowed, not even of a file's own names. */
const EXPORT_LIST = /^export (type )?[{*]/;
/** Stands in for a library that it configures, types included, which no other syntax passes on. */
const PASSES_ON = 'src/lib/zod.ts';
const OURS = /^(src|test\/examples)\//;
const FOLDER = /^src\/((?:lib|platform)\/[^/]+)\//;

const MAX_LINES = 250;
const MAX_FILES = 25;

const options = await extractOptions('./.dependency-cruiser.json');
const { output } = await cruise(['src', 'test/examples'], options, undefined, {
  tsConfig: extractTypeScriptConfig('./tsconfig.json'),
});
const comments = new Map(options.ruleSet.forbidden.map(({ name, comment }) => [name, comment]));
const ours = output.modules.filter(({ source }) => OURS.test(source));
const folderCycle = findCycle(importsBetweenFolders(ours));
const violations = [
  ...output.summary.violations.map((violation) => describeViolation(violation, comments)),
  ...ours.flatMap(innerFilesImportedBy),
  ...(folderCycle ? [describeCycle(folderCycle)] : []),
  ...ours.flatMap(({ source }) => shapeOf(source)),
  ...fullFolders(ours),
];
for (const violation of violations) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;

/** Imports that bypass the door of another module. Entry points may import everything. */
function innerFilesImportedBy({ source, dependencies }) {
  const own = moduleOf(source);
  if (own === undefined && !source.startsWith('test/examples/')) return [];
  return dependencies.flatMap(({ resolved, module }) => {
    const other = moduleOf(resolved);
    if (other === undefined || other === own || isAtDoor(resolved, other)) return [];
    return [describeInnerFile({ from: source, to: resolved, specifier: module }, other)];
  });
}

function shapeOf(file) {
  if (file === PASSES_ON) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const exportList = lines.findIndex((text) => EXPORT_LIST.test(text)) + 1;
  return [
    ...(exportList > 0 ? [describeExportList(file, exportList)] : []),
    ...(lines.length > MAX_LINES ? [describeLongFile(file, lines.length, MAX_LINES)] : []),
  ];
}

function fullFolders(files) {
  const counts = new Map();
  for (const { source } of files) counts.set(dirname(source), (counts.get(dirname(source)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) =>
    count > MAX_FILES ? [describeFullFolder(folder, count, MAX_FILES)] : [],
  );
}

/** For each folder, the folders it imports from, each with one import as an example; type imports count too. */
function importsBetweenFolders(files) {
  const imports = new Map();
  for (const { source, dependencies } of files) {
    const from = folderOf(source);
    for (const { resolved, module } of dependencies) {
      const to = folderOf(resolved);
      if (!from || !to || from === to) continue;
      const known = imports.get(from) ?? new Map();
      imports.set(from, known.set(to, known.get(to) ?? { from: source, to: resolved, specifier: module }));
    }
  }
  return imports;
}

function folderOf(file) {
  return moduleOf(file) ?? FOLDER.exec(file)?.[1];
}
/** The imports that form the first cycle found, in order; null if there is none. */
function findCycle(imports) {
  const done = new Set();
  const path = [];
  const visit = (folder) => {
    const start = path.indexOf(folder);
    if (start >= 0) return path.slice(start);
    if (done.has(folder)) return null;
    path.push(folder);
    for (const next of imports.get(folder)?.keys() ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(folder);
    return null;
  };
  for (const folder of imports.keys()) {
    const cycle = visit(folder);
    if (cycle) return cycle.map((one, index) => imports.get(one).get(cycle[(index + 1) % cycle.length]));
  }
  return null;
}
