// Compiles the service to JavaScript. Types are not checked here: `npm run check` does.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { bundle, transformFile } from '@swc/core';

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

/** Compiles `<meeting-player>` of the project at `root` into one module with its types, in place of `folder`. */
export async function compilePlayer(root, folder) {
  const entry = { player: join(root, 'web/embed/meeting-player.js') };
  const { player } = await bundle({ entry, module: {}, target: 'browser', options: FOR_BROWSERS });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'meeting-player.js'), player.code);
  copyFileSync(join(root, 'web/embed/types.d.ts'), join(folder, 'meeting-player.d.ts'));
}
