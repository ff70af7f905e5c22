import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { isUuid, newId } from '../../platform/ids.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import { ObjectStore } from '../../platform/storage/object-store.js';
import { Recording } from '../recordings/entities/recording.entity.js';
import { mediaTypeOf } from './media-types.js';

/** Signed addresses of a recording's media; null where there is nothing to give. */
export interface MediaAddresses {
  readonly video: string | null;
  readonly download: string | null;
  readonly expiresAt: Date | null;
}

export const NO_ADDRESSES: MediaAddresses = { video: null, download: null, expiresAt: null };

/** The media columns of a recording. */
export type StoredMedia = Pick<Recording, 'mediaKey' | 'mediaType' | 'mediaSha256'>;

/** What it takes to send the media. */
export type PlayableMedia = Pick<Recording, 'title' | 'mediaType' | 'mediaSha256'> & {
  readonly mediaKey: string;
};

/** Asked at every range of a playing video: not the notes, which may be long. */
const PLAYABLE_COLUMNS = {
  id: true,
  title: true,
  mediaKey: true,
  mediaType: true,
  mediaSha256: true,
} as const;

const DISCARD_JOB = 'media.discard';
const ORPHAN_CHECK_MS = 24 * 60 * 60 * 1000;

@Injectable()
export class MediaService implements OnModuleInit {
  constructor(
    @InjectRepository(Recording) private readonly recordings: Repository<Recording>,
    private readonly objects: ObjectStore,
    private readonly jobs: JobsService,
    private readonly signer: UrlSigner,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<{ key: string }>(DISCARD_JOB, ({ key }) => this.discardNow(key));
  }

  /** Addresses that play and, where allowed, download the media without an API key, all until the same moment. */
  addresses(recordingId: string, { download }: { download: boolean }): MediaAddresses {
    const seconds = Math.floor(this.clock.now().getTime() / 1000) + this.settings.mediaUrlTtl;
    const expiresAt = new Date(seconds * 1000);
    const address = (disposition: string): string =>
      this.publicUrl.of(this.signer.sign(`/media/${recordingId}/video`, { disposition }, expiresAt));
    return { video: address('inline'), download: download ? address('attachment') : null, expiresAt };
  }

  /** The media behind a signed address. Gone with its recording, even while the address is still valid. */
  async find(recordingId: string): Promise<PlayableMedia> {
    const recording = isUuid(recordingId)
      ? await this.recordings.findOne({ select: PLAYABLE_COLUMNS, where: { id: recordingId } })
      : null;
    if (!recording?.mediaKey) throw new DomainError('RECORDING_NOT_FOUND');
    return { ...recording, mediaKey: recording.mediaKey };
  }

  /**
   * Stores the media of a recording that is about to be written. Should that not happen, because the process dies or
   * the transaction fails, a job registered beforehand removes the object a day later.
   */
  async store(recordingId: string, fileName: string, content: Readable): Promise<StoredMedia> {
    // Never the key of an object that a job may be about to remove.
    const mediaKey = `recordings/${recordingId}/${newId()}`;
    const runAt = new Date(this.clock.now().getTime() + ORPHAN_CHECK_MS);
    await this.jobs.enqueue(this.recordings.manager, DISCARD_JOB, [{ key: mediaKey }], { runAt });
    const { sha256 } = await this.objects.put(mediaKey, content);
    return {
      mediaKey,
      mediaType: mediaTypeOf(fileName),
      mediaSha256: sha256,
    };
  }

  /** In the transaction that deletes recordings: their objects go once it has committed, whatever crashes then. */
  async discard(manager: EntityManager, keys: readonly string[]): Promise<void> {
    await this.jobs.enqueue(
      manager,
      DISCARD_JOB,
      keys.map((key) => ({ key })),
    );
  }

  private async discardNow(key: string): Promise<void> {
    if (await this.recordings.existsBy({ mediaKey: key })) return;
    await this.objects.delete(key);
  }
}
