// What may import what, in the service and the example of `docs/extending.md`: the rules of `.dependency-cruiser.json`, and
// what they cannot say: no circle between the folders of `src/modules` or of `src/platform`, and no re-exports. Prints what is
// wrong, where, and what to do instead, and exits with 1.
import { readFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { describeCircle, describeExportList, describeViolation } from './boundary-messages.js';

/** What is imported comes from the file that declares it: there is no list of exports, of one's own or of another file. */
const EXPORT_LIST = /^export (type )?[{*]/;
const OURS = /^(src|test\/examples)\//;
const FOLDER = /^src\/((?:modules|platform)\/[^/]+)\//;

const options = await extractOptions('./.dependency-cruiser.json');
const { output } = await cruise(['src', 'test/examples'], options, undefined, {
  tsConfig: extractTypeScriptConfig('./tsconfig.json'),
});
const comments = new Map(options.ruleSet.forbidden.map(({ name, comment }) => [name, comment]));
const foldersInCircle = findCircle(importsBetweenFolders(output.modules));
const mistakes = [
  ...output.summary.violations.map((violation) => describeViolation(violation, comments)),
  ...(foldersInCircle ? [describeCircle(foldersInCircle)] : []),
  ...output.modules.flatMap(({ source }) => exportListsOf(source)),
];
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length > 0 ? 1 : 0;

function exportListsOf(file) {
  if (!OURS.test(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => EXPORT_LIST.test(text)) + 1;
  return line > 0 ? [describeExportList(file, line)] : [];
}

/** By folder, the folders that it imports from, each with one import as the example; types count as well. */
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

/** The imports of the first circle found, in its order; null: there is none. */
function findCircle(imports) {
  const done = new Set();
  const path = [];
  const visit = (folder) => {
    const start = path.indexOf(folder);
    if (start >= 0) return path.slice(start);
    if (done.has(folder)) return null;
    path.push(folder);
    for (const next of imports.get(folder)?.keys() ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(folder);
    return null;
  };
  for (const folder of imports.keys()) {
    const circle = visit(folder);
    if (circle) return circle.map((one, index) => imports.get(one).get(circle[(index + 1) % circle.length]));
  }
  return null;
}
