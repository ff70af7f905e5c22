import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Sql } from '../../../platform/database/sql.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { isUuid } from '../../../platform/ids.js';
import { isPermitted, type Capability } from '../../../policy/capabilities.js';
import { viewerOf, type Caller, type Viewer } from '../../../policy/caller.js';
import { reachesEverything, reachesFolder, reachesOrganization } from '../../../policy/reach.js';
import { Policy } from '../../../policy/policy.service.js';
import type {
  AccessFacts,
  RecordingAccess,
  ScopeTerms,
  TermsFacts,
} from '../../../policy/recording-access.js';
import { MediaUrlsService } from '../../media/media-urls.service.js';
import { holderOf, type UrlHolder } from '../../media/public/media-urls.js';
import { requireReachOfOrganization } from '../../organizations/public/organization-requirements.queries.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { RetentionEndsService } from '../../retention/ends/retention-ends.service.js';
import { column, extraColumns, TERMS, toTerms } from '../access/public/columns.js';
import { RecordingAccessService } from '../access/recording-access.service.js';
import type { ListRecordingsDto, RecordingFilters } from './public/list-recordings.dto.js';
import {
  type RecordingListItem,
  presentRecordingListItem,
  type PageEntry,
  type RecordingPage,
} from './public/listed-recording.response.dto.js';
import type { ListedRow } from './public/listed-recording.sql.js';
import { openSlices, type CallerScope, type OpenSlice } from './public/open-slices.sql.js';
import { readFilters, type DirectFilters } from './recording-filters.js';
import { findMemberships } from './memberships.hot.sql.js';
import { findPage, visibleCondition } from './recording-list.hot.sql.js';
import {
  folderSlices,
  slicesOfFolders,
  visibilitySlices,
  type MembershipRow,
  type VisibilitySlice,
} from './visibility-slices.js';

const ITEM = extraColumns('item', {
  title: column<string>('r.title'),
  progress: column<number>('r.progress'),
  packageKey: column<string | null>('r.package_key'),
  ownerName: column<string | null>('u.name'),
  folderId: column<string | null>('CASE WHEN f.deleted_at IS NULL THEN r.folder_id END'),
  duration: column<number | null>('r.duration'),
  externalId: column<string | null>('r.external_id'),
  metadata: column<Record<string, string>>('r.metadata'),
  hasRules: TERMS.hasRules,
});

/** An organization, or the caller's personal recordings. */
export interface OpenScope {
  /** Of the organization, or of the caller. */
  readonly id: string;
  /** Only titles and dates of recordings created earlier can be read. ISO time, `infinity` or `-infinity`. */
  readonly openFrom: string;
  readonly terms: ScopeTerms;
}

