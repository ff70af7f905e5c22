import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PreparedStatement } from '../../../platform/database/prepared-query.js';
import { DomainError } from '../../../contract/domain-error.js';
import type { ErrorCode } from '../../../contract/error-catalog.js';
import type { Caller } from '../../../policy/caller.js';
import { PLAN_CATALOG, type Feature, type Plan } from '../../../policy/plans.js';
import { Policy } from '../../../policy/policy.service.js';
import type { FeatureRefusal, RecordingAccess } from '../../../policy/recording-access.js';
import type { ShareLinkOrigin } from '../../../policy/share-links.js';
import {
  RecordingAccessRepository,
  type FoundRecording,
  type PlacedFacts,
  type RecordingRow,
} from './recording-access.repository.js';
import { accessStatement, keyedAccessStatement } from './recording-access.sql.js';

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

/** A recording with what its owner may do. */
export interface OwnedRecording extends OpenRecording {
  readonly row: RecordingRow & { readonly owner_id: string };
}

/**
 * What an operation needs from the recording `r` (or its transcript `t`) in addition to `RecordingRow`, read by the
 * statement of the access decision: in the same round trip and from the same snapshot.
 */
export interface ExtraColumns<Columns> {
  /** Name of the statement, without the prefix `recording-access-`. */
  readonly name: string;
  /** Each preceded by a comma. Parameters start at `$3`. */
  readonly columns: string;
  readonly join?: string;
  /** Never set; only carries the type of the columns. */
  readonly row?: Columns;
}

export interface ReadOptions<Columns> {
  readonly extraColumns?: ExtraColumns<Columns>;
  /** Parameters of the extra columns. */
  readonly values?: readonly unknown[];
}

export interface FeatureOptions<Columns> extends ReadOptions<Columns> {
  /** A second feature that the operation requires, such as downloads for a share link that permits them. */
  readonly alsoRequires?: Feature;
}

const NO_EXTRA_COLUMNS: ExtraColumns<never> = { name: 'row', columns: '' };

/** The error code when the plan or the feature flags do not grant a feature. */
const FEATURE_OFF: Readonly<Record<Feature, ErrorCode>> = {
  downloads: 'FORBIDDEN',
  sharing: 'SHARING_DISABLED',
  transcription: 'TRANSCRIPT_NOT_AVAILABLE',
  summaries: 'FORBIDDEN',
  questions: 'FORBIDDEN',
};

/**
 * The only way to reach a recording: loads it once, decides once, and refuses in the order of the contract: 404
 * `RECORDING_NOT_FOUND`, 402 `ORGANIZATION_SUBSCRIPTION_EXPIRED`, 403 `RECORDING_LOCKED`, then the feature's own code,
 * then 403 `FORBIDDEN` for callers who may not change it.
 */
@Injectable()
export class RecordingAccessService {
  /** By the extra columns that they read; held weakly, because a service may create these for every request. */
  private readonly statements = new WeakMap<object, PreparedStatement>();
  private readonly keyedStatements = new WeakMap<object, PreparedStatement>();

  constructor(
    private readonly recordings: RecordingAccessRepository,
    private readonly policy: Policy,
  ) {}

  /** For managing what belongs to it, such as share links, even when locked or expired. Hidden and absent are the same 404. */
  async requireVisible<Columns>(
    caller: Caller,
    recordingId: string,
    { extraColumns, values }: ReadOptions<Columns> = {},
  ): Promise<OpenRecording<Columns>> {
    const found = await this.find(recordingId, caller.id, extraColumns, values);
    if (!found) throw new DomainError('RECORDING_NOT_FOUND');
    const access = this.policy.access(caller.id, found.facts);
    if (!access.visible) throw new DomainError('RECORDING_NOT_FOUND');
    return { row: found.row, access };
  }

  /** For reading what remains readable when it is locked. */
  async requireReadable<Columns>(
    caller: Caller,
    recordingId: string,
    options?: ReadOptions<Columns>,
  ): Promise<OpenRecording<Columns>> {
    const recording = await this.requireVisible(caller, recordingId, options);
    if (recording.access.expired) throw new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    return recording;
  }

  /** For reading what belongs to no feature but is withheld when it is locked. */
  async requireUnlocked<Columns>(
    caller: Caller,
    recordingId: string,
    options?: ReadOptions<Columns>,
  ): Promise<OpenRecording<Columns>> {
    const recording = await this.requireReadable(caller, recordingId, options);
    if (recording.access.locked) throw lockedError(recording.access);
    return recording;
  }

  /** For using one of its features. */
  async requireFeature<Columns>(
    caller: Caller,
    recordingId: string,
    feature: Feature,
    { alsoRequires, ...options }: FeatureOptions<Columns> = {},
  ): Promise<OpenRecording<Columns>> {
    const recording = await this.requireReadable(caller, recordingId, options);
    const { access } = recording;
    if (access.locked) throw lockedError(access);
    if (alsoRequires && access.refusals[alsoRequires] === 'plan') {
      throw new DomainError('RECORDING_LOCKED', notIncluded(access.plan, alsoRequires));
    }
    for (const required of alsoRequires ? [feature, alsoRequires] : [feature]) {
      const refusal = access.refusals[required];
      if (refusal)
        throw new DomainError(FEATURE_OFF[required], refusalMessage(access.plan, required, refusal));
    }
    return recording;
  }

