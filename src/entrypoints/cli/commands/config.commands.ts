import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runningUrl } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { counted, singleLine } from '../../../lib/text.js';
import { readGiven, readSettings } from '../../../platform/config/read-settings.js';
import {
  checkSettings,
  parseSettings,
  StartError,
  type Settings,
} from '../../../platform/config/settings.js';
import { SETTING_NAMES, type SettingName } from '../../../platform/config/settings.schema.js';
import { asStartError } from '../../../platform/database/servers/database-server.js';
import { explainConnection } from '../../../platform/database/servers/explain-connection.js';
import { migrate } from '../../../platform/database/migrate.js';
import { redact } from '../../../platform/logging/redact.js';
import { readContentKey } from '../../../platform/secrets/content-key.js';
import { readKeys } from '../../../platform/secrets/keys.js';
import { openS3Store } from '../../../platform/storage/open-store.js';
import { CommandError, EXIT } from '../exit-status.js';
import { hasTables, placeOf, requireDatabase, withDatabaseServer } from '../host.js';
import { fieldLines, print, type Output } from '../output.js';

export async function checkConfig(options: Output): Promise<void> {
  const { given, shown: settings, problems: unreadable } = readGiven();
  const { problems: invalid } = checkSettings(given, unreadable);
  const problems = invalid.length > 0 ? invalid : await findUnusable(parseSettings(given));
  const ok = problems.length === 0;
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2;
  const lines = [
    ...settings.map(
      ({ name, value, source }) => `${name.padEnd(width)}${singleLine(value ?? '-')}  (${source})`,
    ),
    fieldLines(problems.map((problem) => ['problem', singleLine(problem)])),
  ];
  print(options, { ok, problems, settings }, `${lines.join('\n')}${ok ? 'No problems found.' : ''}`);
  if (!ok) throw new CommandError(EXIT.failure, `Found ${counted(problems.length, 'problem')}.`);
}

/** Tries what settings name, as far as that changes nothing. */
async function findUnusable(settings: Settings): Promise<string[]> {
  const { databaseUrl, databaseDirectUrl, s3, ffmpegPath, speechModelDir, speechDiarizationDir } = settings;
  const attempts: [name: SettingName, attempt: (() => Promise<unknown>) | null | undefined | ''][] = [
    ['DATA_DIR', () => access(`${existingParent(settings.dataDir)}/.`, constants.W_OK)],
    ['FFMPEG_PATH', ffmpegPath && (() => access(ffmpegPath, constants.X_OK))],
    ['SPEECH_MODEL_DIR', speechModelDir && (() => access(speechModelDir, constants.R_OK))],
    ['SPEECH_DIARIZATION_DIR', speechDiarizationDir && (() => access(speechDiarizationDir, constants.R_OK))],
    ['URL_SIGNING_KEY', () => readKeys(settings.urlSigningKey)],
    ['SEALING_KEY', () => readKeys(settings.sealingKey)],
    ['CONTENT_KEY_COMMAND', settings.contentKey.command && (() => readContentKey(settings.contentKey))],
    ['DATABASE_URL', databaseUrl && (() => hasTables(databaseUrl))],
    ['DATABASE_DIRECT_URL', databaseDirectUrl && (() => hasTables(databaseDirectUrl))],
    ['S3_BUCKET', s3 && (() => openS3Store(s3))],
  ];
  const found = attempts.map(async ([name, attempt]) => {
    const problem = attempt ? await attempt().then(() => null, messageOf) : null;
    if (problem === null) return [];
    return [SETTING_NAMES.some((one) => problem.startsWith(one)) ? problem : `${name}: ${problem}`];
  });
  return (await Promise.all(found)).flat();
}

const messageOf = (error: Error): string => redact(error.message);

/** The folder, or that in which it would be created. */
const existingParent = (folder: string): string =>
  existsSync(folder) ? folder : existingParent(dirname(folder));

export async function printDatabaseUrl(options: Output): Promise<void> {
  const { databaseDirectUrl: databaseUrl, dataDir } = readSettings();
  if (databaseUrl === undefined) await requireDatabase({ databaseUrl, dataDir });
  const url = databaseUrl ?? (await runningUrl(dataDir).catch(asStartError));
  if (url === undefined)
    throw new StartError(
      `The embedded PostgreSQL in ${dataDir} is not running. Start the service first: npm start`,
    );
  print(options, { url }, url);
}

/** Does before a start what each process does when it starts. */
export const migrateDatabase = (options: Output): Promise<void> =>
  withDatabaseServer(
    async ({ settings, url }) => {
      await migrate(url).catch(explainConnection(url));
      const place = placeOf(settings);
      print(options, { database: place }, `The database in ${place} has the schema of this release.`);
    },
    { creates: true },
  );
