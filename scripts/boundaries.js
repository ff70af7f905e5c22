// What may import what: the rules of `.dependency-cruiser.json`, and no circle between the folders of `src/modules`, which a
// rule of it cannot say. Prints what is wrong and exits with 1.
import { cruise, format } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const MODULE = /^src\/modules\/([^/]+)\//;

const options = await extractOptions('./.dependency-cruiser.json');
const { output } = await cruise(['src'], options, undefined, {
  tsConfig: extractTypeScriptConfig('./tsconfig.json'),
});
const report = await format(output, { outputType: 'err' });
const found = findCircle(importsBetweenModules(output.modules));
if (report.exitCode !== 0) console.error(report.output);
if (found) {
  console.error(`Modules in a circle, by the first import of each in the next:\n${found.join('\n')}`);
}
process.exitCode = report.exitCode !== 0 || found ? 1 : 0;

/** By module, the modules that it imports, each with one import as the example; types count as well. */
function importsBetweenModules(files) {
  const imports = new Map();
  for (const { source, dependencies } of files) {
    const from = MODULE.exec(source)?.[1];
    for (const { resolved } of dependencies) {
      const to = MODULE.exec(resolved)?.[1];
      if (!from || !to || from === to) continue;
      const known = imports.get(from) ?? new Map();
      imports.set(from, known.set(to, known.get(to) ?? `  ${source} -> ${resolved}`));
    }
  }
  return imports;
}

/** The imports of the first circle found, in its order; null: there is none. */
function findCircle(imports) {
  const done = new Set();
  const path = [];
  const visit = (module) => {
    const start = path.indexOf(module);
    if (start >= 0) return path.slice(start);
    if (done.has(module)) return null;
    path.push(module);
    for (const next of imports.get(module)?.keys() ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    path.pop();
    done.add(module);
    return null;
  };
  for (const module of imports.keys()) {
    const circle = visit(module);
    if (circle) return circle.map((one, index) => imports.get(one).get(circle[(index + 1) % circle.length]));
  }
  return null;
}
