import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parseSettings, type Settings } from './settings.js';
import { isSecret, SETTING_NAMES, SETTINGS_SCHEMA, type SettingName } from './settings.schema.js';
import type { GivenSettings } from './settings.rules.js';

/** The file with settings, in the working directory. */
const FILE = '.env';
const HIDDEN = '[hidden]';
/** In a URL. */
const CREDENTIALS = /\/\/[^\s/?#]*@/g;
/** The service creates these itself, in files. */
const GENERATED: ReadonlySet<SettingName> = new Set(['URL_SIGNING_KEY', 'SEALING_KEY']);

/** A setting as it is shown to operators. */
export interface ShownSetting {
  readonly name: SettingName;
  /** Secrets are masked, also in URLs. Null if it is not set and has no fixed default. */
  readonly value: string | null;
  readonly source: 'environment' | typeof FILE | 'file' | 'default' | 'generated';
}

/** The settings of this process, from `.env` and the environment, which takes precedence, or from files of secrets. */
export function readSettings(): Settings {
  const { given, problems } = readGiven();
  return parseSettings(given, problems);
}

/** Returns what was given, before it is checked, what is wrong with files, and how to show all settings. */
export function readGiven() {
  const file = existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
  const all: Readonly<Record<string, string | undefined>> = { ...file, ...process.env };
  const problems: string[] = [];
  const given: Partial<Record<SettingName, string>> = {};
  const shown = SETTING_NAMES.map((name): ShownSetting => {
    const path = isSecret(name) ? all[`${name}_FILE`] : undefined;
    const value = all[name] || (path && readSecret(name, path, problems));
    if (all[name] && path) problems.push(`${name} and ${name}_FILE must not both be set`);
    if (!value) return byDefault(name);
    given[name] = value;
    const source = path ? 'file' : process.env[name] ? 'environment' : FILE;
    return { name, value: isSecret(name) ? HIDDEN : value.replace(CREDENTIALS, `//${HIDDEN}@`), source };
  });
  return { given: given as GivenSettings, problems, shown };
}

function byDefault(name: SettingName): ShownSetting {
  const preset = SETTINGS_SCHEMA.shape[name].safeParse(undefined).data;
  const value = preset === undefined ? null : String(preset);
  return { name, value, source: GENERATED.has(name) ? 'generated' : 'default' };
}

/** Reads a secret from a file as Docker and Kubernetes mount them; a newline at its end is not part of it. */
function readSecret(name: SettingName, path: string, problems: string[]): string {
  try {
    const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (secret === '') problems.push(`${name}_FILE: ${path} is empty`);
    return secret;
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
    return '';
  }
}

/** Makes settings known to packages that read them from the environment, where those of `.env` are not. */
export const shareWithPackages = (settings: Readonly<Record<string, string>>): void =>
  void Object.assign(process.env, settings);
