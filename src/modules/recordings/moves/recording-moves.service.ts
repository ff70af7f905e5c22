import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { requireReachOfEverything, requireScopes } from '../../api-keys/public/key-requirements.js';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { changedBy, viewerOf, type Caller } from '../../../policy/caller.js';
import { counted } from '../../../lib/text.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { findHoldRefusals } from '../../legal-holds/public/held.queries.js';
import { ContentKeysService } from '../../media/keys/content-keys.service.js';
import { Recording } from '../access/entities/recording.entity.js';
import { notEditable } from '../access/public/access-refusals.js';
import type { BulkOutcome, BulkRecordingsDto } from '../dto/bulk-recordings.dto.js';
import { QuotasService, type QuotaScope } from '../../quotas/quotas.service.js';
import { RecordingAccessService } from '../access/recording-access.service.js';
import { RecordingDestinationService } from '../access/recording-destination.service.js';
import { RecordingExternalIdsService } from '../access/recording-external-ids.service.js';
import { SearchIndexService } from '../../search/index/search-index.service.js';
import { refuseToMove } from '../../../policy/browser-tokens.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
import { RecordingBinService } from '../bin/recording-bin.service.js';
import { MoveMailService } from './move-mail.service.js';
import {
  changesOrganization,
  LEAVING,
  notItsFolder,
  refusalOf,
  type Move,
  type MovingRecording,
} from './move-refusals.js';
import {
  findMembersAmong,
  lockDestination,
  lockRecordings,
  moveToOrganization,
  type MovedRow,
} from '../recordings.queries.js';

type Refusals = ReadonlyMap<string, DomainError>;

