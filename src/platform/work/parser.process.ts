/** Entry point of the confined process of `ConfinedParser`: reads one file, parses it, writes the result, exits. */
import { readFile, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { PARSED_PATH } from './parser-files.js';

/** Requests take precedence. */
const PRIORITY = 10;

const [module = '', path = '', options = ''] = process.argv.slice(2);
if (getPriority() < PRIORITY) setPriority(PRIORITY);
const { default: parse } = (await import(module)) as {
  default: (bytes: Uint8Array, options: unknown) => string | Promise<string>;
};
await writeFile(PARSED_PATH, await parse(await readFile(path), JSON.parse(options)));
