import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from '@jest/globals';
import { missingSpeechRuntime } from '../../src/lib/speech/speech-runtime.js';

/**
 * Something a test needs that npm does not install. If it is missing, the test is skipped and the reason becomes part
 * of its name, from which `scripts/test/totals.js` reads it. A test skipped in any other way counts as failed.
 */
export class Requirement {
  /** `missing`: what is missing and how to get it, shown below the test results; null if it is available. */
  constructor(
    private readonly name: string,
    private readonly missing: string | null,
  ) {}

  get isMet(): boolean {
    return this.missing === null;
  }

  readonly describe = (title: string, body: () => void): void => {
    (this.missing === null ? describe : describe.skip)(this.label(title), body);
  };

  readonly it = (title: string, body: () => Promise<void>, timeout?: number): void => {
    (this.missing === null ? it : it.skip)(this.label(title), body, timeout);
  };

  private label(title: string): string {
    return `${title} [needs ${this.name}${this.missing === null ? '' : `: ${this.missing}`}]`;
  }
}

/**
 * The paths of these programs on the `PATH`, or where Debian has those of servers; none with `MRS_TEST_NPM_ONLY`, as on a machine without
 * them.
 */
export function findPrograms(...names: string[]): string[] {
  if (process.env['MRS_TEST_NPM_ONLY'] === 'true') return [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter((path) => isExecutable(path));
}

const findProgram = (...names: string[]): string | undefined => findPrograms(...names)[0];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function unset(...names: string[]): string | null {
  const missing = names.filter((name) => !process.env[name]);
  return missing.length === 0 ? null : `${missing.join(', ')} not set`;
}

export const chromiumPath =
  process.env['MRS_TEST_CHROMIUM'] ??
  findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
export const ffmpegPath = findProgram('ffmpeg');
export const prometheusPath = findProgram('prometheus');
export const promtoolPath = findProgram('promtool');
export const pgbouncerPath = findProgram('pgbouncer');
export const nginxPath = findProgram('nginx');

export const CHROMIUM = new Requirement(
  'Chromium',
  chromiumPath
    ? null
    : 'neither on the PATH nor named by MRS_TEST_CHROMIUM; Debian: apt-get install chromium',
);
export const FFMPEG = new Requirement(
  'FFmpeg',
  ffmpegPath ? null : 'not on the PATH; Debian: apt-get install ffmpeg',
);
export const PGBOUNCER = new Requirement(
  'PgBouncer',
  pgbouncerPath ? null : 'not on the PATH; Debian: apt-get install pgbouncer',
);
export const NGINX = new Requirement(
  'nginx',
  nginxPath ? null : 'not on the PATH; Debian: apt-get install nginx-light',
);
export const S3 = new Requirement(
  'S3',
  unset('MRS_TEST_S3_ENDPOINT', 'MRS_TEST_S3_ACCESS_KEY_ID', 'MRS_TEST_S3_SECRET_ACCESS_KEY'),
);
export const CURL = new Requirement(
  'curl',
  findProgram('curl') ? null : 'not on the PATH; Debian: apt-get install curl',
);
export const PYTHON = new Requirement(
  'Python',
  findProgram('python3') ? null : 'python3 is not on the PATH; Debian: apt-get install python3',
);
export const PROMETHEUS = new Requirement(
  'Prometheus',
  prometheusPath && promtoolPath ? null : 'not on the PATH; Debian: apt-get install prometheus',
);
export const SPEECH = new Requirement('speech recognition', missingSpeechRuntime());
export const MORE_DATA = new Requirement('more data', unset('MRS_TEST_DATA'));
export const ROOT = new Requirement('root', process.getuid?.() === 0 ? null : 'run by another user');
/** Tests that find processes through `/proc` need it. */
export const LINUX = new Requirement(
  'Linux',
  process.platform === 'linux' ? null : `this is ${process.platform}`,
);
