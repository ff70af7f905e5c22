import { triggerFunction, type Topic } from '../1_0_0/topic.js';

const all = (row: string): string => `${row}.branding_accent, ${row}.branding_domain, ${row}.branding_logo`;

/** Share pages look like their organization, at a domain of its own. */
export const BRANDING: Topic = {
  up: [
    `ALTER TABLE organizations
       ADD branding_accent text CONSTRAINT organizations_branding_accent_check CHECK (branding_accent ~ '^#[0-9a-f]{6}$'),
       ADD branding_domain text,
       ADD branding_logo uuid,
       ADD branding_image bytea`,
    'CREATE UNIQUE INDEX organizations_branding_domain_key ON organizations (branding_domain)',
    'CREATE UNIQUE INDEX organizations_branding_logo_key ON organizations (branding_logo)',
    triggerFunction(
      'log_branding',
      `PERFORM log_organization_change('organization.updated', NEW.id, NEW.id, NULL, '{"fields": ["branding"]}');`,
    ),
    `CREATE TRIGGER organizations_branding_log AFTER UPDATE OF branding_accent, branding_domain, branding_logo ON organizations
       FOR EACH ROW WHEN ((${all('OLD')}) IS DISTINCT FROM (${all('NEW')})) EXECUTE FUNCTION log_branding()`,
  ],
  down: [
    'DROP FUNCTION log_branding CASCADE',
    'ALTER TABLE organizations DROP branding_accent, DROP branding_domain, DROP branding_logo, DROP branding_image',
  ],
};
