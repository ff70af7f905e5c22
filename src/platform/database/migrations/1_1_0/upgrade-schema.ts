import type { MigrationInterface, QueryRunner } from 'typeorm';
import { API_KEYS } from './api-keys.js';
import { AUDIT_LOG } from './audit-log.js';
import { BRANDING } from './branding.js';
import { CLIENTS } from './clients.js';
import { BIN } from './keeping/bin.js';
import { CONTENT_KEYS } from './media/content-keys.js';
import { DIRECT_UPLOADS } from './media/direct-uploads.js';
import { DIRECTORIES } from './directories.js';
import { ERASURES } from './keeping/erasures.js';
import { EXPORTS } from './keeping/exports.js';
import { EXTERNAL_IDS } from './external-ids.js';
import { FOLDED_LETTERS } from './folded-letters.js';
import { GLOSSARIES } from './glossaries.js';
import { LEGAL_HOLDS } from './keeping/legal-holds.js';
import { LIVE_TRANSCRIPTS } from './live-transcripts.js';
import { OAUTH } from './oauth.js';
import { PASSKEYS } from './passkeys.js';
import { RETENTION } from './keeping/retention.js';
import { PROCESSES } from './processes.js';
import { SERVICE_ACCOUNTS } from './service-accounts.js';
import { SHARE_LINKS } from './share-links.js';
import { SIGN_IN } from './sign-in.js';
import { SPEAKER_STATISTICS } from './speaker-statistics.js';
import { SUMMARIES } from './summaries.js';
import { TRACKS } from './media/tracks.js';
import { TRACES } from './traces.js';
import { VOICES } from './voices.js';
import { WEBHOOKS } from './webhooks.js';

/** Each builds on those before it. */
const TOPICS = [
  SUMMARIES,
  API_KEYS,
  SERVICE_ACCOUNTS,
  CLIENTS,
  GLOSSARIES,
  LIVE_TRANSCRIPTS,
  SPEAKER_STATISTICS,
  FOLDED_LETTERS,
  WEBHOOKS,
  SHARE_LINKS,
  TRACES,
  PROCESSES,
  AUDIT_LOG,
  SIGN_IN,
  PASSKEYS,
  DIRECTORIES,
  OAUTH,
  BRANDING,
  EXTERNAL_IDS,
  BIN,
  LEGAL_HOLDS,
  RETENTION,
  ERASURES,
  EXPORTS,
  CONTENT_KEYS,
  DIRECT_UPLOADS,
  TRACKS,
  VOICES,
];

/** From the schema of release 1.0.0 to that of 1.1.0. */
export class UpgradeSchema1796349600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TOPICS.flatMap(({ up }) => up)) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TOPICS.toReversed().flatMap(({ down }) => down))
      await queryRunner.query(statement);
  }
}
