const refusal = (name: string, message: string, permitted = ''): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${permitted && `IF TG_OP = 'UPDATE' AND ${permitted} THEN RETURN NEW; END IF;`}
     RAISE EXCEPTION '${message}' USING ERRCODE = 'insufficient_privilege';
   END $$`;

/** Of an update, whether these columns are emptied and the others stay as they are. */
const emptied = (columns: readonly string[], others: readonly string[]): string =>
  `${columns.map((name) => `NEW.${name} IS NULL`).join(' AND ')}
     AND (${others.map((name) => `NEW.${name}`).join(', ')}) IS NOT DISTINCT FROM (${others.map((name) => `OLD.${name}`).join(', ')})`;

const guarded = (table: string, what: string, refuse: string): readonly string[] => [
  `CREATE TRIGGER ${table}_${what} BEFORE UPDATE OR DELETE ON ${table}
     FOR EACH ROW EXECUTE FUNCTION ${refuse}()`,
  `CREATE TRIGGER ${table}_not_truncated BEFORE TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()`,
];

/** Statements that refuse whatever would change what the log says. */
export const APPEND_ONLY: readonly string[] = [
  refusal('refuse_to_change_log', 'the change log is append-only'),
  // Personal details may be erased, which leaves the commitment, and the lists of a seal dropped.
  refusal(
    'refuse_to_change_personal_details',
    'personal details of the change log can only be erased',
    emptied(['value', 'salt'], ['at', 'change_id', 'kind', 'user_id', 'commitment']),
  ),
  refusal(
    'refuse_to_change_seals',
    'seals of the change log are append-only',
    emptied(
      ['row_ids', 'row_times', 'row_hashes'],
      [
        'organization_id',
        'number',
        'from_at',
        'to_at',
        'row_count',
        'rows_hash',
        'previous_hash',
        'hash',
        'sealed_at',
      ],
    ),
  ),
  ...guarded('change_log', 'append_only', 'refuse_to_change_log'),
  ...guarded('personal_details', 'only_erased', 'refuse_to_change_personal_details'),
  ...guarded('audit_seals', 'append_only', 'refuse_to_change_seals'),
];
