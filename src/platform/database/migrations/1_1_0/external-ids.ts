import { LOGGED_RECORDINGS } from '../1_0_0/logged-recordings.js';
import type { LoggedChange, LoggedTable } from '../1_0_0/change-triggers.js';
import type { Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

const FIELDS = ['external_id', 'metadata'];
const changed = (name: string): string => `OLD.${name} IS DISTINCT FROM NEW.${name}`;
const CHANGED = FIELDS.map(changed).join(' OR ');
const CASES = FIELDS.map((name) => `CASE WHEN ${changed(name)} THEN '${name}' END`).join(', ');

/** The fields that an update changes are named together with those that 1.0.0 names. */
const alsoNaming = (details: string): string => details.replace('ARRAY[', `ARRAY[${CASES}, `);

const noting = (change: LoggedChange): LoggedChange =>
  change.type === 'recording.updated'
    ? { ...change, when: `(${change.when}) OR ${CHANGED}`, details: alsoNaming(change.details ?? '') }
    : change;

const [RECORDINGS] = LOGGED_RECORDINGS as readonly [LoggedTable];

/** What is logged of recordings; its triggers are made with the bin. */
export const RECORDINGS_WITH_EXTERNAL_IDS: LoggedTable = {
  ...RECORDINGS,
  columns: [...(RECORDINGS.columns ?? []), ...FIELDS],
  changes: RECORDINGS.changes.map(noting),
};

/** Of the others, the functions that log them. */
const LOGS = {
  log_organizations: (text: string) =>
    alsoNaming(text.replace('IF (OLD.name <> NEW.name) THEN', `IF OLD.name <> NEW.name OR ${CHANGED} THEN`)),
  log_users: (text: string) =>
    alsoNaming(text.replace('IF (OLD.name <> NEW.name) OR', `IF ${CHANGED} OR (OLD.name <> NEW.name) OR`)),
  log_folders: (text: string) =>
    text.replace('IF (OLD.name, OLD.active', `IF ${CHANGED} OR (OLD.name, OLD.active`).replace(
      `CASE WHEN OLD.name <> NEW.name THEN '{"fields": ["name"]}'::jsonb ELSE '{}' END`,
      `CASE WHEN OLD.name <> NEW.name OR ${CHANGED} THEN jsonb_build_object('fields',
           array_remove(ARRAY[${CASES}, CASE WHEN OLD.name <> NEW.name THEN 'name' END], NULL)) ELSE '{}' END`,
    ),
};

const NOTE_CHANGE = released('TRIGGER', 'recordings_note_change');
const columnsOf = (row: string): string => FIELDS.map((name) => `${row}${name}, `).join('');

const TABLES = ['recordings', 'organizations', 'folders', 'users'];

/** Ids and texts that callers give to what they own here. */
export const EXTERNAL_IDS: Topic = {
  up: [
    ...TABLES.map(
      (table) => `ALTER TABLE ${table} ADD external_id text, ADD metadata jsonb NOT NULL DEFAULT '{}'`,
    ),
    // What is in the bin is nobody's, and so is its external id.
    `CREATE UNIQUE INDEX recordings_external_id_key ON recordings (external_id, COALESCE(organization_id, owner_id))
       WHERE external_id IS NOT NULL`,
    // Empty ones, which are most, cost nothing.
    ...['recordings', 'users'].map(
      (table) =>
        `CREATE INDEX ${table}_metadata_idx ON ${table} USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}'`,
    ),
    `CREATE UNIQUE INDEX folders_external_id_key ON folders (external_id, organization_id)
       WHERE external_id IS NOT NULL AND deleted_at IS NULL`,
    // Organizations of different owners may have the same.
    `CREATE INDEX organizations_external_id_idx ON organizations (external_id) WHERE external_id IS NOT NULL`,
    // Those of service accounts are their organization's.
    `CREATE UNIQUE INDEX users_external_id_key
       ON users (external_id, COALESCE(service_of, '00000000-0000-0000-0000-000000000000')) WHERE external_id IS NOT NULL`,

    ...Object.entries(LOGS).map(([name, edited]) => replacing(edited(released('FUNCTION', name)))),
    'DROP TRIGGER recordings_note_change ON recordings',
    NOTE_CHANGE.replace('OF title', `OF ${columnsOf('')}title`)
      .replace('(OLD.title', `(${columnsOf('OLD.')}OLD.title`)
      .replace('(NEW.title', `(${columnsOf('NEW.')}NEW.title`),
  ],
  down: [
    'DROP TRIGGER recordings_note_change ON recordings',
    NOTE_CHANGE,
    ...Object.keys(LOGS).map((name) => replacing(released('FUNCTION', name))),
    ...TABLES.map((table) => `ALTER TABLE ${table} DROP external_id, DROP metadata`),
  ],
};
