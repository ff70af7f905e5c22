import { triggerFunction, type Topic } from '../1_0_0/topic.js';

/** The first seal with rows that a stream has not sent. Positions in it are those of its seals, times their most rows, plus a number. */
const unsentSince = (condition: string): string => `(
  SELECT l.from_at FROM audit_seals l
  WHERE ${condition} AND l.position >= (stream.position - 1) / 1000 AND l.position * 1000 + l.row_count > stream.position
    AND l.row_ids IS NOT NULL
  ORDER BY l.position LIMIT 1)`;

/** Operators read the log of the whole installation, and receivers outside are sent what has been sealed. */
export const AUDIT_LOG: Topic = {
  up: [
    'CREATE INDEX change_log_at_idx ON change_log (at, id)',

    // One transaction seals at a time: positions follow the order of commits, and a reader who continues after one misses nothing.
    `ALTER TABLE audit_seals ADD COLUMN position bigint GENERATED ALWAYS AS IDENTITY
       CONSTRAINT audit_seals_position_key UNIQUE`,
    'CREATE INDEX audit_seals_organization_idx ON audit_seals (organization_id, position)',

    // The id is that of the organization, or nil for the receiver that the settings name, which has no endpoint here.
    `CREATE TABLE audit_streams (
      id uuid CONSTRAINT audit_streams_pkey PRIMARY KEY,
      organization_id uuid CONSTRAINT audit_streams_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      endpoint_sealed bytea,
      sealing_key_id text
        CONSTRAINT audit_streams_sealing_key_id_fkey REFERENCES sealing_keys ON DELETE RESTRICT,
      format text,
      changed_at timestamptz(3),
      position bigint NOT NULL,
      due_at timestamptz(3),
      claim uuid,
      tries integer NOT NULL DEFAULT 0,
      sent_at timestamptz(3),
      failing_since timestamptz(3),
      last_error text,
      CONSTRAINT audit_streams_endpoint_check CHECK (
        (organization_id IS NULL) = (endpoint_sealed IS NULL) AND (organization_id IS NULL) = (format IS NULL))
    )`,
    'CREATE INDEX audit_streams_organization_id_idx ON audit_streams (organization_id)',
    'CREATE INDEX audit_streams_sealing_key_id_idx ON audit_streams (sealing_key_id)',
    // The time of the oldest row that a stream has not sent, or slightly earlier; null if there is none.
    `CREATE FUNCTION audit_unsent_since(stream audit_streams) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$ BEGIN
       IF stream.organization_id IS NULL THEN RETURN ${unsentSince('true')}; END IF;
       RETURN ${unsentSince('l.organization_id = stream.organization_id')};
     END $$`,
    triggerFunction(
      'log_audit_streams',
      `IF TG_OP <> 'UPDATE' OR OLD.changed_at IS DISTINCT FROM NEW.changed_at THEN
         PERFORM log_organization_change('organization.updated', o.id, o.id, NULL,
           jsonb_build_object('fields', jsonb_build_array('audit_stream')))
         FROM organizations o WHERE o.id = coalesce(NEW.organization_id, OLD.organization_id) AND o.deleted_at IS NULL;
       END IF;`,
    ),
    `CREATE TRIGGER audit_streams_log AFTER INSERT OR UPDATE OR DELETE ON audit_streams
       FOR EACH ROW EXECUTE FUNCTION log_audit_streams()`,
  ],
  down: [
    'DROP FUNCTION audit_unsent_since',
    'DROP TABLE audit_streams',
    'DROP FUNCTION log_audit_streams',
    'ALTER TABLE audit_seals DROP COLUMN position',
    'DROP INDEX change_log_at_idx',
  ],
};