/** Moves recordings between folders and organizations, with the rights of both sides, and deletes many at once. */
@Injectable()
export class RecordingMovesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly destinations: RecordingDestinationService,
    private readonly externalIds: RecordingExternalIdsService,
    private readonly quotas: QuotasService,
    private readonly search: SearchIndexService,
    private readonly mail: MoveMailService,
    private readonly bin: RecordingBinService,
    private readonly keys: ContentKeysService,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves or deletes many recordings in one transaction. One outcome per id. With mode `all`, throws the first refusal,
   * and nothing has happened.
   */
  async run(caller: Caller, request: BulkRecordingsDto): Promise<BulkOutcome[]> {
    const { ids, action, mode, organization_id: organizationId, folder_id: folderId } = request;
    if (action === 'delete') requireScopes(caller, ['recordings:delete']);
    const refusals = await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const refused =
        action === 'delete'
          ? await this.delete(manager, caller, ids)
          : await this.move(manager, caller, ids, { organizationId, folderId });
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
    for (const [id, refusal] of await this.bin.delete(manager, caller, deleted)) refusals.set(id, refusal);
    return refusals;
  }

  /**
   * Moves recordings in the transaction of `manager`. Returns the reason for each that cannot be moved:
   * `RECORDING_NOT_FOUND`, `FORBIDDEN`, `ORGANIZATION_SUBSCRIPTION_EXPIRED`, `RECORDING_LOCKED`, `VALIDATION_ERROR`, or because of a
   * legal hold `LEGAL_HOLD` or `CONFLICT`.
   * Throws what is wrong with the destination, or `QUOTA_EXCEEDED`. `whenLocked` is called as soon as the recordings
   * are locked, and may refuse them by throwing.
   */
  async move(
    manager: EntityManager,
    caller: Caller,
    ids: readonly string[],
    move: Move,
    whenLocked: () => Promise<void> = async () => {},
  ): Promise<Refusals> {
    refuseToMove(caller);
    // Before the recordings, as in the transactions that remove members.
    const destination = await lockDestination(manager, uuidOf(move.organizationId), uuidOf(move.folderId));
    const { expired } = move.organizationId
      ? await this.destinations.requireOpen(manager, caller, {
          ...move,
          organizationId: move.organizationId,
        })
      : { expired: false };
    // A key cannot move recordings out of its own reach.
    if (move.organizationId === null) requireReachOfEverything(caller, 'make recordings personal');
    if (move.folderId === null) requireWholeOrganizations(caller, 'take recordings out of them');
    const known = ids.filter(isUuid);
    await lockRecordings(manager, known);
    await whenLocked();
    const recordings = await this.access.findVisible(manager, viewerOf(caller), known, LEAVING);
    const owners = [...recordings.values()].flatMap(({ facts }) => facts.ownerId ?? []);
    const ownersThere: ReadonlySet<string> =
      move.organizationId && destination ? await findMembersAmong(manager, destination, owners) : new Set();
    const leaving = [...recordings.values()].filter((recording) => changesOrganization(recording, move));
    const held = await findHoldRefusals(
      manager,
      caller,
      leaving.map(({ id }) => id),
      'moved to another organization',
    );
    const refusals = new Map<string, DomainError>();
    const within: MovingRecording[] = [];
    const between: MovingRecording[] = [];
    for (const id of ids) {
      const recording = recordings.get(id.toLowerCase());
      const refusal = refusalOf(caller, recording, move, ownersThere) ?? held.get(id.toLowerCase());
      if (refusal) refusals.set(id, refusal);
      else if (recording) (changesOrganization(recording, move) ? between : within).push(recording);
    }
    if (expired && between.length > 0) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    const claims = between.map(({ id, columns }) => ({ id, externalId: columns.externalId }));
    const taken = await this.externalIds.findRefusals(manager, caller, destination ?? caller.id, claims);
    for (const [id, refusal] of taken) refusals.set(id, refusal);
    const free = between.filter(({ id }) => !taken.has(id));
    await this.moveWithin(manager, caller, within, { ...move, destination }, refusals);
    await this.moveBetween(manager, caller, free, move);
    return refusals;
  }

  /** Moves recordings between the folders of an organization. */
  private async moveWithin(
    manager: EntityManager,
    caller: Caller,
    recordings: readonly MovingRecording[],
    { organizationId, folderId, destination }: Move & { readonly destination: string | null },
    refusals: Map<string, DomainError>,
  ): Promise<void> {
    if (folderId === undefined || recordings.length === 0) return;
    const movable = recordings.filter(
      ({ facts }) => folderId === null || facts.organizationId === destination,
    );
    for (const { id } of recordings.filter((recording) => !movable.includes(recording))) {
      refusals.set(id, notItsFolder());
    }
    if (movable.length === 0) return;
    // With `organizationId`, it has been checked already.
    if (folderId !== null && organizationId === undefined && destination !== null) {
      await this.destinations.requireOpen(manager, caller, { organizationId: destination, folderId });
    }
    const moved = movable.filter(({ facts }) => facts.folderId !== folderId).map(({ id }) => id);
    const now = this.clock.now();
    await manager
      .getRepository(Recording)
      .update({ id: In(moved) }, { folderId, filedAt: now, updatedAt: now });
  }

  private async moveBetween(
    manager: EntityManager,
    caller: Caller,
    recordings: readonly MovingRecording[],
    { organizationId = null, folderId = null }: Move,
  ): Promise<void> {
    if (recordings.length === 0) return;
    const ids = recordings.map(({ id }) => id);
    const to = { organizationId, folderId };
    const moved = await moveToOrganization(manager, ids, to, caller.id, this.clock.now());
    await this.keys.follow(manager, ids);
    if (organizationId !== null) await this.emailOwners(manager, caller, moved, organizationId);
    await this.search.refreshLater(manager, ids, { userId: caller.id, organizationId });
    const scope: QuotaScope = { userId: caller.id, organizationId };
    const added = moved.reduce((sum, { storedBytes }) => sum + Number(storedBytes), 0);
    const demand = { creates: true, starts: false, added, ahead: 0 };
    await this.quotas.requireRoom(manager, scope, demand, caller);
  }

  /** Enqueues one email for each owner, however many of theirs somebody else has moved. */
  private async emailOwners(
    manager: EntityManager,
    { id: movedBy }: Caller,
    moved: readonly MovedRow[],
    organizationId: string,
  ): Promise<void> {
    const counts = new Map<string, number>();
    for (const { ownerId } of moved) {
      if (ownerId !== null && ownerId !== movedBy) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    }
    // In the same order in all transactions, which wait for each other here.
    for (const ownerId of [...counts.keys()].sort()) {
      const recordings = counts.get(ownerId) ?? 0;
      await this.mail.enqueue(manager, { movedBy, ownerId, organizationId, recordings });
    }
  }
}

const uuidOf = (id: string | null | undefined): string | null => (id && isUuid(id) ? id : null);

function requireNone(ids: readonly string[], refusals: Refusals): void {
  const at = ids.findIndex((id) => refusals.has(id));
  const refusal = refusals.get(ids[at] ?? '');
  if (!refusal) return;
  const others = refusals.size - 1;
  const more = others > 0 ? `; ${counted(others, 'other recording')} would also have been refused` : '';
  throw new DomainError(refusal.code, `ids[${at}]: ${refusal.message} Nothing was changed${more}.`);
}
