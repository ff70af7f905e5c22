import { triggerFunction, type Topic } from '../1_0_0/topic.js';

/** Organizations have names and terms that their transcripts and summaries spell. */
export const GLOSSARIES: Topic = {
  up: [
    `CREATE TABLE glossaries (
      organization_id uuid CONSTRAINT glossaries_pkey PRIMARY KEY
        CONSTRAINT glossaries_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      terms json NOT NULL
    )`,
    triggerFunction(
      'log_glossaries',
      `IF TG_OP = 'INSERT' OR OLD.terms::text <> NEW.terms::text THEN
         PERFORM log_organization_change('organization.updated', NEW.organization_id, NEW.organization_id, NULL,
           jsonb_build_object('fields', jsonb_build_array('glossary')));
       END IF;`,
    ),
    `CREATE TRIGGER glossaries_log AFTER INSERT OR UPDATE ON glossaries
       FOR EACH ROW EXECUTE FUNCTION log_glossaries()`,
  ],
  down: ['DROP FUNCTION log_glossaries CASCADE', 'DROP TABLE glossaries'],
};
