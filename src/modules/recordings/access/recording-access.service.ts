import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { ReplyChecks } from '../../../platform/idempotency/reply-checks.service.js';
import { viewerOf, withoutKey, type Caller, type Viewer } from '../../../policy/caller.js';
import type { Feature } from '../../../policy/plans.js';
import { Policy } from '../../../policy/policy.service.js';
import type { RecordingAccess } from '../../../policy/recording-access.js';
import type { ShareLinkOrigin } from '../../../policy/share-links.js';
import { OPENING, permitsChange, requireNeeds, type Needs } from './public/access-refusals.js';
import type { ExtraColumns } from './public/columns.js';
import { isUuid } from '../../../platform/ids.js';
import { findKeyedRecording, findRecording } from './recording-access.hot.sql.js';
import { findRecordingFacts, findRecordingWithin, type PlacedFacts } from './recording-access.queries.js';
import type { FoundRecording, RecordingRow } from './recording-row.sql.js';

/** A recording with its access decision and the extra columns that were read. */
export interface OpenRecording<Columns = unknown> {
  readonly row: RecordingRow & Columns;
  readonly access: RecordingAccess;
}

/** A recording with the facts that its access decision is based on, and the extra columns that were read. */
export interface DecidedRecording<Columns = unknown> {
  readonly id: string;
  readonly facts: PlacedFacts;
  readonly access: RecordingAccess;
  readonly columns: Columns;
}

export interface OwnedRecording extends OpenRecording {
  readonly row: RecordingRow & { readonly ownerId: string };
}

interface ReadOptions<Columns> {
  readonly extraColumns?: ExtraColumns<Columns>;
  /** Parameters of the extra columns. */
  readonly values?: readonly unknown[];
}

const NO_EXTRA_COLUMNS: ExtraColumns<never> = { name: 'row', columns: '' };

/**
 * The only way to reach a recording: loads it once, decides once, and refuses in the order of the contract: 404
 * `RECORDING_NOT_FOUND`, 402 `ORGANIZATION_SUBSCRIPTION_EXPIRED`, 403 `RECORDING_LOCKED`, then the feature's own code,
 * then 403 `FORBIDDEN` for callers who may not change it.
 */
