import { logChanges } from '../../../log-changes.js';
import { after, ofOrganization, values, type LoggedChange } from '../../1_0_0/change-triggers.js';
import type { Topic } from '../../1_0_0/topic.js';

const details = after(values(['kind'])('NEW'));
const ended = (status: string): LoggedChange => ({
  on: 'UPDATE',
  type: `export.${status}`,
  when: `OLD.status <> NEW.status AND NEW.status = '${status}'`,
  details,
});

const LOGGED = logChanges([
  {
    table: 'exports',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id', user: 'row.user_id' }),
    columns: ['status'],
    changes: [{ on: 'INSERT', type: 'export.requested', details }, ended('completed'), ended('failed')],
  },
]);

/** ZIP files of what people may see. Those of an organization go with the membership of who requested them. */
export const EXPORTS: Topic = {
  up: [
    `CREATE TABLE exports (
      id uuid CONSTRAINT exports_pkey PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT exports_user_id_fkey REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CONSTRAINT exports_kind_check CHECK (kind IN ('recording', 'user', 'organization')),
      recording_id uuid CONSTRAINT exports_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      organization_id uuid,
      created_from timestamptz(3),
      created_to timestamptz(3),
      status text NOT NULL CONSTRAINT exports_status_check CHECK (status IN ('queued', 'running', 'completed', 'failed')),
      status_reason text,
      progress double precision NOT NULL,
      attempt_id uuid,
      size bigint,
      sha256 text,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT exports_organization_fkey FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT exports_of_check CHECK ((kind = 'recording') = (recording_id IS NOT NULL)
        AND (kind = 'organization') = (organization_id IS NOT NULL))
    )`,
    'CREATE INDEX exports_user_id_idx ON exports (user_id)',
    'CREATE INDEX exports_recording_id_idx ON exports (recording_id) WHERE recording_id IS NOT NULL',
    'CREATE INDEX exports_organization_idx ON exports (organization_id, user_id) WHERE organization_id IS NOT NULL',
    'CREATE INDEX exports_expires_at_idx ON exports (expires_at)',
    ...LOGGED.up,
  ],
  down: [...LOGGED.down, 'DROP TABLE exports'],
};
