import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  type DeletedObject,
  type ListObjectVersionsCommandOutput,
  type ObjectIdentifier,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Settings } from '../config/settings.js';
import {
  isObjectKey,
  Meter,
  ObjectMissingError,
  ObjectStore,
  requireObjectKey,
  type ByteRange,
  type ListedObject,
  type Delivery,
  type ObjectInfo,
  type ObjectLocation,
  type PresignedPut,
  type StoredObject,
} from './object-store.js';
import { openS3Clients, type S3Clients } from './s3-clients.js';
import { signGet, signPut } from './s3-signatures.js';
import { S3Error, saysNoObject, storeError } from './s3-errors.js';
import { guarded } from './stall-guard.js';

const MIB = 1024 * 1024;
/** An upload uses about this much memory for each part in flight, plus one. */
const PART_SIZE = 8 * MIB;
const MAX_PARTS = 10_000;
const STREAM_PARTS_AT_ONCE = 2;
const FILE_PARTS_AT_ONCE = 4;
/** Maximum number of keys per request. */
const DELETE_BATCH = 1_000;
const CHECK_MS = 10_000;
/** Write permission rarely changes, and checking it costs two requests. */
const WRITE_CHECK_EVERY_MS = 60_000;
const WRITE_CHECK_KEY = 'check/write';

/** Objects in a bucket of any S3-compatible service. The bucket must exist. */
export class S3ObjectStore extends ObjectStore {
  private readonly bucket: string;
  private readonly clients: S3Clients;
  private readonly presigns: boolean;
  private writtenAt = -Infinity;

  constructor(settings: S3Settings) {
    super();
    this.bucket = settings.bucket;
    this.presigns = settings.presignedUrls;
    this.clients = openS3Clients(settings);
  }

  /** Streams are limited to 80 GB: S3 allows 10,000 parts, and the part size cannot adapt to an unknown length. */
  async put(key: string, content: Readable | Uint8Array): Promise<StoredObject> {
    requireObjectKey(key);
    if (content instanceof Uint8Array) return this.putBytes(key, content);
    const meter = new Meter();
    // Either end fails with the other: a failed source stops the upload, a failed upload destroys the source.
    pipeline(content, meter, () => undefined);
    await this.upload(key, meter, PART_SIZE, STREAM_PARTS_AT_ONCE);
    const stored = meter.result();
    await this.confirm(key, stored.size, PART_SIZE);
    return stored;
  }

