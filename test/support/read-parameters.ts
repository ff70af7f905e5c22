import { dirname, join } from 'node:path/posix';

/** The text of each source file, by its path. */
export type Sources = ReadonlyMap<string, string>;

const COMMENT = /\/\*[^]*?\*\/|(?<![:\w'"`])\/\/.*/g;
/** `{ status, date_from: dateFrom }: ListDto` and `{ status } = query`. */
const DESTRUCTURED = /\{([^{}]*)\}(?=\s*(?::\s*[A-Z]|=(?![=>])))/g;
const IMPORT = /\bimport (?:type )?[^;]*? from '(\.[^']+)'/g;
const MODULE = /^src\/modules\/[^/]+\//;

/**
 * Whether a member or a variable of that name is taken from some object, or handed to a function of a table, by its
 * name.
 */
function reads(source: string, name: string): boolean {
  const code = source.replaceAll(COMMENT, '');
  if (new RegExp(`^  ${name}: \\(\\w+: .* => `, 'm').test(code)) return true;
  if (new RegExp(`\\.${name}\\b`).test(code)) return true;
  return [...code.matchAll(DESTRUCTURED)].some(([, names = '']) =>
    new RegExp(`(?:^|,)\\s*${name}\\s*(?:[,:=]|$)`).test(names),
  );
}

const isDto = (path: string): boolean => path.endsWith('.dto.ts');

function imported(path: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, from = '']) =>
    join(dirname(path), from.replace(/\.js$/, '.ts')),
  );
}

/** The modules of a controller, of the DTOs that it imports, and of those that they import. */
function modulesOf(controller: string, sources: Sources): string[] {
  const dtos = (path: string) => imported(path, sources.get(path) ?? '').filter(isDto);
  const direct = dtos(controller);
  const files = [controller, ...direct, ...direct.flatMap(dtos)];
  return [...new Set(files.flatMap((path) => MODULE.exec(path)?.[0] ?? []))];
}

/**
 * The parameters of the method of a controller that nothing in its modules reads, outside of DTOs; undefined: there is
 * no such method. Only names are compared: a member of another object with the same name counts too.
 */
export function unread(
  method: string,
  parameters: readonly string[],
  sources: Sources,
): { modules: string[]; names: string[] } | undefined {
  const declared = new RegExp(`^  (?:async )?${method}\\(`, 'm');
  const controller = [...sources].find(
    ([path, source]) => path.endsWith('.controller.ts') && declared.test(source),
  );
  if (!controller) return undefined;
  const modules = modulesOf(controller[0], sources);
  const texts = [...sources]
    .filter(([path]) => !isDto(path) && modules.some((module) => path.startsWith(module)))
    .map(([, source]) => source);
  return { modules, names: parameters.filter((name) => !texts.some((text) => reads(text, name))) };
}
