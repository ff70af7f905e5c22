import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ALLOWED, CONTENTS, STATED_ELSEWHERE } from './policy.js';

/** Compiled code and models; `libssl.so.1.1` is one too. */
const COMPILED = /\.(node|so(\.[\d.]+)?|dylib|dll|exe|a|wasm|onnx|gguf|tflite|pt|safetensors)$/;

/** What `npm ci --omit=dev` installs, for every system: names, versions and licenses, from the lock file. */
export function productionPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return (
    Object.entries(packages)
      // Not the workspaces, which are this project.
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
      .map(([path, { name, version, license }]) => {
        // An alias is installed in a folder of another name.
        const own = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        return { path, name: own, version, license: license ?? STATED_ELSEWHERE[own] ?? null };
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  );
}

/** Licenses that the policy does not allow, licenses it needs no more, and compiled code that it does not describe. */
export function findViolations(packages, root) {
  const policy = 'scripts/licenses/policy.js';
  const unused = Object.keys(ALLOWED).filter((kind) => !packages.some(({ license }) => license === kind));
  return [
    ...packages.filter((one) => !isAllowed(one)).map((one) => describe(one, policy)),
    ...unused.map((kind) => `${policy}: no package is under ${kind} any more. Remove it from ALLOWED.`),
    ...packages.flatMap((one) => undescribed(one, root, policy)),
  ];
}

/** The entry of `CONTENTS` that describes this package, if any. */
export function contentsOf({ name }) {
  return CONTENTS.find(({ packages }) => matches(name, packages));
}

export function matches(name, patterns) {
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(name);
  });
}

function isAllowed({ name, license }) {
  const allowed = license !== null && Object.hasOwn(ALLOWED, license) ? ALLOWED[license] : [];
  return allowed === 'any' || matches(name, allowed);
}

function describe({ name, version, license }, policy) {
  if (license === null) {
    return `${name} ${version} states no license. Read its license file and add it to STATED_ELSEWHERE in ${policy}.`;
  }
  return (
    `${name} ${version} is under ${license}, which has not been allowed for it. Find out what it demands of those who pass this ` +
    `service on, describe it in THIRD-PARTY.md, and add it to ALLOWED in ${policy}; or use another package.`
  );
}

function undescribed(one, root, policy) {
  if (contentsOf(one)) return [];
  const found = compiledIn(join(root, one.path));
  if (!found) return [];
  return [
    `${one.name} ${one.version} contains ${relative(join(root, one.path), found)}. Find out which software or model that is and under ` +
      `which licenses, and add it to CONTENTS in ${policy}.`,
  ];
}

/** The first such file of a package; packages for other systems are not installed. */
function compiledIn(folder) {
  if (!existsSync(folder)) return null;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory()
      ? entry.name !== 'node_modules' && compiledIn(path)
      : COMPILED.test(path);
    if (found) return found === true ? path : found;
  }
  return null;
}
