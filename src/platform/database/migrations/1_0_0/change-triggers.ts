import { triggerFunction, type Topic } from './topic.js';

type Row = 'OLD' | 'NEW';

/** A kind of change. Conditions and details are SQL about the rows OLD and NEW. */
export interface LoggedChange {
  readonly on: 'INSERT' | 'UPDATE' | 'DELETE';
  /** As in `change-catalog.ts`; or SQL that decides which. */
  readonly type: string | { readonly sql: string };
  readonly when?: string;
  /** Logged instead of whatever else the statement changes. */
  readonly alone?: boolean;
  readonly details?: string;
  /** What is logged is the row before an update. */
  readonly before?: boolean;
  /** A statement that follows. */
  readonly afterwards?: string;
}

/** The changes of a table's rows that are logged. */
export interface LoggedTable {
  readonly table: string;
  /** Only updates of these can be such changes. */
  readonly columns?: readonly string[];
  /** Updates that are not logged. */
  readonly except?: string;
  /** The statement that logs a change; calls one of the two functions below. */
  readonly log: (row: Row, type: string, details: string) => string;
  readonly changes: readonly LoggedChange[];
}

/** Of a recording, or of what belongs to it: nothing is logged when that goes together with its recording. */
export const ofRecording =
  (target = 'r.id'): LoggedTable['log'] =>
  (row, type, details) =>
    `PERFORM log_recording_change(${type}, r, ${target.replace('row.', `${row}.`)}, ${details})
     FROM recordings r WHERE r.id = ${row}.recording_id`;

interface Concerned {
  readonly organization?: string;
  readonly target: string;
  /** The user concerned, if any. */
  readonly user?: string;
  /** An address that is logged where it can be erased. */
  readonly email?: string;
}

/** Of anything else. `row.` stands for the changed row. */
export const ofOrganization =
  ({ organization = 'NULL', target, user = 'NULL', email }: Concerned, from = ''): LoggedTable['log'] =>
  (row, type, details) => {
    const concerned = [organization, target, user].join(', ');
    const call = `log_organization_change(${type}, ${concerned}, ${details}${email ? `, ${email}` : ''})`;
    return `PERFORM ${call} ${from}`.replaceAll('row.', `${row}.`);
  };

export const before = (details: string): string => `jsonb_build_object('before', ${details})`;
export const after = (details: string): string => `jsonb_build_object('after', ${details})`;
export const both = (details: (row: Row) => string): string =>
  `jsonb_build_object('before', ${details('OLD')}, 'after', ${details('NEW')})`;

/** An object of columns, by their names without `feature_`. */
export const values =
  (columns: readonly string[]) =>
  (row: string): string =>
    `jsonb_build_object(${columns.map((name) => `'${name.replace('feature_', '')}', ${row}.${name}`).join(', ')})`;

/** Logs which fields change, without their values. `fields`: the condition of each; `more`: further details. */
export function fieldsChanged(
  type: string,
  fields: Readonly<Record<string, string>>,
  more?: string,
): LoggedChange {
  const cases = Object.entries(fields).map(
    ([name, condition]) => `CASE WHEN ${condition} THEN '${name}' END`,
  );
  const details = `jsonb_build_object('fields', array_remove(ARRAY[${cases.join(', ')}], NULL))`;
  const when = Object.values(fields)
    .map((condition) => `(${condition})`)
    .join(' OR ');
  return { on: 'UPDATE', type, when, details: more ? `${details} || ${more}` : details };
}

const FUNCTIONS = [
  // Null: in no folder, or in one that is inactive, which is the same.
  `CREATE FUNCTION folder_access(folder uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$ BEGIN
     RETURN (SELECT CASE WHEN restricted THEN 'restricted' ELSE 'open' END FROM folders WHERE id = folder AND active);
   END $$`,
  // With where the recording is, which decides who sees it. A personal recording concerns its owner alone.
  `CREATE FUNCTION log_recording_change(change text, r recordings, target uuid, details jsonb)
   RETURNS void LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, recording_id, user_id,
       owner_id, folder_id, folder_access, target_id, details)
     SELECT change, s.kind, s.user_id, s.api_key_id, s.request_id, r.organization_id, r.id,
       CASE WHEN r.organization_id IS NULL THEN r.owner_id END, r.owner_id, r.folder_id, folder_access(r.folder_id), target, details
     FROM change_source() AS s;
   END $$`,
  `CREATE FUNCTION log_organization_change(
     change text, organization uuid, target uuid, concerned uuid, details jsonb, email text DEFAULT NULL
   ) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     logged record;
     salt text := gen_random_uuid();
   BEGIN
     INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
     SELECT change, s.kind, s.user_id, s.api_key_id, s.request_id, organization, target, concerned, details
     FROM change_source() AS s
     RETURNING at, id INTO logged;
     IF email IS NOT NULL THEN
       INSERT INTO personal_details (at, change_id, kind, value, salt, commitment)
       VALUES (logged.at, logged.id, 'email', email, salt, sha256(convert_to(salt || email, 'UTF8')));
     END IF;
   END $$`,
];

function logged({ log }: LoggedTable, change: LoggedChange): string {
  const { on, type, when, alone, details = `'{}'`, afterwards } = change;
  const row = on === 'DELETE' || change.before ? 'OLD' : 'NEW';
  const name = typeof type === 'string' ? `'${type}'` : type.sql;
  const statements = [
    log(row, name, details),
    ...(afterwards ? [afterwards] : []),
    ...(alone ? ['RETURN NULL'] : []),
  ];
  const body = statements.map((statement) => `${statement};`).join('\n');
  return when ? `IF ${when} THEN ${body} END IF;` : body;
}

/** A trigger and its function. */
function triggerOf(table: LoggedTable): readonly string[] {
  const { changes, columns, except, table: name } = table;
  const events = [...new Set(changes.map(({ on }) => on))];
  const bodies = events.map((event) => {
    const all = changes.filter(({ on }) => on === event).map((change) => logged(table, change));
    const skipped = event === 'UPDATE' && except ? [`IF ${except} THEN RETURN NULL; END IF;`] : [];
    return `IF TG_OP = '${event}' THEN ${[...skipped, ...all].join('\n')} END IF;`;
  });
  const of = columns ? ` OF ${columns.join(', ')}` : '';
  const causes = events.map((event) => (event === 'UPDATE' ? `${event}${of}` : event));
  return [
    triggerFunction(`log_${name}`, bodies.join('\n')),
    `CREATE TRIGGER ${name}_log AFTER ${causes.join(' OR ')} ON ${name} FOR EACH ROW EXECUTE FUNCTION log_${name}()`,
  ];
}

export const changeTriggers = (tables: readonly LoggedTable[]): Topic => ({
  up: [...FUNCTIONS, ...tables.flatMap(triggerOf)],
  down: [
    `DROP FUNCTION ${tables.map(({ table }) => `log_${table}`).join(', ')} CASCADE`,
    'DROP FUNCTION log_organization_change, log_recording_change, folder_access',
  ],
});
