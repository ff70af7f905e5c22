import { describe, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { expectNone } from '../support/proofs.js';

/** Columns of a table that something leaves out, by the reason. */
type Exceptions = Readonly<Record<string, readonly string[]>>;

const NEVER = 'does not change';
const FOLLOWS = 'changes only together with another column, which is noticed';
const ATTEMPT = 'belongs to a job, or an attempt of one';
const RETAINED = 'decides when a retention rule ends';
const SECRET = 'a secret, or what becomes of it';
const BIN = 'changes only with its place: it is deleted, or restored';
const IN_BIN = ['deleted_at', 'deleted_owner_id', 'deleted_organization_id', 'deleted_folder_id', 'purge_at'];

/** Columns of recordings that a change leaves at the same `revision`. */
const NOT_REVISED: Exceptions = {
  [NEVER]: ['id'],
  [FOLLOWS]: [
    'revision',
    'updated_at',
    'title_folded',
    'without_media',
    'media_mixed',
    'media_sha256',
    'source_type',
    'source_sha256',
  ],
  [ATTEMPT]: ['progress', 'packaging_id', 'auto_transcribe', 'language'],
  'counts towards the quota': ['stored_bytes'],
  [RETAINED]: ['viewed_at', 'placed_at', 'filed_at', 'retention_noticed_for'],
  [BIN]: IN_BIN,
};

/** Of any table. */
const NEVER_CHANGES = 'created_at';

/** Other columns that the change log leaves out, of the tables whose changes it has. */
const NOT_LOGGED: Readonly<Record<string, Exceptions>> = {
  users: { [NEVER]: ['service_of'] },
  api_keys: {
    [SECRET]: ['hash'],
    'changes with use': ['last_used_at', 'last_used_address'],
  },
  passkeys: { 'changes with use': ['counter', 'backed_up', 'last_used_at'] },
  organizations: {
    'has a trigger of its own': [
      'api_key_max_days',
      'bin_days',
      'remember_voices',
      'sso_provider',
      'oauth_clients',
      'branding_accent',
      'branding_domain',
      'branding_logo',
    ],
    [FOLLOWS]: ['branding_image'],
  },
  organization_members: { 'says who gave the membership, whose rights are logged': ['granted_by'] },
  organization_transfers: { [NEVER]: ['expires_at'] },
  invitations: {
    [NEVER]: ['language'],
    [SECRET]: ['token_hash'],
    'changes when it is sent again, which is logged': ['invited_by', 'sent_at', 'expires_at'],
    [ATTEMPT]: ['mail_status', 'mail_error'],
  },
  recordings: {
    [FOLLOWS]: [
      'without_media',
      'media_mixed',
      'revision',
      'updated_at',
      'title_folded',
      'media_type',
      'media_sha256',
      'source_key',
      'source_type',
      'source_sha256',
      'package_key',
    ],
    'changes with the status': ['status_reason', 'started_at', 'ended_at', 'duration'],
    [ATTEMPT]: ['progress', 'packaging_id', 'auto_transcribe', 'language'],
    'counts towards the quota': ['stored_bytes'],
    [RETAINED]: ['viewed_at', 'placed_at', 'filed_at', 'retention_noticed_for'],
    [BIN]: IN_BIN.slice(1),
  },
  legal_holds: {
    [NEVER]: ['matter', 'reason', 'recording_ids', 'folder_ids', 'user_ids', 'from_at', 'to_at'],
  },
  erasures: {
    'says who it is about, until it is completed': ['user_id', 'email', 'names'],
    [ATTEMPT]: ['status', 'status_reason'],
  },
  exports: {
    [NEVER]: ['recording_id', 'created_from', 'created_to'],
    [FOLLOWS]: ['status_reason', 'size', 'sha256', 'expires_at'],
    [ATTEMPT]: ['progress', 'attempt_id'],
  },
  transcripts: {
    'its revisions are logged': [
      'language',
      'speakers',
      'segments_count',
      'duration',
      'revision',
      'confidence_known',
      'generated',
      'speaker_statistics',
    ],
    [ATTEMPT]: ['attempt_id', 'live', 'progress', 'draft'],
  },
  transcript_revisions: {
    'who the change log says it was': ['created_by'],
    content: ['language', 'speakers', 'segments_count', 'duration', 'confidence_known'],
  },
  summaries: { content: ['content', 'html', 'topics', 'decisions'], [ATTEMPT]: ['attempt_id'] },
  tracks: {
    [NEVER]: ['kind', 'origin'],
    'counts towards the quota': ['stored_bytes'],
    [FOLLOWS]: [
      'given_offset',
      'offset',
      'alignment',
      'duration',
      'source_key',
      'source_type',
      'source_sha256',
      'audio_playlist',
      'picture_playlist',
      'notice',
    ],
    [ATTEMPT]: ['attempt_id'],
  },
  uploads: {
    [NEVER]: ['user_id', 'fetched', 'added', 'metadata'],
    [ATTEMPT]: [
      'size',
      'received',
      'generation',
      'turn',
      'media_type',
      'kept_bytes',
      'progress',
      'active_at',
      'closed_at',
    ],
  },
  action_items: { [FOLLOWS]: ['changed_at', 'confidence'], content: ['position', 'start', 'segment_ids'] },
  share_links: {
    [NEVER]: ['organization_id', 'plain', 'plain_for_key'],
    [SECRET]: ['token_hash', 'token_sealed', 'sealing_key_id'],
    'only the first visit is a change': ['last_viewed_at'],
  },
  webhooks: {
    [SECRET]: ['url_sealed', 'url_masked', 'sealing_key_id'],
    'changes with the version of the endpoint': ['header_names'],
    'changes with deliveries': ['failing_since', 'succeeded_at', 'paused_until', 'mailed_at'],
  },
  webhook_secrets: {
    [SECRET]: ['secret_sealed', 'sealing_key_id'],
    'changes when another one is added, which is logged': ['expires_at'],
  },
};

/** All statements of the migrations, oldest first. */
async function statements(): Promise<string[]> {
  const found: string[] = [];
  const runner = { query: async (text: string) => void found.push(text) } as unknown as QueryRunner;
  for (const Migration of MIGRATIONS) await new Migration().up(runner);
  return found;
}

/** The columns of each table that can change, according to the entities: all but those that are only inserted (`update: false`). */
async function columnsOf(): Promise<ReadonlyMap<string, readonly string[]>> {
  const url = 'postgres://localhost/never-connected';
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 1 }));
  // What `initialize` does before it connects.
  await dataSource['buildMetadatas']();
  return new Map(
    dataSource.entityMetadatas.map(({ tableName, columns }) => [
      tableName,
      columns
        .filter(({ isInsert, isUpdate }) => isUpdate || !isInsert)
        .filter(({ databaseName }) => databaseName !== NEVER_CHANGES)
        .map(({ databaseName }) => databaseName),
    ]),
  );
}

