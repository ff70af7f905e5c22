import type { DataSource } from 'typeorm';
import { CHANGE_CATALOG, type ChangeTypeName } from '../../src/contract/changes/change-catalog.js';

/** A row of the change log. */
export interface LoggedChange {
  readonly id: string;
  readonly at: Date;
  readonly type: ChangeTypeName;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly api_key_id: string | null;
  readonly request_id: string | null;
  readonly organization_id: string | null;
  readonly recording_id: string | null;
  readonly target_id: string | null;
  readonly user_id: string | null;
  readonly owner_id: string | null;
  readonly folder_id: string | null;
  readonly folder_access: string | null;
  readonly details: object;
}

const ROWS = 'SELECT * FROM change_log WHERE (at, id) > ($1, $2) ORDER BY at, id';

const NIL = '00000000-0000-0000-0000-000000000000';

/** The rows that `work` causes, each checked against the catalog. */
export async function changesOf(
  dataSource: DataSource,
  work: () => Promise<unknown>,
): Promise<readonly LoggedChange[]> {
  const [last]: LoggedChange[] = await dataSource.query(
    'SELECT at, id FROM change_log ORDER BY at DESC, id DESC LIMIT 1',
  );
  await work();
  const rows: LoggedChange[] = await dataSource.query(ROWS, [last?.at ?? new Date(0), last?.id ?? NIL]);
  for (const { type, details } of rows) CHANGE_CATALOG[type].details.parse(details);
  return rows;
}
