/** Part of the schema: its tables, then the functions and triggers that serve them. */
export interface Topic {
  readonly up: readonly string[];
  /** Undoes `up` when the topics that build on it are gone. A function that is dropped takes its triggers along. */
  readonly down: readonly string[];
}

/** A trigger function whose result does not matter. */
export const triggerFunction = (name: string, body: string, declare = ''): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${declare && `DECLARE ${declare}`} BEGIN
     ${body}
     RETURN NULL;
   END $$`;

/** Whether one of the columns changes. */
export const isChanged = (columns: readonly string[]): string =>
  `(${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')})`;

/** Feature flags of an organization, a member or an invitation. */
export const FEATURE_COLUMNS = `
  feature_downloads boolean NOT NULL DEFAULT true,
  feature_sharing boolean NOT NULL DEFAULT true,
  feature_transcription boolean NOT NULL DEFAULT true,
  feature_summaries boolean NOT NULL DEFAULT true,
  feature_questions boolean NOT NULL DEFAULT true`;

/** Rights of a member, or of the user who accepts an invitation. */
export const rightColumns = (table: string): string => `
  role text NOT NULL CONSTRAINT ${table}_role_check CHECK (role IN ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER')),
  ${FEATURE_COLUMNS},
  view_all_recordings boolean NOT NULL DEFAULT false,
  view_folder_recordings boolean NOT NULL DEFAULT true`;

/** For tables that grow with every change, and are folded by a job. */
export const VACUUMED_OFTEN = `WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05)`;