  /** For changing the content of one of its features. */
  async requireFeatureEdit(caller: Caller, recordingId: string, feature: Feature): Promise<OpenRecording> {
    return requireEditable(await this.requireFeature(caller, recordingId, feature));
  }

  /** For changing what is withheld when it is locked, such as its notes. */
  async requireUnlockedEdit(caller: Caller, recordingId: string): Promise<OpenRecording> {
    return requireEditable(await this.requireUnlocked(caller, recordingId));
  }

  /** For changing or deleting it, even when locked or expired. */
  async requireEdit(caller: Caller, recordingId: string): Promise<OpenRecording> {
    return requireEditable(await this.requireVisible(caller, recordingId));
  }

  /** Like `requireEdit`, as seen by the transaction of `manager`. */
  async requireEditWithin(
    manager: EntityManager,
    userId: string,
    recordingId: string,
  ): Promise<OpenRecording> {
    const found = await this.recordings.findWithin(manager, recordingId, userId);
    const access = found && this.policy.access(userId, found.facts);
    if (!found || !access?.visible) throw new DomainError('RECORDING_NOT_FOUND');
    return requireEditable({ row: found.row, access });
  }

  /**
   * For a URL that an API key was issued, with only the extra columns. Null if the key does not work any more or its user does
   * not see the recording; what else the URL requires is left to the caller.
   */
  async findForKey<Columns>(
    apiKeyId: string,
    recordingId: string,
    extraColumns: ExtraColumns<Columns>,
  ): Promise<{ readonly columns: Columns; readonly access: RecordingAccess } | null> {
    const statement = this.keyedStatements.get(extraColumns) ?? keyedAccessStatement(extraColumns);
    this.keyedStatements.set(extraColumns, statement);
    const found = await this.recordings.findKeyed<Columns>(statement, recordingId, apiKeyId);
    if (!found) return null;
    const access = this.policy.keyed(found.key, found.facts);
    return access?.visible ? { columns: found.columns, access } : null;
  }

  /** For recipients of a share link, limited to what its creator may currently share; null if the link does not open. */
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
   * For work that nobody requests: the recording with what its owner may do, as seen by the transaction of `manager`. Null if
   * it has no owner, or if its owner no longer sees it.
   */
  async findForOwner(manager: EntityManager, recordingId: string): Promise<OwnedRecording | null> {
    const found = await this.recordings.findForOwner(manager, recordingId);
    if (!found) return null;
    const { row, facts } = found;
    const access = this.policy.access(row.owner_id, facts);
    return access.visible ? { row, access } : null;
  }

  /**
   * Several recordings, by their ids, with their access decisions, as seen by the transaction of `manager`; without those
   * that the user does not see.
   */
  async findVisible<Columns>(
    manager: EntityManager,
    userId: string,
    recordingIds: readonly string[],
    extraColumns: ExtraColumns<Columns> = NO_EXTRA_COLUMNS,
  ): Promise<Map<string, DecidedRecording<Columns>>> {
    const found = await this.recordings.findFacts<Columns>(
      manager,
      recordingIds,
      userId,
      extraColumns.columns,
    );
    const decided = [...found].map(
      ([id, { facts, columns }]) =>
        [id, { id, facts, access: this.policy.access(userId, facts), columns }] as const,
    );
    return new Map(decided.filter(([, { access }]) => access.visible));
  }

  /**
   * For work under way that a user has requested: whether they, or else the owner of the recording, may still request it, as
   * seen by the transaction of `manager`. `feature` is what it needs besides the right to change the recording, if any.
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

  /** The same for work with what the user alone answers for: the rights of the owner do not count. */
  async mayStillChange(
    manager: EntityManager,
    recordingId: string,
    userId: string | null,
    feature: Feature | null = null,
  ): Promise<boolean> {
    const found = userId && (await this.recordings.findWithin(manager, recordingId, userId));
    return found ? permitsChange(this.policy.access(userId, found.facts), feature) : false;
  }

  private find<Columns>(
    recordingId: string,
    viewerId: string | null,
    extraColumns: ExtraColumns<Columns> = NO_EXTRA_COLUMNS,
    values?: readonly unknown[],
  ): Promise<FoundRecording<Columns> | null> {
    const statement = this.statements.get(extraColumns) ?? accessStatement(extraColumns);
    this.statements.set(extraColumns, statement);
    return this.recordings.find<Columns>(statement, recordingId, viewerId, values);
  }
}

export function lockedError({ plan }: RecordingAccess): DomainError {
  const { historyDays } = PLAN_CATALOG[plan];
  return new DomainError(
    'RECORDING_LOCKED',
    `The plan ${plan} includes ${historyDays} days of history, and this recording is older.`,
  );
}

function refusalMessage(plan: Plan, feature: Feature, refusal: NonNullable<FeatureRefusal>): string {
  return refusal === 'plan'
    ? notIncluded(plan, feature)
    : `The feature flag "${feature}" is off for the organization or for you as a member.`;
}

function notIncluded(plan: Plan, feature: Feature): string {
  return `The plan ${plan} does not include ${feature}.`;
}

function requireEditable(recording: OpenRecording): OpenRecording {
  if (recording.access.mayChange) return recording;
  throw new DomainError('FORBIDDEN', 'You can view this recording but not change it.');
}

const permitsChange = ({ visible, mayChange, refusals }: RecordingAccess, feature: Feature | null): boolean =>
  visible && mayChange && (feature === null || refusals[feature] === null);
