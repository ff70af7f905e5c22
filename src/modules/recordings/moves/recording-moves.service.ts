import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireReachOfEverything } from '../../api-keys/public/key-requirements.js';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { viewerOf, type Caller } from '../../../policy/caller.js';
import { QuotasService, type QuotaScope } from '../../quotas/quotas.service.js';
import { RecordingAccessService } from '../access/recording-access.service.js';
import { RecordingDestinationService } from '../access/recording-destination.service.js';
import { SearchIndexService } from '../../search/index/search-index.service.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
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
  moveToFolder,
  moveToOrganization,
  type MovedRow,
} from './recording-moves.queries.js';
import { lockRecordings } from '../recordings.queries.js';

/** Moves recordings between folders and organizations, with the rights of both sides. */
@Injectable()
export class RecordingMovesService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly destinations: RecordingDestinationService,
    private readonly quotas: QuotasService,
    private readonly search: SearchIndexService,
    private readonly mail: MoveMailService,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves recordings in the transaction of `manager`. Returns the reason for each that cannot be moved:
   * `RECORDING_NOT_FOUND`, `FORBIDDEN`, `ORGANIZATION_SUBSCRIPTION_EXPIRED`, `RECORDING_LOCKED` or `VALIDATION_ERROR`.
   * Throws what is wrong with the destination, or `QUOTA_EXCEEDED`. `whenLocked` is called as soon as the recordings
   * are locked, and may refuse them by throwing.
   */
  async move(
    manager: EntityManager,
    caller: Caller,
    ids: readonly string[],
    move: Move,
    whenLocked: () => Promise<void> = async () => {},
  ): Promise<ReadonlyMap<string, DomainError>> {
    // Before the recordings, as in the transactions that remove members.
    const destination = await lockDestination(manager, uuidOf(move.organizationId), uuidOf(move.folderId));
    const { expired } = move.organizationId
      ? await this.destinations.requireOpen(manager, caller, {
          ...move,
          organizationId: move.organizationId,
        })
      : { expired: false };
    requireDestinationWithin(caller, move);
    const known = ids.filter(isUuid);
    await lockRecordings(manager, known);
    await whenLocked();
    const recordings = await this.access.findVisible(manager, viewerOf(caller), known, LEAVING);
    const ownersThere = await this.ownersIn(manager, move.organizationId ? destination : null, recordings);
    const refusals = new Map<string, DomainError>();
    const within: MovingRecording[] = [];
    const between: MovingRecording[] = [];
    for (const id of ids) {
      const recording = recordings.get(id.toLowerCase());
      const refusal = refusalOf(caller, recording, move, ownersThere);
      if (refusal) refusals.set(id, refusal);
      else if (recording) (changesOrganization(recording, move) ? between : within).push(recording);
    }
    if (expired && between.length > 0) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    await this.moveWithin(manager, caller, within, { ...move, destination }, refusals);
    await this.moveBetween(manager, caller, between, move);
    return refusals;
  }

  /** Finds the owners of the recordings who are members of an organization; null: of none. */
  private async ownersIn(
    manager: EntityManager,
    organizationId: string | null,
    recordings: ReadonlyMap<string, MovingRecording>,
  ): Promise<ReadonlySet<string>> {
    const owners = new Set([...recordings.values()].flatMap(({ facts }) => facts.ownerId ?? []));
    if (organizationId === null || owners.size === 0) return new Set();
    return findMembersAmong(manager, organizationId, [...owners]);
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
    const ids = movable.map(({ id }) => id);
    await moveToFolder(manager, ids, folderId, this.clock.now());
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

/** A key cannot move recordings out of its own reach. */
function requireDestinationWithin(caller: Caller, { organizationId, folderId }: Move): void {
  if (organizationId === null) requireReachOfEverything(caller, 'make recordings personal');
  if (folderId === null) requireWholeOrganizations(caller, 'take recordings out of them');
}
