import type { Recording } from '../recording-access/entities/recording.entity.js';
import { compare, quoted, word, type FieldDifference } from './differences.js';
import type { ResolvedRecording } from './recording-import.service.js';
import type { FoundRecording } from './recording-state.js';

export type RecordingChange = Partial<
  Pick<
    Recording,
    | 'title'
    | 'notes'
    | 'createdAt'
    | 'startedAt'
    | 'endedAt'
    | 'language'
    | 'ownerId'
    | 'organizationId'
    | 'folderId'
  >
>;

const MAINTAINED = 'this is maintained by the service';

/** Of the recording itself, without its texts. */
export function differencesOfRecording(
  recording: ResolvedRecording,
  found: FoundRecording,
): FieldDifference<RecordingChange>[] {
  const { input } = recording;
  const { title, notes, createdAt, startedAt, endedAt, language } = input;
  return [
    ...compare<RecordingChange>('title', found.title, title, { change: { title } }),
    ...placeOf(recording, found),
    ...compare<RecordingChange>('notes', found.notes, notes, { change: { notes } }),
    ...compare<RecordingChange>('createdAt', found.createdAt, createdAt, { change: { createdAt } }),
    ...compare<RecordingChange>('startedAt', found.startedAt, startedAt, { change: { startedAt } }),
    ...compare<RecordingChange>('endedAt', found.endedAt, endedAt, { change: { endedAt } }),
    ...compare<RecordingChange>('language', found.language, language, { change: { language }, show: word }),
    ...compare<never>('status', found.status, input.status, {
      change: null,
      note: MAINTAINED,
      show: word,
    }),
    ...compare<never>('progress', found.progress, input.progress, { change: null, note: MAINTAINED }),
    ...compare<never>('transcribe', found.autoTranscribe, input.transcribe, {
      change: null,
      note: 'this is set when a recording is created',
    }),
    ...mediaOf(recording, found),
  ];
}

/** Owner, organization and folder. */
function placeOf(
  { input, owner, organization, folder }: ResolvedRecording,
  found: FoundRecording,
): FieldDifference<RecordingChange>[] {
  const organizationId = input.organization === undefined ? undefined : (organization?.id ?? null);
  const moves = organizationId !== undefined && organizationId !== found.organizationId;
  const folderId = input.folder === undefined ? undefined : (folder?.id ?? null);
  const isPersonal = (moves ? organizationId : found.organizationId) === null;
  const endsLinks = found.hasShareLinks ? 'its share links have ended' : null;
  return [
    ...compare<RecordingChange>('owner', found.ownerId, owner.id, {
      change: { ownerId: owner.id },
      note: isPersonal ? endsLinks : null,
      show: named([found.ownerId, found.ownerEmail], [owner.id, owner.email]),
    }),
    ...compare<RecordingChange>('organization', found.organizationId, organizationId, {
      // The folder of one organization is none of another.
      change: { organizationId, folderId: folderId ?? null },
      note: endsLinks,
      show: named(
        [found.organizationId, found.organizationName],
        [organization?.id ?? null, input.organization ?? null],
      ),
    }),
    ...compare<RecordingChange>('folder', found.folderId, folderId, {
      change: { folderId },
      show: named([found.folderId, found.folderName], [folder?.id ?? null, input.folder ?? null]),
    }),
  ];
}

/** Whether there is any. Files are not compared: what is stored has been converted. */
function mediaOf({ input }: ResolvedRecording, found: FoundRecording): FieldDifference<never>[] {
  const isGiven = input.media === undefined ? undefined : input.media !== null;
  const note = isGiven ? 'send it with POST /recordings/:id/upload' : 'an import does not remove media';
  return compare<never>('media', found.hasMedia, isGiven, { change: null, note, show: asStored });
}

const asStored = (value: unknown): string => (value === true ? 'stored' : 'none');

type Name = readonly [id: string | null, name: string | null];

/** Shows ids by the names that they stand for. */
const named =
  (...names: readonly Name[]) =>
  (value: unknown): string =>
    quoted(names.find(([id]) => id !== null && id === value)?.[1] ?? null);
