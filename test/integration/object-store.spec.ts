import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';
import { keepsItsContract } from '../support/object-store-contract.js';
import { S3 } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';

describe('an object store on disk', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'mrs-store-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  keepsItsContract(async () => {
    const store = new DiskObjectStore(join(root, 'objects'));
    await store.prepare();
    return store;
  });
});

S3.describe('an object store in S3', () => {
  let bucket: TestBucket;

  beforeAll(async () => {
    bucket = await TestBucket.make();
  });
  afterAll(() => bucket.remove());

  keepsItsContract(async () => bucket.open(), { reachable: true });
});
