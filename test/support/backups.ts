import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Ended } from './process.js';

/** What `backup --json` and `backup verify --json` print. */
export function resultOf({ status, stdout, stderr }: Ended): ReturnType<typeof JSON.parse> {
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** A recipient, and the file with its identity. */
export async function ageKey(folder: string): Promise<{ recipient: string; identity: string }> {
  const key = await generateX25519Identity();
  const identity = join(folder, 'identity.txt');
  await writeFile(identity, `# as age-keygen writes it\n${key}\n`);
  return { recipient: await identityToRecipient(key), identity };
}

/** The files below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
