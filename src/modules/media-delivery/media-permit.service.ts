import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { mayPlay, type RecordingAccess } from '../../policy/recording-access.js';
import { holderInPath, hlsScope, type UrlHolder } from '../media/media-urls.service.js';
import { MediaService, PLAYABLE_COLUMNS, type PlayableMedia } from '../media/media.service.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';
import { ShareAccessService } from '../sharing/share-access.service.js';

/** The token in the path of a playlist: holder, expiry and signature. */
const HLS_TOKEN = /^([\w-]+)\.(\d+\.[\w-]+)$/;

/** What the user of an API key needs, besides seeing the recording; the same conditions as for being given the URL. */
const REQUIRED = {
  thumbnail: () => true,
  playback: mayPlay,
  download: ({ capabilities }) => capabilities.canDownload,
} satisfies Record<string, (access: RecordingAccess) => boolean>;

/** What a URL is for. */
export type MediaUse = keyof typeof REQUIRED;

/** The media that a URL delivers, and whom the URL was issued to. */
export interface Permit {
  readonly holder: UrlHolder;
  readonly media: PlayableMedia;
}

/**
 * Checks on every delivery that a URL is still valid: signed here, not expired, and issued to an API key or a share link that
 * would be given it now. Nothing is cached. Every refusal has the same message, whatever the reason.
 */
@Injectable()
export class MediaPermitService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly shares: ShareAccessService,
    private readonly media: MediaService,
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  async ofFile(recordingId: string, { originalUrl, query }: Request, use: MediaUse): Promise<Permit> {
    if (!this.signer.verify(originalUrl, this.clock.now())) refuse();
    return this.permit(recordingId, holderInQuery(query), use);
  }

  async ofPlaylist(recordingId: string, token: string): Promise<Permit> {
    const [, name = '', signature = ''] = HLS_TOKEN.exec(token) ?? [];
    const holder = holderInPath(name);
    if (!this.signer.verifyToken(hlsScope(recordingId, holder), signature, this.clock.now())) refuse();
    return this.permit(recordingId, holder, 'playback');
  }

  private async permit(recordingId: string, holder: UrlHolder | null, use: MediaUse): Promise<Permit> {
    if (!holder) refuse();
    const media = await (holder.kind === 'key'
      ? this.ofKey(recordingId, holder.id, use)
      : this.ofShare(recordingId, holder.id, use));
    return media ? { holder, media } : refuse();
  }

  private async ofKey(recordingId: string, apiKeyId: string, use: MediaUse): Promise<PlayableMedia | null> {
    const found = await this.access.findForKey(apiKeyId, recordingId, PLAYABLE_COLUMNS);
    return found && REQUIRED[use](found.access) ? found.columns : null;
  }

  private async ofShare(recordingId: string, grant: string, use: MediaUse): Promise<PlayableMedia | null> {
    const holds = await this.shares.holds(recordingId, grant, use === 'download' ? 'download' : 'view');
    return holds ? this.media.find(recordingId) : null;
  }
}

/** Null for URLs issued before they named a holder. */
function holderInQuery({ key, share }: Request['query']): UrlHolder | null {
  if (typeof key === 'string') return { kind: 'key', id: key };
  return typeof share === 'string' ? { kind: 'share', id: share } : null;
}

function refuse(): never {
  throw new DomainError('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
}
