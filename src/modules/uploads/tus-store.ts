import type { Readable } from 'node:stream';
import { DataStore, Upload as TusUpload } from '@tus/utils';
import type { Upload } from './entities/upload.entity.js';
import { offsetMismatch } from './upload-refusals.js';
import type { Checksum } from './checksum.js';

/** What one tus request may do, bound to its caller. */
export interface TusActions {
  create(upload: TusUpload): Promise<Upload>;
  find(id: string): Promise<Upload>;
  /** Like `find`, but in preparation for `receive`. */
  begin(id: string): Promise<Upload>;
  receive(
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    checksum: Checksum | undefined,
  ): Promise<Upload>;
  declareSize(id: string, size: number): Promise<Upload>;
  cancel(id: string): Promise<void>;
}

/** Uploads as `@tus/server` sees them; created per request, because it acts for one caller. */
export class TusStore extends DataStore {
  override extensions = [
    'creation',
    'creation-with-upload',
    'creation-defer-length',
    'termination',
    'checksum',
  ];

  /** Why the bytes were refused; `@tus/server` itself would report it as an interrupted request. */
  failure: unknown;

  constructor(
    private readonly actions: TusActions,
    private readonly checksum: Checksum | undefined,
  ) {
    super();
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    return asTus(await this.actions.create(upload), upload.metadata);
  }

  override async getUpload(id: string): Promise<TusUpload> {
    return asTus(await this.actions.find(id));
  }

  /** `offset` is what the client sent; another process may have appended since `@tus/server` compared it. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    try {
      const upload = await this.actions.begin(id);
      if (upload.received !== offset) throw offsetMismatch(upload);
      // Giving up must not destroy the stream: `@tus/server` would see it end before learning why.
      const bytes: AsyncIterable<Uint8Array> = content.iterator({ destroyOnReturn: false });
      return (await this.actions.receive(upload, bytes, this.checksum)).received;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.actions.declareSize(id, size);
  }

  override async remove(id: string): Promise<void> {
    await this.actions.cancel(id);
  }
}

function asTus({ recordingId, size, received }: Upload, metadata?: TusUpload['metadata']): TusUpload {
  return new TusUpload({ id: recordingId, size: size ?? undefined, offset: received, metadata });
}
