/** Entry point of the confined process of `ConfinedParser`: reads one file, parses it, writes the result, exits. */
import { readFile, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

const PRIORITY = 10;

const [module = '', input = '', output = '', options = ''] = process.argv.slice(2);
if (getPriority() < PRIORITY) setPriority(PRIORITY);
const { default: parse } = (await import(module)) as {
  default: (bytes: Uint8Array, options: unknown) => string | Promise<string>;
};
await writeFile(output, await parse(await readFile(input), JSON.parse(options)));
