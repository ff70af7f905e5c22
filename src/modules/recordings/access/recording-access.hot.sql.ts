import type { DataSource } from 'typeorm';
import { asJson, readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { sql, type Sql } from '../../../platform/database/sql.js';
import { isUuid } from '../../../platform/ids.js';
import type { KeyScopes } from '../../../contract/scopes.js';
import type { LimitedKeyFacts } from '../../../policy/api-keys.js';
import type { AccessFacts } from '../../../policy/recording-access.js';
import { REFUSING_ORGANIZATIONS } from '../../api-keys/public/refusing-organizations.sql.js';
import { column, selectList, time, timesOf, type ExtraColumns, type RowOf } from './public/columns.js';
import { FACTS, factTables, readRecording, ROW, toFacts, type FoundRecording } from './recording-row.sql.js';

/** The standing of an API key, as `LimitedKeyFacts`, and the facts for its user. */
const KEYED = {
  userId: column<string | null>('k.user_id'),
  expiresAt: time<Date | null>('k.expires_at'),
  revokedAt: time<Date | null>('k.revoked_at'),
  scopes: column<KeyScopes>('k.scopes'),
  organizationIds: column<string[] | null>('k.organization_ids'),
  folderIds: column<string[] | null>('k.folder_ids'),
  refusedBy: column<string[]>(REFUSING_ORGANIZATIONS),
  ...FACTS,
};

const KEYED_TIMES = timesOf(KEYED);

/** Statements by their extra columns; held weakly, because a service may create these for every request. */
const statements = new WeakMap<object, PreparedStatement>();
const keyedStatements = new WeakMap<object, PreparedStatement>();

/** Selects a recording with all that its access decision is based on. */
export const selectRecording = (
  { columns, join = '' }: Pick<ExtraColumns<unknown>, 'columns' | 'join'>,
  recordingId: Sql,
  viewerId: Sql,
  recordings: Sql = sql`recordings r`,
): Sql => sql`
  SELECT ${() => asJson(selectList(ROW))} AS recording${() => columns}
  FROM ${recordings}
  ${factTables(viewerId)}
  ${() => join}
  WHERE r.id = ${recordingId}`;

/**
 * Finds one recording with everything that its access decision is based on; null if absent. Prepared: one plan per
 * connection, and one JSON value in place of forty columns. Every read of a recording begins with it.
 */
export async function findRecording<Columns>(
  dataSource: DataSource,
  recordingId: string,
  viewerId: string | null,
  extraColumns: ExtraColumns<Columns>,
  values: readonly unknown[] = [],
): Promise<FoundRecording<Columns> | null> {
  if (!isUuid(recordingId)) return null;
  const statement = statements.get(extraColumns) ?? {
    name: `recording-access-${extraColumns.name}`,
    text: selectRecording(extraColumns, sql`${() => '$1'}`, sql`${() => '$2'}`).toQuery().text,
  };
  statements.set(extraColumns, statement);
  const parameters = [recordingId, viewerId, ...values];
  const [found] = await preparedQuery<{ readonly recording: JsonRow<RowOf<typeof ROW>> } & Columns>(
    dataSource,
    statement,
    parameters,
  );
  return found ? readRecording<Columns>(found) : null;
}

/**
 * Finds what is known about one recording and an API key, and only these columns; null if either is absent. Prepared:
 * one plan per connection. Every delivery of media, and so every segment that a player loads, asks this.
 */
export async function findKeyedRecording<Columns>(
  dataSource: DataSource,
  recordingId: string,
  apiKeyId: string,
  extraColumns: ExtraColumns<Columns>,
): Promise<{ readonly key: LimitedKeyFacts; readonly facts: AccessFacts; readonly columns: Columns } | null> {
  if (!isUuid(recordingId) || !isUuid(apiKeyId)) return null;
  const statement = keyedStatements.get(extraColumns) ?? keyedStatement(extraColumns);
  keyedStatements.set(extraColumns, statement);
  const [found] = await preparedQuery<{ facts: JsonRow<RowOf<typeof KEYED>> } & Columns>(
    dataSource,
    statement,
    [recordingId, apiKeyId],
  );
  if (!found) return null;
  const { facts, ...columns } = found;
  const row = readTimes<RowOf<typeof KEYED>>({ ...facts }, KEYED_TIMES);
  return { key: row, facts: toFacts(row), columns: columns as unknown as Columns };
}

function keyedStatement({ name, columns }: ExtraColumns<unknown>): PreparedStatement {
  const { text } = sql`
  SELECT ${() => asJson(selectList(KEYED))} AS facts${() => columns}
  FROM recordings r
  JOIN api_keys k ON k.id = $2
  ${factTables(sql`k.user_id`)}
  WHERE r.id = $1`.toQuery();
  return { name: `recording-access-keyed-${name}`, text, shared: true };
}
