import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';
import type { Caller } from '../../policy/caller.js';
import type { Feature } from '../../policy/plans.js';
import { Policy } from '../../policy/policy.service.js';
import type { RecordingAccess } from '../../policy/recording-access.js';
import type { ShareLinkOrigin } from '../../policy/share-links.js';
import { RecordingAccessRepository, type RecordingRow } from './recording-access.repository.js';
import type { Asked } from './recording-access.sql.js';

export { alongside } from './recording-access.sql.js';

/** A recording together with the one decision about it, and what was asked alongside. */
export interface OpenRecording<Columns = unknown> {
  readonly row: RecordingRow & Columns;
  readonly access: RecordingAccess;
}

/** What is answered when plan or switches do not grant a feature. */
const FEATURE_OFF: Readonly<Record<Feature, ErrorCode>> = {
  downloads: 'FORBIDDEN',
  sharing: 'SHARING_DISABLED',
  transcription: 'TRANSCRIPT_NOT_AVAILABLE',
  summaries: 'FORBIDDEN',
  questions: 'FORBIDDEN',
};

/**
 * The only way to a recording: loads it once, decides once, and refuses in the order of the contract: 404, 402, locked,
 * then the feature's own code.
 */
@Injectable()
export class RecordingAccessService {
  constructor(
    private readonly recordings: RecordingAccessRepository,
    private readonly policy: Policy,
  ) {}

  /** For reading it. Hidden and absent are the same 404. */
  async read<Columns>(
    caller: Caller,
    recordingId: string,
    asked?: Asked<Columns>,
  ): Promise<OpenRecording<Columns>> {
    const recording = await this.find(caller, recordingId, asked);
    if (recording.access.expired) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    return recording;
  }

  /** For using one of its features, and with it perhaps another: a share link for downloads. */
  async use<Columns>(
    caller: Caller,
    recordingId: string,
    feature: Feature,
    { andAlso, asked }: { readonly andAlso?: Feature; readonly asked?: Asked<Columns> } = {},
  ): Promise<OpenRecording<Columns>> {
    const recording = await this.read(caller, recordingId, asked);
    const { locked, refusals } = recording.access;
    const also = andAlso ? refusals[andAlso] : null;
    // A subscription upgrade is what is missing, as for a locked recording.
    if (locked || also === 'plan') throw new DomainError('RECORDING_LOCKED');
    if (refusals[feature]) throw new DomainError(FEATURE_OFF[feature]);
    if (andAlso && also)
      throw new DomainError(FEATURE_OFF[andAlso], `The switch of "${andAlso}" is off here.`);
    return recording;
  }

  /** For changing what one of its features holds; refuses as `use` does, and then as `change`. */
  async useToChange(caller: Caller, recordingId: string, feature: Feature): Promise<OpenRecording> {
    const recording = await this.use(caller, recordingId, feature);
    requireChange(recording);
    return recording;
  }

  /** For changing its notes, which must be readable; refuses as reading does, then when locked, and then as `change`. */
  async changeNotes(caller: Caller, recordingId: string): Promise<OpenRecording> {
    const recording = await this.read(caller, recordingId);
    if (recording.access.locked) throw new DomainError('RECORDING_LOCKED');
    requireChange(recording);
    return recording;
  }

  /** For changing or deleting it; allowed also when locked or expired. */
  async change(caller: Caller, recordingId: string): Promise<OpenRecording> {
    const recording = await this.find(caller, recordingId);
    requireChange(recording);
    return recording;
  }

  /** For recipients of a share link, as far as its creator may share it at this moment; null: it does not open. */
  async shared(link: ShareLinkOrigin & { readonly recordingId: string }): Promise<OpenRecording | null> {
    const found = await this.recordings.find(link.recordingId, link.createdBy);
    if (!found) return null;
    const access = this.policy.shared(link, found.facts);
    return access && { row: found.row, access };
  }

  /** For managing what hangs on it, such as its share links; allowed also when locked or expired. */
  async see(caller: Caller, recordingId: string): Promise<OpenRecording> {
    return this.find(caller, recordingId);
  }

  private async find<Columns>(
    caller: Caller,
    recordingId: string,
    asked?: Asked<Columns>,
  ): Promise<OpenRecording<Columns>> {
    const found = await this.recordings.find(recordingId, caller.id, asked);
    if (!found) throw new DomainError('RECORDING_NOT_FOUND');
    const access = this.policy.access(caller.id, found.facts);
    if (!access.visible) throw new DomainError('RECORDING_NOT_FOUND');
    return { row: found.row, access };
  }
}

function requireChange({ access }: OpenRecording): void {
  if (!access.mayChange) throw new DomainError('FORBIDDEN', 'You can see this recording but not change it.');
}