@Injectable()
export class RecordingAccessService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly policy: Policy,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(OPENING, async (caller: Caller, { id, needs }) => {
      // Replies about one that has been deleted are withheld, unless it is its deletion that they report.
      const found = await this.find(id, caller.id);
      // One in the bin belongs to nobody.
      if (found?.facts.ownerId ?? found?.facts.organizationId) this.open(viewerOf(caller), id, found, needs);
    });
  }

  /** Opens it for managing what belongs to it, even when locked or expired. Hidden and absent are the same 404. */
  readonly requireVisible = this.opening({});

  /** Opens it for reading what remains readable when it is locked. */
  readonly requireReadable = this.opening({ readable: true });

  /** Does the same for work that a user has requested before. */
  requireReadableFor<Columns>(viewer: Viewer, recordingId: string, options?: ReadOptions<Columns>) {
    return this.require(viewer, recordingId, { readable: true }, options);
  }

  /** Opens it for reading what belongs to no feature but is withheld when it is locked. */
  readonly requireUnlocked = this.opening({ readable: true, unlocked: true });

  /** Opens it for changing what is withheld when it is locked, such as its notes. */
  readonly requireUnlockedEdit = this.opening({ readable: true, unlocked: true, edit: true });

  /** Opens it for changing or deleting it, even when locked or expired. */
  readonly requireEdit = this.opening({ edit: true });

  /** Opens it for one of its features, or for two, such as downloads for a share link that permits them. */
  async requireFeature<Columns>(
    caller: Caller,
    recordingId: string,
    feature: Feature,
    { alsoRequires, ...options }: ReadOptions<Columns> & { readonly alsoRequires?: Feature } = {},
  ): Promise<OpenRecording<Columns>> {
    const needs: Needs = { readable: true, features: [feature, alsoRequires] };
    return this.require(viewerOf(caller), recordingId, needs, options);
  }

  /** Opens it for changing the content of one of its features. */
  async requireFeatureEdit(caller: Caller, recordingId: string, feature: Feature): Promise<OpenRecording> {
    return this.require(viewerOf(caller), recordingId, { readable: true, features: [feature], edit: true });
  }

  /** Does the same as `requireEdit`, as seen by the transaction of `manager`. */
  async requireEditWithin(
    manager: EntityManager,
    caller: Pick<Caller, 'id' | 'apiKey'>,
    recordingId: string,
  ): Promise<OpenRecording> {
    const found = await findRecordingWithin(manager, recordingId, caller.id);
    return this.open(viewerOf(caller), recordingId, found, { edit: true });
  }

  /** Finds one in the bin for who might delete it where it was; for others, the same 404 as if there were none. */
  async requireDeleted(
    manager: EntityManager,
    caller: Caller,
    recordingId: string,
  ): Promise<DecidedRecording> {
    const ids = isUuid(recordingId) ? [recordingId] : [];
    const viewer = viewerOf(caller);
    const found = await findRecordingFacts(manager, ids, viewer.id, NO_EXTRA_COLUMNS, true);
    for (const [id, { facts, columns }] of found) {
      const access = this.policy.access(viewer, facts);
      if (!access.visible || !access.mayChange) continue;
      OPENING.note({ id, needs: { edit: true } });
      return { id, facts, access, columns };
    }
    throw new DomainError('RECORDING_NOT_FOUND');
  }

  /**
   * Finds it for a URL that an API key was issued, with only the extra columns. Null if the key does not work any more,
   * or may not be used to read recordings, or if its user does not see this one; what else the URL requires is left to
   * the caller.
   */
  async findForKey<Columns>(
    apiKeyId: string,
    recordingId: string,
    extraColumns: ExtraColumns<Columns>,
  ): Promise<{ readonly columns: Columns; readonly access: RecordingAccess } | null> {
    const found = await findKeyedRecording(this.dataSource, recordingId, apiKeyId, extraColumns);
    if (!found) return null;
    const access = this.policy.keyed(found.key, found.facts);
    return access?.visible ? { columns: found.columns, access } : null;
  }

  /** Finds it for recipients of a share link, limited to what its creator may share now; null if that is nothing. */
  async findShared<Columns>(
    link: ShareLinkOrigin & { readonly recordingId: string },
    extraColumns?: ExtraColumns<Columns>,
  ): Promise<OpenRecording<Columns> | null> {
    const found = await this.find(link.recordingId, link.createdBy, extraColumns);
    if (!found) return null;
    const access = this.policy.shared(link, found.facts);
    return access && { row: found.row, access };
  }

  /**
   * Finds it for work that nobody requests, with what its owner may do, as seen by the transaction of `manager`. Null
   * if it has no owner, or if its owner no longer sees it. Work goes on in the bin, so that what is restored is complete.
   */
  async findForOwner(manager: EntityManager, recordingId: string): Promise<OwnedRecording | null> {
    const found = await findRecordingWithin(manager, recordingId, null, true);
    const ownerId = found?.row.ownerId;
    if (!found || !ownerId) return null;
    const access = this.policy.access(withoutKey(ownerId), found.facts);
    return access.visible ? { row: { ...found.row, ownerId }, access } : null;
  }

  /**
   * Several recordings, by their ids, with their access decisions, as seen by the transaction of `manager`; without
   * those that the viewer does not see.
   */
  async findVisible<Columns>(
    manager: EntityManager,
    viewer: Viewer,
    recordingIds: readonly string[],
    extraColumns: ExtraColumns<Columns> = NO_EXTRA_COLUMNS,
  ): Promise<Map<string, DecidedRecording<Columns>>> {
    const found = await findRecordingFacts<Columns>(manager, recordingIds, viewer.id, extraColumns);
    const decided = [...found].map(
      ([id, { facts, columns }]) =>
        [id, { id, facts, access: this.policy.access(viewer, facts), columns }] as const,
    );
    return new Map(decided.filter(([, { access }]) => access.visible));
  }

  /**
   * Returns whether work under way may go on that a user has requested: whether they, or else the owner of the
   * recording, may still request it, as seen by the transaction of `manager`. `feature` is what it needs besides the
   * right to change the recording, if any.
   */
  async mayContinue(
    manager: EntityManager,
    recordingId: string,
    userId: string | null,
    feature: Feature | null,
  ): Promise<boolean> {
    if (await this.mayStillChange(manager, recordingId, userId, feature)) return true;
    const owned = await this.findForOwner(manager, recordingId);
    return owned !== null && permitsChange(owned.access, feature);
  }

  /** Returns the same for work with what the user alone answers for: the rights of the owner do not count. */
  async mayStillChange(
    manager: EntityManager,
    recordingId: string,
    userId: string | null,
    feature: Feature | null = null,
  ): Promise<boolean> {
    const found = userId && (await findRecordingWithin(manager, recordingId, userId, true));
    return found ? permitsChange(this.policy.access(withoutKey(userId), found.facts), feature) : false;
  }

  private opening(needs: Needs) {
    return <Columns>(caller: Caller, recordingId: string, options?: ReadOptions<Columns>) =>
      this.require(viewerOf(caller), recordingId, needs, options);
  }

  private async require<Columns>(
    viewer: Viewer,
    recordingId: string,
    needs: Needs,
    { extraColumns, values }: ReadOptions<Columns> = {},
  ): Promise<OpenRecording<Columns>> {
    const found = await this.find(recordingId, viewer.id, extraColumns, values);
    return this.open(viewer, recordingId, found, needs);
  }

  private open<Columns>(
    viewer: Viewer,
    id: string,
    found: FoundRecording<Columns> | null,
    needs: Needs,
  ): OpenRecording<Columns> {
    const access = found && this.policy.access(viewer, found.facts);
    if (!found || !access?.visible) throw new DomainError('RECORDING_NOT_FOUND');
    requireNeeds(access, needs);
    OPENING.note({ id, needs });
    return { row: found.row, access };
  }

  private find<Columns>(
    recordingId: string,
    viewerId: string | null,
    extraColumns: ExtraColumns<Columns> = NO_EXTRA_COLUMNS,
    values?: readonly unknown[],
  ): Promise<FoundRecording<Columns> | null> {
    return findRecording(this.dataSource, recordingId, viewerId, extraColumns, values);
  }
}
