import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { Clock } from '../../../platform/clock/clock.js';
import { conflict } from '../../../contract/domain-error.js';
import { readExpiry } from '../../../contract/expiry.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { newId } from '../../../platform/ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { hashPassword } from '../../../platform/secrets/passwords.js';
import { randomToken } from '../../../platform/secrets/secrets.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { creatorMayShare, endOf, keyOfLinks, requireEndWithKey } from '../../../policy/share-links.js';
import type { ExtraColumns } from '../../recordings/access/public/columns.js';
import {
  RecordingAccessService,
  type OpenRecording,
} from '../../recordings/access/recording-access.service.js';
import type { CreateShareLinkDto } from '../dto/create-share-link.dto.js';
import { ShareLink } from '../access/entities/share-link.entity.js';
import {
  insertLink,
  insertLinkIn,
  type InsertedLink,
  type NewShareLink,
} from './insert-share-link.hot.sql.js';
import { lockRecording, makeRoom } from './share-links.queries.js';
import { revealToken, sealToken } from './share-tokens.js';
import { writeLink, type SharedLink } from './shared-link.js';

/** The plain link of one permission and API key, if there is one. */
interface PlainLinkColumns {
  readonly link_id: string | null;
  readonly link_token_sealed: Buffer;
  readonly link_sealing_key_id: string;
  readonly link_organization_id: string | null;
  /** Feature flags of its creator; null if the recording was personal. */
  readonly link_sharing: boolean | null;
  readonly link_downloads: boolean | null;
}

const PLAIN_LINK: ExtraColumns<PlainLinkColumns> = {
  name: 'plain-share-link',
  columns: `, l.id AS link_id, l.token_sealed AS link_token_sealed, l.sealing_key_id AS link_sealing_key_id,
         l.organization_id AS link_organization_id, lm.feature_sharing AS link_sharing, lm.feature_downloads AS link_downloads`,
  join: `LEFT JOIN share_links l ON l.recording_id = r.id AND l.permission = $3 AND l.plain
    AND l.api_key_id IS NOT DISTINCT FROM $4::uuid
  LEFT JOIN organization_members lm ON lm.organization_id = l.organization_id AND lm.user_id = l.created_by`,
};

export type CreatedOrExisting = SharedLink & { readonly isNew: boolean };

@Injectable()
export class ShareLinkCreationService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly sealer: Sealer,
    private readonly dataSource: DataSource,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /**
   * Without options, returns the plain link of that permission, created if it does not exist: that of the API key, or of
   * all that are not limited. With options, always a new link. 400 `VALIDATION_ERROR` if it would outlive the key.
   */
  async create(caller: Caller, recordingId: string, wanted: CreateShareLinkDto): Promise<CreatedOrExisting> {
    const { permission, password, label = null } = wanted;
    const createdAt = this.clock.now();
    const expiresAt = readExpiry(wanted, createdAt) ?? null;
    const apiKeyId = keyOfLinks(caller);
    requireEndWithKey(expiresAt ?? undefined, caller);
    const { row } = await this.access.requireFeature(caller, recordingId, 'sharing', {
      alsoRequires: permission === 'download' ? 'downloads' : undefined,
      extraColumns: PLAIN_LINK,
      values: [permission, apiKeyId],
    });
    const plain = expiresAt === null && label === null && !password;
    const { link_id: known, link_token_sealed: tokenSealed, link_sealing_key_id: sealingKeyId } = row;
    if (plain && known !== null && serves(row, permission)) {
      const token = revealToken(this.sealer, { id: known, tokenSealed, sealingKeyId });
      // An existing link is returned without a write.
      const link = { id: known, permission, label, expiresAt, hasPassword: false };
      return { isNew: false, ...this.shared(link, token, caller) };
    }
    const id = newId();
    const token = randomToken();
    const link: NewShareLink = {
      id,
      recordingId: row.id,
      organizationId: row.organization_id,
      permission,
      ...sealToken(this.sealer, id, token),
      createdBy: caller.id,
      apiKeyId,
      createdAt,
      expiresAt,
      passwordHash: password ? await hashPassword(caller.id, password) : null,
      label,
      plain,
    };
    const inserted = await writeLink(() => this.insert(link, plain ? known : null, caller));
    if (!inserted) {
      throw conflict(`The recording has ${LIMITS.shareLinks} share links, the maximum. Revoke one first.`);
    }
    // A concurrent request may have created the plain link first.
    const isNew = inserted.id === id;
    return { isNew, ...this.shared(inserted, isNew ? token : revealToken(this.sealer, inserted), caller) };
  }

  /**
   * The plain link, of which there is only one, is inserted by a statement alone; others in a transaction, which notes
   * a request's `Idempotency-Key` with them. If there are `LIMITS.shareLinks` links, the one that expired first is
   * deleted; null if none has expired. The plain link `inPlaceOf` becomes a separate link.
   */
  private async insert(
    link: NewShareLink,
    inPlaceOf: string | null,
    by: Caller,
  ): Promise<InsertedLink | null> {
    if (inPlaceOf === null) {
      const inserted = link.plain
        ? await insertLink(this.dataSource, link, by)
        : await this.dataSource.transaction((manager) => insertLinkIn(manager, link, by));
      if (inserted) return inserted;
    }
    return transactionBy(this.dataSource, changedBy(by), async (manager) => {
      await lockRecording(manager, link.recordingId);
      if (inPlaceOf !== null) {
        await manager.getRepository(ShareLink).update({ id: inPlaceOf }, { plain: false });
      }
      await makeRoom(manager, link.recordingId, link.createdAt);
      return (await insertLinkIn(manager, link, by)) ?? null;
    });
  }

  private shared(link: Omit<SharedLink, 'token' | 'url'>, token: string, { apiKey }: Caller): SharedLink {
    const expiresAt = endOf(link.expiresAt, apiKey);
    return { ...link, expiresAt, token, url: this.publicUrl.resolve(`/s/${token}`) };
  }
}

/** Returns whether a plain link serves the caller: its creator's feature flags, or a move, may keep it from working. */
function serves(
  row: OpenRecording<PlainLinkColumns>['row'],
  permission: NewShareLink['permission'],
): boolean {
  if (row.link_organization_id !== row.organization_id) return false;
  const { link_sharing: sharing, link_downloads: downloads } = row;
  const flags = sharing === null || downloads === null ? null : { sharing, downloads };
  return creatorMayShare(permission, flags);
}
