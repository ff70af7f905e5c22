import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { conflict, DomainError, required } from '../../../contract/domain-error.js';
import { readExpiry } from '../../../contract/expiry.js';
import { LIMITS } from '../../../contract/limits.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashPassword } from '../../../platform/secrets/passwords.js';
import { randomToken } from '../../../platform/secrets/secrets.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { endOf, isExpired, keyOfLinks, mayControl, requireEndWithKey } from '../../../policy/share-links.js';
import {
  RecordingAccessService,
  type OpenRecording,
} from '../../recordings/access/recording-access.service.js';
import { OPENING } from '../../recordings/access/public/access-refusals.js';
import type { CreateShareLinkDto, UpdateShareLinkDto } from './share-link.dto.js';
import { ShareLink } from '../access/entities/share-link.entity.js';
import {
  insertLink,
  insertLinkIn,
  type InsertedLink,
  type NewShareLink,
} from './insert-share-link.hot.sql.js';
import {
  lockRecording,
  makeRoom,
  PLAIN_LINK,
  revealToken,
  sealToken,
  serves,
  WITH_DOMAIN,
  writeLink,
  type ControlledLink,
  type SharedLink,
} from './share-links.queries.js';
import { ShareViewCountService } from '../visits/share-view-count.service.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';

export type CreatedOrExisting = SharedLink & { readonly isNew: boolean };

/** A link with options, or one that had some. */
const SEPARATE = { plain: false, plainForKey: false };
const FULL = `The recording has ${LIMITS.shareLinks} share links, the maximum. Revoke one first.`;

