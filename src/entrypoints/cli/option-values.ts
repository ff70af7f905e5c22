import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { LIMITS } from '../../contract/limits.js';
import { SCOPE_NAMES, SCOPE_PRESETS } from '../../contract/scopes.js';
import { asLine, isEmailAddress, isLine, quoteForMessage } from '../../lib/text.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { LANGUAGE_RULE, readLanguage } from '../../lib/language/language-codes.js';
import { usageError } from './exit-status.js';
import { PAGE_SIZE, type ListOptions } from './output.js';
import { DAY_S, HOUR_S, MINUTE_S } from '../../lib/durations.js';
import { rangeText } from '../../lib/amounts.js';

const SECONDS: Readonly<Record<string, number>> = { d: DAY_S, h: HOUR_S, m: MINUTE_S };
export const SCOPE_OPTIONS: readonly string[] = [...SCOPE_NAMES, ...Object.keys(SCOPE_PRESETS)];

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reads an option that may be absent. */
export const ifGiven = <Value>(
  value: string | undefined,
  read: (value: string) => Value,
): Value | undefined => (value === undefined ? undefined : read(value));

/** Validates an option that is an email address; returns it as it is kept. */
export function emailAddress(option: string, value: string): string {
  const email = asLine(value);
  if (isEmailAddress(email, LIMITS.email.max)) return email;
  throw usageError(`${option}: must be an email address, not "${value}"`);
}

/** Validates the text of an option; returns it as it is kept. */
export function text(option: string, value: string, limits: Bounds): string {
  const line = asLine(value);
  if (isLine(line, limits)) return line;
  throw usageError(`${option}: must have ${rangeText(limits)} characters, without control characters`);
}

/** What each page of a list is asked for with; validates `--search`. */
export const pageQuery = ({ search, limit }: ListOptions) => ({
  search: ifGiven(search, (value) => text('--search', value, LIMITS.filter)),
  limit: Math.min(limit, PAGE_SIZE),
});

/** Reads an option that is a time; `also`: what else it takes, for the message. */
export function timeOption(option: string, value: string, also = ''): Date {
  const date = parseTimestamp(value)?.date;
  if (date) return date;
  throw usageError(
    `${option}: must be an ISO 8601 date or date-time such as 2030-01-31${also}, not ${quoteForMessage(value)}`,
  );
}

/** Reads an option that is a whole number; `also`: what else it takes, for the message. */
export function integerOption(option: string, value: string, { min, max }: Bounds, also = ''): number {
  const number = /^\d{1,9}$/.test(value.trim()) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw usageError(`${option}: must be a number from ${min} to ${max}${also}, not ${quoteForMessage(value)}`);
}

/** Reads an option that is a duration such as `90d`; returns seconds, within the limits. */
export function durationOption(option: string, value: string, { min, max }: Bounds): number {
  const [, count, unit = ''] = /^(\d{1,9})([dhm])$/.exec(value.trim()) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? NaN);
  if (seconds >= min && seconds <= max) return seconds;
  throw usageError(
    `${option}: must be days, hours or minutes such as 90d, 12h or 30m, from ${durationOf(min)} to ${durationOf(max)}, not ${quoteForMessage(value)}`,
  );
}

/** The shortest way to write a duration as an option. */
function durationOf(seconds: number): string {
  const found = Object.entries(SECONDS).find(([, length]) => seconds > 0 && seconds % length === 0);
  const [unit, length] = found ?? ['m', 60];
  return `${seconds / length}${unit}`;
}

/** Reads an option that lists scopes and presets, with commas between them. */
export function scopesOption(option: string, value: string): string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !SCOPE_OPTIONS.includes(name));
  if (unknown === undefined && names.length > 0) return names;
  const problem =
    unknown === undefined ? 'must name at least one scope' : `there is no scope ${quoteForMessage(unknown)}`;
  throw usageError(`${option}: ${problem}; choose from ${SCOPE_OPTIONS.join(', ')}`);
}

/** Reads an option that lists values with commas between them; `isOne`: whether one is valid, `what`: what it must be. */
export function listOption(
  option: string,
  value: string,
  what: string,
  isOne: (one: string) => boolean,
  max: number = LIMITS.apiKeyReach.max,
): string[] {
  const all = value.split(',').map((one) => one.trim());
  if (all.every(isOne) && all.length <= max) return all;
  throw usageError(
    `${option}: must be 1 to ${max} ${what}, with commas between, not ${quoteForMessage(value)}`,
  );
}

/** Reads `--language`: a language, or `auto`. */
export const languageOption = (value: string | undefined): string | undefined =>
  ifGiven(value, (one) => {
    const language = readLanguage(one);
    if (language === null) throw usageError(`--language: ${LANGUAGE_RULE}`);
    return language;
  });

/** Options of `recordings upload`, on a server and on the host. */
export interface UploadOptions {
  title?: string;
  organization?: string;
  folder?: string;
  transcribe?: boolean;
  language?: string;
  watch?: boolean;
}

/** Title and language of the recording that a file becomes; the title is by default the name of the file. */
export const describedBy = (file: string, { title, language }: UploadOptions) => ({
  title: text('--title', title ?? basename(file, extname(file)), LIMITS.title),
  language: languageOption(language),
});

/** A file that a command names, read only as it is sent. Folders and pipes, which have no size, are refused. */
export async function fileToSend(file: string): Promise<Blob> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${file}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  });
  if (!stats.isFile()) throw usageError(`${file}: not a regular file`);
  return openAsBlob(file);
}