  async putFile(key: string, file: string): Promise<void> {
    requireObjectKey(key);
    const path = await realpath(file);
    const { size } = await stat(path);
    const partSize = Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS));
    await this.upload(key, createReadStream(path, { highWaterMark: MIB }), partSize, FILE_PARTS_AT_ONCE);
    await this.confirm(key, size, partSize);
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    requireObjectKey(key);
    const doing = `GetObject of ${key}`;
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    try {
      const { Body } = await this.clients.reader.send(
        new GetObjectCommand({ Bucket: this.bucket, Key: key, Range }),
      );
      return guarded(Body as Readable, (error) => storeError(error, doing));
    } catch (error) {
      if (saysNoObject(error)) throw new ObjectMissingError(key);
      const failure = storeError(error, doing);
      // A range beyond the end is empty.
      if (failure instanceof S3Error && failure.code === 'InvalidRange') return Readable.from([]);
      throw failure;
    }
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    requireObjectKey(key);
    try {
      const found = await this.clients.main.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
      return { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    } catch (error) {
      if (saysNoObject(error)) return null;
      throw storeError(error, `HeadObject of ${key}`);
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const pages = paginateListObjectsV2(
      { client: this.clients.main },
      { Bucket: this.bucket, Prefix: prefix },
    );
    try {
      for await (const { Contents = [] } of pages)
        for (const { Key = '', LastModified = new Date(0) } of Contents)
          if (isObjectKey(Key)) yield { key: Key, modifiedAt: LastModified };
    } catch (error) {
      throw storeError(error, `ListObjectsV2 of ${prefix}`);
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) requireObjectKey(key);
    for (let start = 0; start < keys.length; start += DELETE_BATCH)
      await this.deleteBatch(keys.slice(start, start + DELETE_BATCH));
  }

  async locate(key: string, delivery: () => Delivery): Promise<ObjectLocation | null> {
    requireObjectKey(key);
    if (!this.presigns) return null;
    const signed = signGet(this.clients.signer, { Bucket: this.bucket, Key: key }, delivery());
    return { url: await explained(signed, `URL of ${key}`) };
  }

  async presign(key: string, content: StoredObject, expiresAt: Date): Promise<PresignedPut | null> {
    requireObjectKey(key);
    if (!this.presigns) return null;
    const signed = signPut(this.clients.signer, { Bucket: this.bucket, Key: key }, content, expiresAt);
    return explained(signed, `URL for ${key}`);
  }

  /** Lists objects, which unlike `HeadBucket` says why it fails; now and then also starts an upload and aborts it. */
  async check(): Promise<void> {
    const { main } = this.clients;
    const Bucket = this.bucket;
    const within = { abortSignal: AbortSignal.timeout(CHECK_MS) };
    await explained(main.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), within), 'ListObjectsV2');
    if (performance.now() - this.writtenAt < WRITE_CHECK_EVERY_MS) return;
    const object = { Bucket, Key: WRITE_CHECK_KEY };
    const upload = main.send(new CreateMultipartUploadCommand(object), within);
    const { UploadId } = await explained(upload, 'CreateMultipartUpload');
    const abort = main.send(new AbortMultipartUploadCommand({ ...object, UploadId }), within);
    await explained(abort, 'AbortMultipartUpload');
    this.writtenAt = performance.now();
  }

  private async putBytes(key: string, content: Uint8Array): Promise<StoredObject> {
    // Always complete: S3 rejects a body shorter than its declared length.
    const request = new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: content });
    await explained(this.clients.main.send(request), `PutObject of ${key}`);
    return { size: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
  }

  /** A single request if the content fits into one part, otherwise a multipart upload, which is aborted on failure. */
  private async upload(key: string, Body: Readable, partSize: number, queueSize: number): Promise<void> {
    const params = { Bucket: this.bucket, Key: key, Body };
    try {
      await new Upload({ client: this.clients.main, params, partSize, queueSize }).done();
    } catch (error) {
      // The source itself may have failed. If not, `Upload` has left it, which is an error of it as well.
      throw error === Body.errored ? error : storeError(error, `upload of ${key}`);
    } finally {
      Body.destroy();
    }
  }

  /** Whether all parts of an upload arrived. */
  private async confirm(key: string, size: number, partSize: number): Promise<void> {
    if (size <= partSize) return;
    const found = await this.stat(key);
    if (found?.size !== size)
      throw new Error(`S3 stored ${found?.size ?? 'none'} of the ${size} bytes of ${key}`);
  }

  /** In a bucket with versions, a deletion only adds a marker: the versions are deleted then, too. */
  private async deleteBatch(keys: readonly string[]): Promise<void> {
    const deleted = await this.deleteObjects(keys.map((Key) => ({ Key })));
    if (!deleted.some(({ DeleteMarker }) => DeleteMarker)) return;
    const wanted = new Set(keys);
    for (const prefix of new Set(keys.map(ownerOf))) {
      for await (const versions of this.versionsUnder(prefix)) {
        const old = versions.filter(({ Key }) => wanted.has(Key));
        if (old.length > 0) await this.deleteObjects(old);
      }
    }
  }

  private async deleteObjects(Objects: ObjectIdentifier[]): Promise<DeletedObject[]> {
    const doing = `delete of ${Objects.length === 1 ? Objects[0]?.Key : `${Objects.length} objects`}`;
    const request = new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects } });
    const { Errors: failed = [], Deleted = [] } = await explained(this.clients.main.send(request), doing);
    const first = failed.find(({ Code }) => Code !== 'NoSuchKey');
    if (!first) return Deleted;
    const message = `${failed.length} were not deleted, such as ${first.Key}: ${first.Message}`;
    throw storeError({ name: first.Code, message, $metadata: { httpStatusCode: 200 } }, doing);
  }

  /** Pages of the versions and markers of the objects whose keys have this prefix. */
  private async *versionsUnder(Prefix: string): AsyncGenerator<{ Key: string; VersionId?: string }[]> {
    for (let next: Partial<ListObjectVersionsCommandOutput> | undefined = {}; next;) {
      const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = next;
      const from = { Bucket: this.bucket, Prefix, KeyMarker, VersionIdMarker };
      const sent = this.clients.main.send(new ListObjectVersionsCommand(from));
      const page: ListObjectVersionsCommandOutput = await explained(sent, `ListObjectVersions of ${Prefix}`);
      const { Versions = [], DeleteMarkers = [] } = page;
      yield [...Versions, ...DeleteMarkers].map(({ Key = '', VersionId }) => ({ Key, VersionId }));
      next = page.IsTruncated ? page : undefined;
    }
  }
}

/** What the keys of an owner's objects begin with, such as `recordings/<id>`. */
const ownerOf = (key: string): string => key.split('/', 2).join('/');

/** Awaits a reply of the SDK; `doing` says what for if it fails. */
const explained = <Reply>(reply: Promise<Reply>, doing: string): Promise<Reply> =>
  reply.catch((error: unknown) => {
    throw storeError(error, doing);
  });
