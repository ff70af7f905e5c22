import { readFileSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { RecordingAccessService } from '../../src/modules/recordings/access/recording-access.service.js';
import { MediaUrlsService } from '../../src/modules/media/media-urls.service.js';
import { sealToken } from '../../src/modules/sharing/links/share-links.queries.js';
import { grantOf } from '../../src/modules/sharing/access/public/open-share.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { refusal, type Client } from './client.js';
import { readHls, settled, upload } from './packaged.js';
import { S3 } from './requirements.js';
import { TestBucket } from './s3.js';
import { startService, type ServiceOptions, type TestService } from './service.js';

export const FILM = readFileSync('demo/media/depot-walk-through.mp4');

/** Possible stores; recipients of a share link must not notice the difference. */
export const STORES: readonly (readonly [string, typeof S3.describe, boolean])[] = [
  ['on disk', describe, false],
  ['in S3', S3.describe, true],
];

/**
 * URLs of the video, for a caller or for recipients of a share link; of the HLS package, the playlist and a segment.
 */
export interface SharedAddresses {
  readonly video: string;
  readonly download: string | null;
  readonly hls: string;
  readonly segment: string;
  readonly thumbnail: string;
}

const ENDED = refusal('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');

export const statuses = (all: readonly string[]): Promise<number[]> =>
  Promise.all(all.map(async (url) => (await fetch(url, { method: 'HEAD', redirect: 'manual' })).status));

/** That all of them are refused, and with the same message. */
export async function expectEnded(all: readonly string[]): Promise<void> {
  for (const url of all) {
    const response = await fetch(url, { headers: { range: 'bytes=0-9' }, redirect: 'manual' });
    expect([url, response.status, await response.json()]).toEqual([url, 403, ENDED]);
    expect(response.headers.get('cache-control')).toBeNull();
  }
  expect(await statuses(all)).toEqual(all.map(() => 403));
}

/** A service with one packaged video of Ada, in the organization Acme, and its share links. */
export class SharedMedia {
  private constructor(
    readonly service: TestService,
    readonly ada: Client,
    readonly filmId: string,
    readonly bucket: TestBucket | null,
    private readonly segment: string,
    private readonly organizationId: string,
    private readonly adaId: string,
  ) {}

  /** Other users, members and folders of Acme, limits on connections, and settings. */
  static async start(
    inS3: boolean,
    {
      users = [],
      members = [],
      folders = [],
      limits,
      settings = {},
    }: Partial<Record<'users' | 'members' | 'folders', object[]>> &
      Pick<ServiceOptions, 'limits'> & { settings?: Record<string, string> } = {},
  ): Promise<SharedMedia> {
    const bucket = inS3 ? await TestBucket.make() : null;
    const service = await startService(
      { ...(bucket ? settingsOf(bucket) : {}), ...settings },
      { worker: true, limits },
    );
    const acme = organization('Acme', { members: [member('Ada', 'OWNER'), ...members], folders });
    const owner = user('Ada');
    await service.import({ users: [owner, ...users], organizations: [acme] });
    const ada = service.api.as(keyOf('Ada'));
    const filmId = await upload(ada, FILM, { organization_id: acme.id });
    const files = await readHls((await settled(ada, filmId)).hlsUrl);
    const segment = files.find(({ name }) => name.endsWith('.mp4'))?.name ?? '';
    return new SharedMedia(service, ada, filmId, bucket, segment, acme.id, owner.id);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.bucket?.remove();
  }

  async sql(statement: string, ...values: unknown[]): Promise<void> {
    await this.service.dataSource.query(statement, values);
  }

  /** Replaces the link with a new one; returns its id. */
  async link(permission = 'download', recordingId = this.filmId): Promise<string> {
    const linkId = id();
    const token = sealToken(this.service.app.get(Sealer), linkId, `token-${linkId}`);
    await this.sql(
      'DELETE FROM share_links WHERE recording_id = $1 AND permission = $2',
      recordingId,
      permission,
    );
    await this.sql(
      `INSERT INTO share_links (id, recording_id, organization_id, created_by, permission, token_hash, token_sealed, sealing_key_id,
         created_at, plain)
       SELECT $1, id, organization_id, owner_id, $3, $4, $5, $6, now(), true FROM recordings WHERE id = $2`,
      linkId,
      recordingId,
      permission,
      token.tokenHash,
      token.tokenSealed,
      token.sealingKeyId,
    );
    return linkId;
  }

  /** The current signing scope of a link. */
  async grant(linkId: string): Promise<string> {
    const [link] = await this.service.dataSource.query<{ id: string; passwordHash: string | null }[]>(
      'SELECT id, password_hash AS "passwordHash" FROM share_links WHERE id = $1',
      [linkId],
    );
    return grantOf(link!);
  }

  /** The URLs that a caller is given. */
  async addressesFor(key: string): Promise<SharedAddresses> {
    const { body } = await this.service.api.as(key).get(`/recordings/${this.filmId}`);
    const { videoUrl: video, downloadUrl: download, hlsUrl: hls, thumbnailUrl: thumbnail } = body.data;
    return { video, download, hls, segment: hls.replace('master.m3u8', this.segment), thumbnail };
  }

  async addresses(grant: string, download = true): Promise<SharedAddresses> {
    const { app } = this.service;
    const recording = await app.get(RecordingAccessService).findShared({
      recordingId: this.filmId,
      organizationId: this.organizationId,
      createdBy: this.adaId,
      key: null,
    });
    const holder = { kind: 'share', id: grant } as const;
    const { media, thumbnail } = app.get(MediaUrlsService).forRecording(recording!, holder, { download });
    const hls = media.hls ?? '';
    const segment = hls.replace('master.m3u8', this.segment);
    return { video: media.video ?? '', download: media.download, hls, segment, thumbnail: thumbnail ?? '' };
  }
}

function settingsOf({ settings }: TestBucket): Record<string, string> {
  const { bucket, endpoint = '', region, credentials } = settings;
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
  };
}
