import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { UrlSigner } from '../../../platform/secrets/url-signer.js';
import { mayPlay, type RecordingAccess } from '../../../policy/recording-access.js';
import { hlsScope, readHolder, readHolderPath, type UrlHolder } from '../public/media-urls.js';
import { PLAYABLE_COLUMNS, type PlayableMedia } from '../public/media-objects.js';
import { captionsOf, type CaptionedRow } from '../../recordings/access/public/captions.js';
import type { ExtraColumns } from '../../recordings/access/public/columns.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { mayDownload, type OpenShare } from '../../sharing/access/public/open-share.js';
import { ShareAccessService } from '../../sharing/access/share-access.service.js';

/** The token in the path of a playlist: holder, expiry and signature. */
const HLS_TOKEN = /^([\w-]+)\.(\d+\.[\w-]+)$/;

/** What the user of an API key needs, besides seeing the recording; the same conditions as for being given the URL. */
const REQUIRED = {
  thumbnail: () => true,
  playback: mayPlay,
  download: ({ capabilities }) => capabilities.canDownload,
  track: mayPlay,
  trackDownload: ({ capabilities }) => capabilities.canDownload,
  captions: (access) => mayPlay(access) && access.capabilities.canViewTranscription,
} satisfies Record<string, (access: RecordingAccess) => boolean>;

/** What recipients of a share link need, besides that the link opens. */
const REQUIRED_OF_SHARE: Readonly<Record<MediaUse, (share: OpenShare) => boolean>> = {
  thumbnail: () => true,
  playback: () => true,
  download: mayDownload,
  track: ({ link }) => link.tracks,
  trackDownload: (share) => share.link.tracks && mayDownload(share),
  captions: ({ recording }) => recording.access.capabilities.canViewTranscription,
};

type DeliveredColumns = PlayableMedia &
  CaptionedRow & { duration: number | null; user_id: string; folder_id: string | null };

const DELIVERED: ExtraColumns<DeliveredColumns> = {
  name: 'delivered',
  columns: `, ${PLAYABLE_COLUMNS}, r.id, r.duration, r.folder_id, k.user_id, t.status AS "transcriptStatus",
         t.language AS "transcriptLanguage", t.revision AS "transcriptRevision", t.segments_count AS "transcriptSegmentsCount"`,
};

/** What deliveries to recipients of a share link need besides what the decision itself reads. */
const SHARED: ExtraColumns<PlayableMedia> = { name: 'shared-media', columns: `, ${PLAYABLE_COLUMNS}` };

/** What a URL is for. */
type MediaUse = keyof typeof REQUIRED;

/** The media that a URL delivers, and whom the URL was issued to. */
export interface Permit {
  readonly recordingId: string;
  readonly holder: UrlHolder;
  readonly media: PlayableMedia;
  /** Seconds; null if unknown. */
  readonly duration: number | null;
  /** Null if there are none that the holder may see. */
  readonly captions: CaptionedRow | null;
  /** Whether the holder may also listen to each track. */
  readonly tracks: boolean;
  /** Whose requests share one queue: the user of the key, or the share link. */
  readonly caller: string;
}

/**
 * Checks on every delivery that a URL is still valid: signed here, not expired, and issued to an API key or a share
 * link that would be given it now. Nothing is cached. Every refusal has the same message, whatever the reason.
 */
@Injectable()
export class MediaPermitService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly shares: ShareAccessService,
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  async permitFile(recordingId: string, { originalUrl, query }: Request, use: MediaUse): Promise<Permit> {
    if (!this.signer.verify(originalUrl, this.clock.now())) refuse();
    return this.permit(recordingId, readHolder(query), use);
  }

  async permitPlaylist(
    recordingId: string,
    token: string,
    use: 'playback' | 'captions' | 'track',
  ): Promise<Permit> {
    const [, name = '', signature = ''] = HLS_TOKEN.exec(token) ?? [];
    const holder = readHolderPath(name);
    if (!this.signer.verifyToken(hlsScope(recordingId, holder), signature, this.clock.now())) refuse();
    return this.permit(recordingId, holder, use);
  }

  /** What a holder may be sent now, whatever the URL; 403 `FORBIDDEN` if nothing. */
  async permit(recordingId: string, holder: UrlHolder | null, use: MediaUse): Promise<Permit> {
    if (!holder) refuse();
    const permit = await (holder.kind === 'share'
      ? this.findForShare(recordingId, holder, use)
      : this.findForKey(recordingId, holder, use));
    return permit ?? refuse();
  }

  private async findForKey(recordingId: string, holder: UrlHolder, use: MediaUse): Promise<Permit | null> {
    const [id = '', folderId] = holder.id.split('_');
    const found = await this.access.findForKey(id, recordingId, DELIVERED);
    if (!found || !REQUIRED[use](found.access)) return null;
    const { columns: media, access } = found;
    const isViewer = holder.kind === 'viewer';
    if ((isViewer && use === 'captions') || (folderId ?? media.folder_id) !== media.folder_id) return null;
    const { duration, user_id: caller } = media;
    const captions = isViewer ? null : captionsOf(media, access);
    return { recordingId, holder: { ...holder, id }, media, duration, captions, tracks: true, caller };
  }

  private async findForShare(recordingId: string, holder: UrlHolder, use: MediaUse): Promise<Permit | null> {
    const share = await this.shares.findByGrant(recordingId, holder.id, SHARED);
    if (!share || !REQUIRED_OF_SHARE[use](share)) return null;
    const { row, access } = share.recording;
    const { id: caller, tracks } = share.link;
    const captions = captionsOf(row, access);
    return { recordingId, holder, media: row, duration: row.duration, captions, tracks, caller };
  }
}

function refuse(): never {
  throw new DomainError('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
}
