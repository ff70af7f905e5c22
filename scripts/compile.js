// Compiles the service to JavaScript. Types are not checked here: `npm run check` does.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { transformFile } from '@swc/core';

/** Compiles these files of the project at `root` into `folder`; throws on a syntax error. */
export async function compile(root, paths, folder) {
  await Promise.all(paths.map((path) => compileFile(root, join(root, path), folder)));
}

/** What a file is compiled to. */
export function compiled(path) {
  const script = path.replace(/\.ts$/, '.js');
  return [script, `${script}.map`];
}

/** Compiles one file to the same place in `folder` that it has in the project. */
export async function compileFile(root, source, folder) {
  const target = join(folder, relative(root, source)).replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(source, {
    configFile: join(root, '.swcrc'),
    sourceFileName: relative(dirname(target), source),
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  writeFileSync(`${target}.map`, map);
}

/** What browsers of the last three years run, without comments: those are in the declarations. */
const FOR_BROWSERS = {
  configFile: false,
  swcrc: false,
  module: { type: 'es6' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' }, minify: { format: { comments: false } } },
};

/** Compiles the client library: these files, in place of all JavaScript in `folder`. */
export async function compileClient(paths, folder) {
  const compiledFiles = await Promise.all(paths.map((path) => transformFile(path, FOR_BROWSERS)));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.endsWith('.js')) rmSync(join(folder, name));
  for (const [index, { code }] of compiledFiles.entries())
    writeFileSync(join(folder, basename(paths[index]).replace(/\.ts$/, '.js')), code);
}

/** Compiles `<meeting-player>` of the project at `root`: its module in `web` and all that it imports from there, in place of `folder`. */
export async function compilePlayer(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  const names = ['embed/meeting-player.js'];
  for (const name of names) {
    const { code } = await transformFile(join(root, 'web', name), FOR_BROWSERS);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
    const imported = [...code.matchAll(/\bfrom *["'](\.[^"']+)/g)].map(([, path]) => path);
    for (const path of imported.map((one) => posix.join(posix.dirname(name), one)))
      if (!names.includes(path)) names.push(path);
  }
  copyFileSync(join(root, 'web', 'embed', 'types.d.ts'), join(folder, 'embed', 'types.d.ts'));
}
