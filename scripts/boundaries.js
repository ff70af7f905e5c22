// Which imports are allowed in the service and the example of `docs/extending.md`: the rules in `.dependency-cruiser.json`, plus
// two it cannot express: no import cycles between the folders of `src/modules` or of `src/platform`, and no re-exports. Prints
// each violation with its location and how to fix it, and exits with 1.
import { readFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describeCycle, describeExportList, describeViolation } from './boundary-messages.js';

/** Names are imported from the file that declares them: export lists are not allowed, not even of a file's own names. */
const EXPORT_LIST = /^export (type )?[{*]/;
/** Stands in for a library that it configures, types included, which no other syntax passes on. */
const PASSES_ON = 'src/lib/zod.ts';
const OURS = /^(src|test\/examples)\//;
const FOLDER = /^src\/((?:modules|platform)\/[^/]+)\//;

const options = await extractOptions('./.dependency-cruiser.json');
const { output } = await cruise(['src', 'test/examples'], options, undefined, {
  tsConfig: extractTypeScriptConfig('./tsconfig.json'),
});
const comments = new Map(options.ruleSet.forbidden.map(({ name, comment }) => [name, comment]));
const folderCycle = findCycle(importsBetweenFolders(output.modules));
const violations = [
  ...output.summary.violations.map((violation) => describeViolation(violation, comments)),
  ...(folderCycle ? [describeCycle(folderCycle)] : []),
  ...output.modules.flatMap(({ source }) => exportListsOf(source)),
];
for (const violation of violations) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;

function exportListsOf(file) {
  if (!OURS.test(file) || file === PASSES_ON) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => EXPORT_LIST.test(text)) + 1;
  return line > 0 ? [describeExportList(file, line)] : [];
}

/** For each folder, the folders it imports from, each with one import as an example; type imports count too. */
function importsBetweenFolders(files) {
  const imports = new Map();
  for (const { source, dependencies } of files) {
    const from = FOLDER.exec(source)?.[1];
    for (const { resolved, module } of dependencies) {
      const to = FOLDER.exec(resolved)?.[1];
      if (!from || !to || from === to) continue;
      const known = imports.get(from) ?? new Map();
      imports.set(from, known.set(to, known.get(to) ?? { from: source, to: resolved, specifier: module }));
    }
  }
  return imports;
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
