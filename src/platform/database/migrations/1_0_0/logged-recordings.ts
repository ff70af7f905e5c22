import {
  after,
  before,
  both,
  fieldsChanged,
  ofRecording,
  values,
  type LoggedTable,
} from './change-triggers.js';
import { isChanged } from './topic.js';

const status = values(['status']);

/** What a link permits; never its token, its label or its password. */
const permits = (link: string): string => `jsonb_build_object('permission', ${link}.permission,
  'expires_at', to_char(${link}.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'has_password', ${link}.password_hash IS NOT NULL, 'created_by', ${link}.created_by)`;

const SHARED = ['permission', 'expires_at', 'password_hash', 'label', 'created_by'];

const MOVED_OUT = 'OLD.organization_id IS DISTINCT FROM NEW.organization_id';
/** A failed attempt leaves earlier content in place: the status is completed then, with a reason. */
const FAILED = `OLD.status = 'processing' AND NEW.status <> 'processing' AND NEW.status_reason IS NOT NULL`;

/** What the change log says about recordings and what belongs to them. */
export const LOGGED_RECORDINGS: readonly LoggedTable[] = [
  {
    table: 'recordings',
    log: (row, type, details) => `PERFORM log_recording_change(${type}, ${row}, ${row}.id, ${details})`,
    // Most updates are of the progress, and cost nothing.
    columns: ['status', 'organization_id', 'folder_id', 'owner_id', 'title', 'notes', 'media_key'],
    // Personal recordings that lose their owner are about to be deleted with them.
    except: 'NEW.organization_id IS NULL AND NEW.owner_id IS NULL',
    changes: [
      { on: 'INSERT', type: 'recording.created', details: status('NEW') },
      { on: 'DELETE', type: 'recording.deleted' },
      // Between organizations in both, each with its own side.
      {
        on: 'UPDATE',
        before: true,
        type: 'recording.moved',
        when: MOVED_OUT,
        details: `jsonb_build_object(
          'before', jsonb_build_object('organization_id', OLD.organization_id, 'folder_id', OLD.folder_id),
          'after', jsonb_build_object('organization_id', NEW.organization_id))`,
      },
      {
        on: 'UPDATE',
        type: 'recording.moved',
        when: MOVED_OUT,
        details: `jsonb_build_object('before', jsonb_build_object('organization_id', OLD.organization_id),
          'after', jsonb_build_object('organization_id', NEW.organization_id, 'folder_id', NEW.folder_id))`,
      },
      {
        on: 'UPDATE',
        type: 'recording.moved',
        when: `NOT (${MOVED_OUT}) AND OLD.folder_id IS DISTINCT FROM NEW.folder_id`,
        details: `jsonb_build_object(
          'before', jsonb_build_object('folder_id', OLD.folder_id, 'folder_access', folder_access(OLD.folder_id)),
          'after', jsonb_build_object('folder_id', NEW.folder_id))`,
      },
      {
        on: 'UPDATE',
        type: {
          sql: `CASE NEW.status
            WHEN 'UPLOADING' THEN 'recording.uploading' WHEN 'PROCESSING' THEN 'recording.processing'
            WHEN 'TRANSCODING' THEN 'recording.processing' WHEN 'MIGRATING' THEN 'recording.playable'
            WHEN 'COMPLETED' THEN 'recording.completed' WHEN 'ERROR' THEN 'recording.failed' ELSE 'recording.updated' END`,
        },
        when: 'OLD.status <> NEW.status',
        details: both(status),
      },
      fieldsChanged(
        'recording.updated',
        {
          title: 'OLD.title <> NEW.title',
          notes: 'OLD.notes <> NEW.notes',
          owner_id: 'OLD.owner_id IS DISTINCT FROM NEW.owner_id',
          media: 'OLD.media_key <> NEW.media_key AND OLD.status = NEW.status',
        },
        `CASE WHEN OLD.owner_id IS DISTINCT FROM NEW.owner_id THEN ${both(values(['owner_id']))} ELSE '{}' END`,
      ),
    ],
  },
  {
    table: 'transcripts',
    log: ofRecording(),
    columns: ['status'],
    changes: [{ on: 'UPDATE', type: 'transcript.failed', when: FAILED }],
  },
  {
    // Every change of a transcript's text adds a revision.
    table: 'transcript_revisions',
    log: ofRecording(),
    changes: [
      {
        on: 'INSERT',
        type: {
          sql: `CASE WHEN NEW.cause IN ('import', 'transcription') THEN 'transcript.completed' ELSE 'transcript.corrected' END`,
        },
        details: values(['cause', 'revision'])('NEW'),
      },
    ],
  },
  {
    table: 'summaries',
    log: ofRecording(),
    columns: ['status', 'content', 'topics'],
    changes: [
      {
        on: 'INSERT',
        type: 'summary.completed',
        when: `NEW.status = 'completed'`,
        details: values(['revision'])('NEW'),
      },
      {
        on: 'UPDATE',
        type: 'summary.completed',
        when: `NEW.status = 'completed' AND NEW.status_reason IS NULL AND OLD.revision <> NEW.revision`,
        details: values(['revision'])('NEW'),
      },
      { on: 'UPDATE', type: 'summary.failed', when: FAILED },
    ],
  },
  {
    // With the recording, all of its links end: the deletion of the recording says so.
    table: 'share_links',
    log: ofRecording('row.id'),
    columns: [...SHARED, 'view_count'],
    changes: [
      { on: 'INSERT', type: 'share_link.created', details: after(permits('NEW')) },
      { on: 'UPDATE', type: 'share_link.changed', when: isChanged(SHARED), details: both(permits) },
      { on: 'UPDATE', type: 'share_link.opened_first', when: 'OLD.view_count = 0 AND NEW.view_count > 0' },
      { on: 'DELETE', type: 'share_link.revoked', details: before(permits('OLD')) },
    ],
  },
];
