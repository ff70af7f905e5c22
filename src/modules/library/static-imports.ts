import { posix } from 'node:path';

/** Comments import types. */
const COMMENTS = /\/\*.*?\*\//gs;
const STATIC = /(?:^|[;}])\s*(?:import|export)\b(?:[^'"`;]*\bfrom)?\s*["']([^"']+)["']/gm;

/**
 * Returns the names of the modules that one module and those it imports load at once, itself included. `codeOf`: the code of a
 * module by its name; `packages`: the names of the modules that are imported by another one.
 */
export function staticImports(
  entry: string,
  codeOf: (name: string) => string,
  packages: Readonly<Record<string, string>>,
): string[] {
  const found = new Set([entry]);
  // Those that are added are visited as well.
  for (const name of found) {
    for (const [, specifier = ''] of codeOf(name).replace(COMMENTS, '').matchAll(STATIC)) {
      const isRelative = specifier.startsWith('.');
      const imported = isRelative ? posix.join(posix.dirname(name), specifier) : packages[specifier];
      if (imported === undefined) throw new Error(`${name} imports ${specifier}, which is not served`);
      found.add(imported);
    }
  }
  return [...found];
}