/** Creates share links, and lists, changes and revokes them for the users who control them. */
@Injectable()
export class ShareLinksService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly views: ShareViewCountService,
    @InjectRepository(ShareLink) private readonly links: Repository<ShareLink>,
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /**
   * Without options, returns the plain link of that permission, created if it does not exist: that of the API key, or of
   * all that are not limited. With options, always a new link. 400 `VALIDATION_ERROR` if it would outlive the key.
   */
  async create(caller: Caller, recordingId: string, wanted: CreateShareLinkDto): Promise<CreatedOrExisting> {
    const { permission, tracks = false, password, label = null } = wanted;
    const createdAt = this.clock.now();
    const expiresAt = readExpiry(wanted, createdAt) ?? null;
    const apiKeyId = keyOfLinks(caller);
    requireEndWithKey(expiresAt ?? undefined, caller);
    const { row } = await this.access.requireFeature(caller, recordingId, 'sharing', {
      alsoRequires: permission === 'download' ? 'downloads' : undefined,
      extraColumns: PLAIN_LINK,
      values: [permission, apiKeyId],
    });
    const plain = expiresAt === null && label === null && !password && !tracks;
    const { linkId: known, linkTokenSealed: tokenSealed, linkSealingKeyId: sealingKeyId } = row;
    if (plain && known !== null && serves(row, permission)) {
      const token = revealToken(this.sealer, { id: known, tokenSealed, sealingKeyId });
      // An existing link is returned without a write.
      const link = { id: known, permission, tracks, label, expiresAt, hasPassword: false };
      return { isNew: false, ...this.shared(link, token, caller, row.domain) };
    }
    const id = newId();
    const token = randomToken();
    const link: NewShareLink = {
      id,
      recordingId: row.id,
      organizationId: row.organizationId,
      permission,
      tracks,
      ...sealToken(this.sealer, id, token),
      createdBy: caller.id,
      apiKeyId,
      createdAt,
      expiresAt,
      passwordHash: password ? await hashPassword(caller.id, password) : null,
      label,
      plain,
    };
    const written = await writeLink(() => this.insert(link, plain ? known : null, caller));
    const inserted = required(written, 'CONFLICT', FULL);
    // A concurrent request may have created the plain link first.
    const isNew = inserted.id === id;
    const itsToken = isNew ? token : revealToken(this.sealer, inserted);
    return { isNew, ...this.shared(inserted, itsToken, caller, row.domain) };
  }

  /**
   * The links that the caller controls, newest first, including expired ones; also if the recording is locked or
   * sharing is off.
   */
  async list(caller: Caller, recordingId: string): Promise<ControlledLink[]> {
    const { row, access } = await this.access.requireVisible(caller, recordingId, WITH_DOMAIN);
    // Includes views that this process has not written yet.
    await this.views.flush();
    const links = await this.links.find({
      where: { recordingId: row.id },
      relations: { apiKey: true },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return links
      .filter((link) => mayControl(caller.id, link, access))
      .map((link) => this.controlled(link, row.domain));
  }

  /** The plain link to view that a user created with a key that is not limited; null if there is none. */
  async plainUrl(recordingId: string, createdBy: string): Promise<string | null> {
    const plain = { recordingId, createdBy, permission: 'view', plain: true } as const;
    const link = await this.links.findOneBy(plain);
    return link && this.controlled(link, null).url;
  }

  /**
   * Changes the given fields; null removes one. Requires what creating a link requires. 400 `VALIDATION_ERROR` for an
   * expiry after that of the API key; 409 `CONFLICT` if it has ended.
   */
  async update(
    caller: Caller,
    recordingId: string,
    linkId: string,
    { password, label, tracks, take_over, ...expiry }: UpdateShareLinkDto,
  ): Promise<ControlledLink> {
    const expiresAt = readExpiry(expiry, this.clock.now());
    const recording = await this.access.requireFeature(caller, recordingId, 'sharing', WITH_DOMAIN);
    const link = await this.find(caller, recording, linkId, 'change this share link');
    if (isExpired({ expiresAt: endOf(link.expiresAt, link.apiKey) }, this.clock.now())) {
      throw conflict('This share link has expired and cannot be changed. Create a new one.');
    }
    const apiKeyId = take_over ? keyOfLinks(caller) : link.apiKeyId;
    // Without an expiry of its own, a link of the same key ends with it.
    const isOwn = apiKeyId === caller.apiKey.id;
    requireEndWithKey(isOwn ? (expiresAt ?? undefined) : expiresAt, caller);
    // Not earlier: hashing is expensive, so only for callers who may change the link.
    const passwordHash = password ? await hashPassword(caller.id, password) : password;
    const changes = {
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(label === undefined ? {} : { label }),
      ...(tracks === undefined ? {} : { tracks }),
      ...(take_over ? { createdBy: caller.id, apiKeyId, organizationId: recording.row.organizationId } : {}),
      // A link with options never becomes the plain link, even without them; one of another key may have one already.
      ...(expiresAt || passwordHash || label || tracks || apiKeyId !== link.apiKeyId ? SEPARATE : {}),
    };
    const changed = await writeLink(() =>
      transactionBy(this.dataSource, changedBy(caller), async (manager) => {
        const links = manager.getRepository(ShareLink);
        await links.update({ id: link.id }, changes);
        return links.findOne({ where: { id: link.id }, relations: { apiKey: true } });
      }),
    );
    // It may have been revoked in the meantime.
    return this.controlled(required(changed, 'SHARE_LINK_NOT_FOUND'), recording.row.domain);
  }

  /** Takes effect immediately and cannot be undone. Of two concurrent requests, one succeeds. */
  async revoke(caller: Caller, recordingId: string, linkId: string): Promise<void> {
    const recording = await this.access.requireVisible(caller, recordingId);
    const { id } = await this.find(caller, recording, linkId, 'revoke this share link');
    const { affected } = await transactionBy(this.dataSource, changedBy(caller), (manager) =>
      manager.getRepository(ShareLink).delete({ id }),
    );
    if (affected === 0) throw new DomainError('SHARE_LINK_NOT_FOUND');
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
        await manager.getRepository(ShareLink).update({ id: inPlaceOf }, SEPARATE);
      }
      await makeRoom(manager, link.recordingId, link.createdAt);
      return (await insertLinkIn(manager, link, by)) ?? null;
    });
  }

  /** A link that the caller controls; the error message names `purpose` if they do not. */
  private async find(
    caller: Caller,
    { row, access }: OpenRecording,
    linkId: string,
    purpose: string,
  ): Promise<ShareLink> {
    const where = { id: linkId, recordingId: row.id };
    const link = isUuid(linkId) ? await this.links.findOne({ where, relations: { apiKey: true } }) : null;
    if (!link) throw new DomainError('SHARE_LINK_NOT_FOUND');
    if (mayControl(caller.id, link, access)) {
      if (link.createdBy !== caller.id) OPENING.note({ id: row.id, needs: { edit: true } });
      return link;
    }
    throw new DomainError(
      'FORBIDDEN',
      `Only its creator or someone who can edit the recording can ${purpose}.`,
    );
  }

  private shared<Link extends Pick<ShareLink, 'expiresAt'>>(
    link: Link,
    token: string,
    { apiKey }: Pick<ShareLink, 'apiKey'> | Caller,
    domain: string | null,
  ) {
    const expiresAt = endOf(link.expiresAt, apiKey);
    return { ...link, expiresAt, token, url: this.publicUrl.resolve(`/s/${token}`, domain) };
  }

  private controlled({ passwordHash, apiKey, ...link }: ShareLink, domain: string | null): ControlledLink {
    const token = revealToken(this.sealer, link);
    return this.shared({ ...link, hasPassword: passwordHash !== null }, token, { apiKey }, domain);
  }
}
