import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { violates } from '../../platform/database/database-errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { newId } from '../../platform/ids.js';
import { LIMITS } from '../../platform/limits.js';
import { hashPassword } from '../../platform/passwords.js';
import { randomToken } from '../../platform/secrets.js';
import type { Caller } from '../../policy/caller.js';
import {
  alongside,
  RecordingAccessService,
  type OpenRecording,
} from '../recordings/recording-access.service.js';
import type { CreateShareLinkDto } from './dto/create-share-link.dto.js';
import { requireFuture } from './share-expiry.js';
import type { SharedLink } from './share-link.views.js';
import { ShareLinksRepository, type InsertedLink, type NewShareLink } from './share-links.repository.js';

/** The plain link of one permission, if there is one. */
interface PlainLinkColumns {
  readonly link_id: string | null;
  readonly link_token: string;
}

const PLAIN_LINK = alongside<PlainLinkColumns>({
  name: 'recording-access-plain-share-link',
  columns: ', l.id AS link_id, l.token AS link_token',
  join: 'LEFT JOIN share_links l ON l.recording_id = r.id AND l.permission = $3 AND l.plain',
});

type Options = Pick<NewShareLink, 'expiresAt' | 'passwordHash' | 'label'>;

const NO_OPTIONS: Options = { expiresAt: null, passwordHash: null, label: null };

@Injectable()
export class ShareLinkCreationService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly links: ShareLinksRepository,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** Without options the plain link of that permission, made when there is none; with options always a new link. */
  async create(caller: Caller, recordingId: string, wanted: CreateShareLinkDto): Promise<SharedLink> {
    const { permission, password, label = null } = wanted;
    const expiresAt = wanted.expires_at ? requireFuture(wanted.expires_at, this.clock.now()) : null;
    const recording = await this.access.use(caller, recordingId, 'sharing', {
      andAlso: permission === 'download' ? 'downloads' : undefined,
      asked: { statement: PLAIN_LINK, values: [permission] },
    });
    const plain = expiresAt === null && label === null && !password;
    const link = plain
      ? await this.plainLink(caller, recording, permission)
      : await this.separateLink(caller, recording, permission, {
          expiresAt,
          label,
          passwordHash: password ? await hashPassword(password) : null,
        });
    return { ...link, url: this.publicUrl.of(`/s/${link.token}`) };
  }

  private async plainLink(
    caller: Caller,
    recording: OpenRecording<PlainLinkColumns>,
    permission: NewShareLink['permission'],
  ): Promise<InsertedLink> {
    const { link_id: id, link_token: token } = recording.row;
    // Asked for again, it is not written.
    if (id !== null) return { id, token, permission, label: null, expiresAt: null, hasPassword: false };
    const link = this.newLink(caller, recording, permission, { ...NO_OPTIONS, plain: true });
    return this.inserted(async () => (await this.links.insert(link)) ?? this.links.insertWithRoom(link));
  }

  private async separateLink(
    caller: Caller,
    recording: OpenRecording,
    permission: NewShareLink['permission'],
    options: Options,
  ): Promise<InsertedLink> {
    const link = this.newLink(caller, recording, permission, { ...options, plain: false });
    return this.inserted(() => this.links.insertWithRoom(link));
  }

  private newLink(
    caller: Caller,
    { row }: OpenRecording,
    permission: NewShareLink['permission'],
    options: Options & Pick<NewShareLink, 'plain'>,
  ): NewShareLink {
    return {
      id: newId(),
      recordingId: row.id,
      permission,
      token: randomToken(),
      createdBy: caller.id,
      createdAt: this.clock.now(),
      ...options,
    };
  }

  private async inserted(insert: () => Promise<InsertedLink | null>): Promise<InsertedLink> {
    try {
      const link = await insert();
      if (link) return link;
    } catch (error) {
      // Deleted by another request since the access decision.
      if (violates(error, 'share_links_recording_id_fkey')) throw new DomainError('RECORDING_NOT_FOUND');
      throw error;
    }
    throw new DomainError(
      'CONFLICT',
      `The recording has ${LIMITS.shareLinks} share links, which is the most it may have. Revoke one first.`,
    );
  }
}
