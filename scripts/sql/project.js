import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  experimentalDecorators: true,
};

/** In a path into a value: any element or any property. */
export const ANY = '*';

/** The TypeScript files in these folders. Packages are not read, as that is slow; values from them have an unknown origin. */
export function openProject(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const host = ts.createCompilerHost(OPTIONS);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const resolvedFileName = join(from, '..', text).replace(/\.js$/, '.ts');
      const isLocal = text.startsWith('.') && ts.sys.fileExists(resolvedFileName);
      return { resolvedModule: isLocal ? { resolvedFileName, extension: ts.Extension.Ts } : undefined };
    });
  const program = ts.createProgram(files, OPTIONS, host);
  const sources = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  return { checker: program.getTypeChecker(), sources, uses: usesIn(sources) };
}

function add(map, name, node) {
  if (name !== undefined) map.set(name, [...(map.get(name) ?? []), node]);
}

/** Where each name is called or constructed, is a property of an object literal, or is assigned to. */
function usesIn(sources) {
  const uses = { calls: new Map(), properties: new Map(), assignments: new Map() };
  const visit = (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) add(uses.calls, calledName(node), node);
    else if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
      add(uses.properties, node.name.getText(), node);
    else if (ts.isBinaryExpression(node) && isAssignment(node))
      add(uses.assignments, lastName(node.left), node);
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return uses;
}

const isAssignment = ({ operatorToken: { kind } }) =>
  kind === ts.SyntaxKind.EqualsToken || kind === ts.SyntaxKind.PlusEqualsToken;

/** `c` for `a.b.c(...)`; `[]` for a call by a computed name. */
export function calledName({ expression }) {
  return ts.isElementAccessExpression(expression) ? '[]' : lastName(expression);
}

export function lastName(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : undefined;
}

/** The declaration of a name, in any file. */
export function declarationOf(node, checker) {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol?.declarations?.[0];
}
