import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { requireScopes } from '../../api-keys/public/key-requirements.js';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { counted } from '../../../lib/text.js';
import { changedBy, viewerOf, type Caller } from '../../../policy/caller.js';
import { MediaService } from '../../media/media.service.js';
import { notEditable } from '../access/public/access-refusals.js';
import { RecordingAccessService } from '../access/recording-access.service.js';
import type { BulkRecordingsDto, BulkOutcome } from '../dto/bulk-recordings.dto.js';
import { RecordingMovesService } from '../moves/recording-moves.service.js';
import { deleteRecordings, lockRecordings } from '../recordings.queries.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';

type Refusals = ReadonlyMap<string, DomainError>;

/** Recordings per statement: each may have thousands of rows that go with it. */
const BATCH = 50;

/** Moves or deletes many recordings at once, in one transaction. */
@Injectable()
export class BulkRecordingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly moves: RecordingMovesService,
    private readonly media: MediaService,
  ) {}

  /** One outcome per id. With mode `all`, throws the first refusal, and nothing has happened. */
  async run(caller: Caller, request: BulkRecordingsDto): Promise<BulkOutcome[]> {
    const { ids, action, mode, organization_id: organizationId, folder_id: folderId } = request;
    if (action === 'delete') requireScopes(caller, ['recordings:delete']);
    const refusals = await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const refused =
        action === 'delete'
          ? await this.delete(manager, caller, ids)
          : await this.moves.move(manager, caller, ids, { organizationId, folderId });
      if (mode === 'all') requireNone(ids, refused);
      return refused;
    });
    return ids.map((id) => ({ id, refusal: refusals.get(id) ?? null }));
  }

  private async delete(manager: EntityManager, caller: Caller, ids: readonly string[]): Promise<Refusals> {
    const known = ids.filter(isUuid);
    await lockRecordings(manager, known);
    const recordings = await this.access.findVisible(manager, viewerOf(caller), known);
    const refusals = new Map<string, DomainError>();
    const deleted: string[] = [];
    for (const id of ids) {
      const recording = recordings.get(id);
      if (!recording) refusals.set(id, new DomainError('RECORDING_NOT_FOUND'));
      else if (recording.access.mayChange) deleted.push(recording.id);
      else refusals.set(id, notEditable());
    }
    for (let at = 0; at < deleted.length; at += BATCH) {
      await deleteRecordings(manager, deleted.slice(at, at + BATCH));
    }
    await this.media.scheduleDeletion(manager, deleted);
    return refusals;
  }
}

function requireNone(ids: readonly string[], refusals: Refusals): void {
  const at = ids.findIndex((id) => refusals.has(id));
  const refusal = refusals.get(ids[at] ?? '');
  if (!refusal) return;
  const others = refusals.size - 1;
  const more = others > 0 ? `; ${counted(others, 'other recording')} would also have been refused` : '';
  throw new DomainError(refusal.code, `ids[${at}]: ${refusal.message} Nothing was changed${more}.`);
}
