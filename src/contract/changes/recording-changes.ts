import {
  after,
  before,
  both,
  caused,
  change,
  type ChangeType,
  DUE,
  edited,
  LINK,
  MOVE,
  OWNER_OR_STATUS,
  PURGE,
  REVISION,
  STATUS,
} from './change-details.js';

const becomes = (from: string, to: string, when: string): ChangeType =>
  change('recording', when, both(STATUS, { status: to }, { status: from }));

/** The types of changes of recordings and of what belongs to them. */
export const RECORDING_CHANGES = {
  'recording.created': change('recording', 'a recording is created, in whatever status', STATUS),
  'recording.updated': change(
    'recording',
    'title, notes, `external_id`, `metadata`, owner or media of a recording change, or it gets a status that has no type of its own',
    OWNER_OR_STATUS,
  ),
  'recording.uploading': becomes('RECORDING', 'UPLOADING', 'a recording becomes `UPLOADING`'),
  'recording.processing': becomes('UPLOADING', 'PROCESSING', 'the media has arrived and is being packaged'),
  'recording.playable': becomes(
    'PROCESSING',
    'MIGRATING',
    'a recording becomes `MIGRATING` and can be played from then on',
  ),
  'recording.completed': becomes('MIGRATING', 'COMPLETED', 'a recording becomes `COMPLETED`'),
  'recording.failed': becomes('PROCESSING', 'ERROR', 'a recording becomes `ERROR`'),
  'recording.moved': change(
    'recording',
    'a recording moves to another folder or organization; between organizations, once in each',
    MOVE,
  ),
  'recording.deleted': change(
    'recording',
    'a recording is deleted, and with it its transcript, summary and share links; where deleted recordings can be restored, it is put into the bin',
  ),
  'recording.restored': change('recording', 'a deleted recording is restored from the bin, with everything'),
  'recording.purged': change(
    'recording',
    'content of a recording is removed for good: by a retention `rule`, null for one of the installation, or `all` of it because its time in the bin is over',
    PURGE,
  ),
  'recording.retention_due': change(
    'recording',
    'content of a recording will be removed soon, at the time `at`, by a retention `rule`; null: one of the installation. Again if the time changes',
    DUE,
  ),
  'track.added': change('recording', 'a track is added, and its upload opened'),
  'track.updated': edited('recording', 'name, user or language of a track change', 'name'),
  'track.completed': change('recording', 'a track has been processed and can be played'),
  'track.failed': change('recording', 'a track cannot be processed; the others are not affected'),
  'track.deleted': change('recording', 'a track is deleted'),
  'transcript.completed': change(
    'recording',
    'a transcript is imported or a transcription completes',
    caused('transcription'),
  ),
  'transcript.failed': change('recording', 'a transcription fails; an earlier transcript stays', REVISION),
  'transcript.corrected': change(
    'recording',
    'a transcript is corrected, a speaker renamed, or a revision restored',
    caused('correction'),
  ),
  'summary.completed': change('recording', 'a summary is imported or generated', REVISION),
  'summary.failed': change('recording', 'generating a summary fails; an earlier summary stays', REVISION),
  'action_item.updated': edited(
    'recording',
    'someone changes an action item: its text, owner, due date, or whether it is done',
    'done',
  ),
  'share_link.created': change('recording', 'a share link is created', after(LINK)),
  'share_link.changed': change(
    'recording',
    'expiry, password, label or creator of a share link change, or whether it permits tracks',
    both(LINK, { has_password: true }),
  ),
  'share_link.revoked': change(
    'recording',
    'a share link is revoked, or ends with the membership of its creator or because the recording moves to another organization',
    before(LINK),
  ),
  'share_link.opened_first': change('recording', 'a recipient has opened a share link for the first time'),
} as const satisfies Readonly<Record<string, ChangeType>>;
