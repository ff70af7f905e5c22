// Which files lint has to look at, given what it has passed before.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Naming more saves little, and Windows limits the length of a command. */
const MOST_FILES = 400;

/**
 * `only`: the files whose findings may differ from those of the last passed run, whose states are in `memory`; `[]` for all, null for
 * none. `passed` is to be called if nothing is found.
 */
export function whatToLint({ args, memory, buildInfo, configuration }) {
  const { status, stdout } = spawnSync(process.execPath, [...args, '--debug=files'], { encoding: 'utf8' });
  const files = stdout.split('\n').filter(Boolean);
  if (status !== 0 || files.length === 0 || !existsSync(buildInfo)) return { only: [] };
  const before = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  const now = lintStates(files, buildInfo, configuration);
  const changed = files.filter((file) => now[file] !== before[file]);
  const passed = () => writeFileSync(memory, JSON.stringify(now));
  if (changed.length === 0) return { only: null, passed };
  return { only: changed.length > MOST_FILES ? [] : changed, passed };
}

/**
 * For each of these files, a hash of everything that its lint findings depend on: its text, the declarations of what it imports,
 * directly or not, and `configuration`. TypeScript keeps both in `buildInfo`, by which it decides what to check again.
 */
export function lintStates(files, buildInfo, configuration) {
  const project = projectOf(buildInfo);
  const all = [...project.values()];
  const common = hashOf([
    configuration,
    ...all.filter(({ isGlobal }) => isGlobal).map(({ declares }) => declares),
  ]);
  // Those outside the project, such as benches, are few: each may import all others, and all of the project.
  const outside = files.filter((file) => !project.has(resolve(file)));
  const texts = outside.flatMap((file) => [file, readFileSync(file)]);
  const rest = hashOf([common, ...texts, ...all.map(({ declares }) => declares)]);
  return Object.fromEntries(
    files.map((file) => {
      const one = project.get(resolve(file));
      return [file, one ? hashOf([common, one.version, ...declaredFor(one, project)]) : rest];
    }),
  );
}

/** The files of the project by path, ordered by it. Installed packages are part of the configuration. */
function projectOf(buildInfo) {
  const { fileNames, fileInfos, fileIdsList, referencedMap } = JSON.parse(readFileSync(buildInfo, 'utf8'));
  const paths = fileNames.map((name) => resolve(dirname(buildInfo), name));
  // Ids start at 1.
  const lists = new Map(referencedMap.map(([id, list]) => [id, fileIdsList[list - 1]]));
  const files = paths.map((path, index) => {
    const info = fileInfos[index];
    // What TypeScript has not had to compute, or equals the version, it leaves out.
    const { version = info, signature = version, affectsGlobalScope: isGlobal = false } = info;
    const imports = (lists.get(index + 1) ?? []).map((id) => paths[id - 1]);
    return [path, { version, isGlobal, imports, declares: hashOf([path, signature]) }];
  });
  return new Map(
    files
      .filter(([path]) => !/[\\/]node_modules[\\/]/.test(path))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function declaredFor(file, project) {
  const reached = new Set();
  const follow = ({ imports }) => {
    for (const path of imports) {
      const one = project.get(path);
      if (!one || reached.has(one)) continue;
      reached.add(one);
      follow(one);
    }
  };
  follow(file);
  return [...project.values()].filter((one) => reached.has(one)).map(({ declares }) => declares);
}

function hashOf(parts) {
  const hash = createHash('sha256');
  // Lengths keep the parts apart.
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return hash.digest('hex');
}
