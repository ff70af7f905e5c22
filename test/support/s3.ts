import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketCorsCommand,
  PutBucketVersioningCommand,
  PutObjectRetentionCommand,
  S3Client,
  type CORSRule,
} from '@aws-sdk/client-s3';
import type { S3Settings } from '../../src/platform/config/settings.js';
import { S3ObjectStore } from '../../src/platform/storage/s3.object-store.js';

const {
  MRS_TEST_S3_ENDPOINT: endpoint,
  MRS_TEST_S3_ACCESS_KEY_ID: accessKeyId = '',
  MRS_TEST_S3_SECRET_ACCESS_KEY: secretAccessKey = '',
  MRS_TEST_S3_REGION: region = 'us-east-1',
} = process.env;

/** A new bucket on the S3 server of the tests. */
export class TestBucket {
  readonly settings: S3Settings;
  private readonly client: S3Client;

  private constructor() {
    this.settings = {
      bucket: `mrs-test-${randomUUID()}`,
      endpoint,
      publicEndpoint: endpoint,
      presignedUrls: true,
      region,
      credentials: { accessKeyId, secretAccessKey },
    };
    this.client = new S3Client({ ...this.settings, endpoint: endpoint ?? '', forcePathStyle: true });
  }

  static async make(options: { readonly versions?: true; readonly lock?: true } = {}): Promise<TestBucket> {
    const bucket = new TestBucket();
    const Bucket = bucket.settings.bucket;
    const { lock: ObjectLockEnabledForBucket } = options;
    await bucket.client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket }));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    if (options.versions)
      await bucket.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    return bucket;
  }

  /** How many versions and markers there are of all objects. */
  async versions(): Promise<number> {
    const found = await this.client.send(new ListObjectVersionsCommand({ Bucket: this.settings.bucket }));
    return (found.Versions ?? []).length + (found.DeleteMarkers ?? []).length;
  }

  /** Keeps the object until then: only those with a special permission can delete it. */
  async lock(Key: string, RetainUntilDate: Date): Promise<void> {
    const Retention = { Mode: 'GOVERNANCE', RetainUntilDate } as const;
    await this.client.send(new PutObjectRetentionCommand({ Bucket: this.settings.bucket, Key, Retention }));
  }

  open(changed: Partial<S3Settings> = {}): S3ObjectStore {
    return new S3ObjectStore({ ...this.settings, ...changed });
  }

  /** Uploads that were started and neither completed nor aborted. */
  async openUploads(): Promise<number> {
    const { Uploads = [] } = await this.client.send(
      new ListMultipartUploadsCommand({ Bucket: this.settings.bucket }),
    );
    return Uploads.length;
  }

  async allow(CORSRules: CORSRule[]): Promise<void> {
    const Bucket = this.settings.bucket;
    await this.client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
  }

  async remove(): Promise<void> {
    const store = this.open();
    const keys: string[] = [];
    for await (const { key } of store.list('')) keys.push(key);
    await store.delete(keys);
    await this.client.send(new DeleteBucketCommand({ Bucket: this.settings.bucket }));
  }
}