/** Columns that are neither noticed nor excepted, and exceptions that are none. */
function mistakes(
  columns: readonly string[],
  noticed: (column: string) => boolean,
  { exceptions, unnoticed, remedy }: { exceptions: Exceptions; unnoticed: string; remedy: string },
): string[] {
  const excepted = Object.values(exceptions).flat();
  return [
    ...columns
      .filter((column) => !noticed(column) && !excepted.includes(column))
      .map((column) => `A change of ${column} ${unnoticed}: ${remedy}`),
    ...excepted
      .filter((column) => noticed(column) || !columns.includes(column))
      .map(
        (column) =>
          `${column} is no exception (any longer): remove it from the list in test/contract/noticed-changes.spec.ts`,
      ),
  ];
}

const [sql, columns] = await Promise.all([statements(), columnsOf()]);
/** The tables with a trigger that writes the change log, and an entity. */
const logged = new Set(
  sql
    .flatMap((text) => /\bTRIGGER (\w+)_log AFTER\b/.exec(text)?.[1] ?? [])
    .filter((table) => columns.has(table)),
);

describe('A change of a column', () => {
  /** The last statement of this form. */
  const last = (pattern: RegExp): string => sql.findLast((text) => pattern.test(text)) ?? '';

  it('of a recording raises its revision, or is an exception', () => {
    const trigger = last(/CREATE (OR REPLACE )?TRIGGER recordings_note_change /);
    const [, revised = ''] = /\bUPDATE OF ([\w, ]+) ON recordings\b/.exec(trigger) ?? [];
    const noticed = new Set(revised.split(', '));
    expectNone(
      mistakes(columns.get('recordings') ?? [], (column) => noticed.has(column), {
        exceptions: NOT_REVISED,
        unnoticed: 'of recordings does not raise `revision`, so that If-Match would not notice it',
        remedy:
          'in your migration, replace the trigger recordings_note_change by one that has the column as well (REVISED of src/platform/database/migrations/1_0_0/recordings.ts), or add it with a reason to NOT_REVISED of test/contract/noticed-changes.spec.ts',
      }),
    );
  });

  it.each([...logged])('of %s is in the change log, or is an exception', (table) => {
    const logs = last(new RegExp(`CREATE (OR REPLACE )?FUNCTION log_${table}\\(`));
    expectNone(
      mistakes(columns.get(table) ?? [], (column) => new RegExp(`\\b(OLD|NEW)\\.${column}\\b`).test(logs), {
        exceptions: NOT_LOGGED[table] ?? {},
        unnoticed: `of ${table} is not in the change log, so that neither the audit log nor webhooks have it`,
        remedy: `log it in the trigger of ${table} (\`logChanges\` in a migration of its own release; a released one is replaced by another), declare it with \`update: false\` in the entity if it never changes, or add it with a reason to NOT_LOGGED of test/contract/noticed-changes.spec.ts`,
      }),
    );
  });

  it('has exceptions only of tables whose changes are logged', () => {
    expectNone(Object.keys(NOT_LOGGED).filter((table) => !logged.has(table)));
  });
});
