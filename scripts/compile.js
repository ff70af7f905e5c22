// Compiles the service to JavaScript. Types are not checked here: `npm run check` does.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

/** Compiles `src` and `ormconfig.ts` of the project at `root` into `folder`; throws on a syntax error. */
export async function compile(root, folder) {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  const modules = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const sources = modules.map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    [...sources, join(root, 'ormconfig.ts')].map((source) => compileFile(root, source, folder)),
  );
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