@Injectable()
export class RecordingListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly organizations: OrganizationsService,
    private readonly policy: Policy,
    private readonly addresses: MediaUrlsService,
    private readonly retention: RetentionEndsService,
  ) {}

  /** A page of the recordings that the caller can see, newest first, with the total across pages. */
  async list(caller: Caller, query: ListRecordingsDto): Promise<RecordingPage> {
    const { limit, offset } = query;
    const after = readCursor(query.cursor);
    const scope = await this.scope(caller, query);
    const { rows, total, nextCursor } = await findPage(this.dataSource, { ...scope, limit, offset, after });
    return { recordings: await this.listed(caller, scope, rows), total, limit, offset, nextCursor };
  }

  /** What the caller can see within the filters, for use in a statement, and the memberships that it follows from. */
  async scope(caller: Caller, query: RecordingFilters & DirectFilters): Promise<CallerScope> {
    const filters = readFilters(query);
    const memberships = await this.memberships(caller, query);
    return { viewerId: caller.id, slices: slicesOf(caller, query, memberships), filters, memberships };
  }

  /** The scope as a condition on a row `r` of `recordings`, for statements that find recordings in other ways. */
  condition(scope: CallerScope): Sql {
    return visibleCondition(scope);
  }

  /** Rows found by a statement within the scope, each with its access decision. */
  async listed(
    caller: Caller,
    { memberships }: CallerScope,
    rows: readonly ListedRow[],
  ): Promise<PageEntry[]> {
    const viewer = viewerOf(caller);
    const scopes = new Map<string | null, TermsFacts & { readonly terms: ScopeTerms }>();
    const scopeOf = (organizationId: string | null) => {
      const known = scopes.get(organizationId);
      if (known) return known;
      const membership = memberships.find((one) => one.organizationId === organizationId) ?? null;
      const facts = termsOf(caller, membership);
      const scope = { ...facts, terms: this.policy.terms(viewer, facts) };
      scopes.set(organizationId, scope);
      return scope;
    };
    const holder = holderOf(caller);
    const ruled = memberships.filter(({ hasRules }) => hasRules).map((one) => one.organizationId);
    const hasRules = new Set<string | null>(ruled);
    const retained = rows.map(({ id, organizationId }) => {
      return { id, organizationId, hasRules: hasRules.has(organizationId) };
    });
    const retentions = await this.retention.find(this.dataSource.manager, retained);
    return rows.map((row) => {
      const { terms, ...facts } = scopeOf(row.organizationId);
      const access = this.policy.access(viewer, factsOf(row, facts), terms);
      const retention = retentions.get(row.id) ?? null;
      return { row, access, thumbnail: this.addresses.thumbnail(row, holder), retention };
    });
  }

  /**
   * Recordings as the list shows them, by their ids: as seen by the transaction of `manager`, by one statement; without
   * those that the viewer does not see. Without a holder of URLs, there are no URLs of thumbnails, and no names of owners: what is
   * sent then is also kept, beyond the reach of erasure.
   */
  async findItems(
    manager: EntityManager,
    viewer: Viewer,
    recordingIds: readonly string[],
    holder: UrlHolder | null,
  ): Promise<ReadonlyMap<string, { readonly item: RecordingListItem; readonly access: RecordingAccess }>> {
    const found = await this.access.findVisible(manager, viewer, recordingIds, ITEM);
    const retained = [...found.values()].map(({ id, facts, columns }) => {
      return { id, organizationId: facts.organizationId, hasRules: columns.hasRules };
    });
    const retentions = await this.retention.find(manager, retained);
    return new Map(
      [...found.values()].map(({ id, facts, access, columns }) => {
        const row = { ...facts, ...columns, id, ownerName: holder && columns.ownerName };
        const retention = retentions.get(id) ?? null;
        const thumbnail = holder && this.addresses.thumbnail(row, holder);
        return [id, { item: presentRecordingListItem({ row, access, thumbnail, retention }), access }];
      }),
    );
  }

  /** What the caller can do in each organization of a scope, and with personal recordings. */
  openScopes(caller: Caller, { memberships, slices }: CallerScope): OpenScope[] {
    const personal = slices.some(({ only }) => only === 'personal');
    const scopes = [
      ...(personal ? [{ id: caller.id, membership: null }] : []),
      ...memberships.map((membership) => ({ id: membership.organizationId, membership })),
    ];
    return scopes.map(({ id, membership }) => {
      const terms = this.policy.terms(viewerOf(caller), termsOf(caller, membership));
      const { expired, openFrom } = terms;
      return { id, openFrom: expired ? 'infinity' : (openFrom?.toISOString() ?? '-infinity'), terms };
    });
  }

  /** What the caller can open of a scope, where the terms permit `capability`, to be read newest first. */
  openSlices(caller: Caller, scope: CallerScope, capability: Capability): OpenSlice[] {
    const open = this.openScopes(caller, scope).filter(({ terms }) => isPermitted(capability, terms));
    return openSlices(scope, new Map(open.map(({ id, openFrom }) => [id, openFrom])));
  }

  /** All memberships of the caller, or only the requested one; 404 and 403 as on the organization's own endpoints. */
  private async memberships(
    caller: Caller,
    { organization_id: organizationId, folder_id: folderId = '' }: RecordingFilters,
  ): Promise<MembershipRow[]> {
    const { folderIds } = caller.apiKey;
    if (organizationId === undefined) {
      const found = await findMemberships(this.dataSource, caller.id, null, folderIds);
      return found.filter((one) => reachesOrganization(caller.apiKey, one.organizationId));
    }
    await requireReachOfOrganization(this.dataSource.manager, caller, organizationId);
    const folders = isUuid(folderId) ? [folderId] : folderIds;
    const found = await findMemberships(this.dataSource, caller.id, organizationId, folders);
    if (found.length === 0) await this.organizations.requireMember(caller, organizationId);
    return found;
  }
}

function slicesOf(
  caller: Caller,
  query: RecordingFilters,
  memberships: readonly MembershipRow[],
): VisibilitySlice[] {
  const [membership] = memberships;
  const { apiKey } = caller;
  if (query.folder_id !== undefined && membership)
    return reachesFolder(apiKey, query.folder_id) ? folderSlices(membership, query.folder_id) : [];
  if (apiKey.folderIds !== null) return slicesOfFolders(memberships);
  const personal = query.organization_id === undefined && reachesEverything(apiKey);
  return visibilitySlices(caller.id, memberships, personal);
}

/** Field by field: a copy of the whole row made lists half as fast. */
function factsOf(row: ListedRow, terms: TermsFacts): AccessFacts {
  return {
    ownerId: row.ownerId,
    organizationId: row.organizationId,
    // The statement has already decided visibility; the rest does not depend on the folder.
    folder: null,
    status: row.status,
    hasMedia: row.hasMedia,
    withoutMedia: row.withoutMedia,
    createdAt: row.createdAt,
    transcriptionStatus: row.transcriptStatus ?? 'not_started',
    // Not shown in a list.
    toTranscribe: false,
    ...terms,
  };
}

function termsOf(caller: Caller, membership: MembershipRow | null): TermsFacts {
  const terms = membership ? toTerms(membership) : { organization: null, membership: null };
  return { ownerPlan: caller.plan, ...terms };
}
