import { logChanges } from '../../../log-changes.js';
import { ofOrganization } from '../../1_0_0/change-triggers.js';
import type { Topic } from '../../1_0_0/topic.js';

const LOGGED = logChanges([
  {
    table: 'erasures',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id' }),
    columns: ['receipt'],
    changes: [
      {
        on: 'UPDATE',
        type: 'erasure.completed',
        when: 'OLD.receipt IS NULL AND NEW.receipt IS NOT NULL',
        details: `jsonb_build_object('counts', NEW.receipt -> 'counts', 'hash', NEW.receipt ->> 'hash')`,
      },
    ],
  },
]);

/** People who are erased, and the recordings from which they have been. A completed one does not say who it was. */
export const ERASURES: Topic = {
  up: [
    `CREATE TABLE erasures (
      id uuid CONSTRAINT erasures_pkey PRIMARY KEY,
      organization_id uuid CONSTRAINT erasures_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      created_by uuid CONSTRAINT erasures_created_by_fkey REFERENCES users ON DELETE SET NULL,
      user_id uuid,
      email text,
      names text[] NOT NULL,
      status text NOT NULL
        CONSTRAINT erasures_status_check CHECK (status IN ('previewed', 'running', 'completed', 'failed')),
      status_reason text,
      preview jsonb NOT NULL,
      receipt jsonb,
      CONSTRAINT erasures_completed_check CHECK ((status = 'completed') = (receipt IS NOT NULL)
        AND (receipt IS NULL OR (user_id IS NULL AND email IS NULL AND names = '{}')))
    )`,
    'CREATE INDEX erasures_organization_id_idx ON erasures (organization_id)',
    'CREATE INDEX erasures_created_by_idx ON erasures (created_by)',
    // Outlive their recordings, so that the receipt can name them.
    `CREATE TABLE erasure_recordings (
      erasure_id uuid NOT NULL CONSTRAINT erasure_recordings_erasure_id_fkey REFERENCES erasures ON DELETE CASCADE,
      recording_id uuid NOT NULL,
      counts jsonb NOT NULL,
      mute jsonb,
      CONSTRAINT erasure_recordings_pkey PRIMARY KEY (erasure_id, recording_id)
    )`,
    ...LOGGED.up,
  ],
  down: [...LOGGED.down, 'DROP TABLE erasure_recordings, erasures'],
};
