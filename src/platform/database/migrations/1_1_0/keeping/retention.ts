import { triggerFunction, type Topic } from '../../1_0_0/topic.js';

/** How long organizations keep what, and what decides it for a recording. */
export const RETENTION: Topic = {
  up: [
    `CREATE TABLE organization_retention (
      organization_id uuid CONSTRAINT organization_retention_pkey PRIMARY KEY
        CONSTRAINT organization_retention_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      notice_days integer NOT NULL,
      rules jsonb NOT NULL
    )`,
    triggerFunction(
      'log_organization_retention',
      `IF TG_OP = 'INSERT' OR (OLD.notice_days, OLD.rules) IS DISTINCT FROM (NEW.notice_days, NEW.rules) THEN
         PERFORM log_organization_change('organization.updated', NEW.organization_id, NEW.organization_id, NULL,
           jsonb_build_object('fields', jsonb_build_array('retention')));
       END IF;`,
    ),
    `CREATE TRIGGER organization_retention_log AFTER INSERT OR UPDATE ON organization_retention
       FOR EACH ROW EXECUTE FUNCTION log_organization_retention()`,
    `ALTER TABLE recordings
       ADD viewed_at timestamptz(3),
       ADD placed_at timestamptz(3),
       ADD filed_at timestamptz(3),
       ADD retention_noticed_for timestamptz(3)`,
    `CREATE FUNCTION title_like(pattern text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
       SELECT replace(regexp_replace(fold_title(pattern), '([\\\\%_])', '\\\\\\1', 'g'), '*', '%') $$`,
  ],
  down: [
    'DROP FUNCTION title_like',
    'ALTER TABLE recordings DROP viewed_at, DROP placed_at, DROP filed_at, DROP retention_noticed_for',
    'DROP FUNCTION log_organization_retention CASCADE',
    'DROP TABLE organization_retention',
  ],
};
