import type { Readable } from 'node:stream';
import { DataStore, Upload as TusUpload } from '@tus/utils';
import type { Upload } from './entities/upload.entity.js';
import { moved } from './upload-refusals.js';
import type { Checksum } from './checksum.js';

/** What one tus request may do, already bound to who asks. */
export interface TusActions {
  create(upload: TusUpload): Promise<Upload>;
  find(id: string): Promise<Upload>;
  /** As `find`, for `receive`. */
  begin(id: string): Promise<Upload>;
  receive(
    upload: Upload,
    content: AsyncIterable<Uint8Array>,
    checksum: Checksum | undefined,
  ): Promise<Upload>;
  declareSize(id: string, size: number): Promise<Upload>;
  cancel(id: string): Promise<void>;
}

/** Our uploads as `@tus/server` sees them; made anew for every request, as it acts for one caller. */
export class TusStore extends DataStore {
  override extensions = [
    'creation',
    'creation-with-upload',
    'creation-defer-length',
    'termination',
    'checksum',
  ];

  /** Why the bytes were not taken; the protocol's own code would tell of it as an interrupted request. */
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

  /** `offset` is what the client sent; another process may have appended since the protocol's code compared it. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    try {
      const upload = await this.actions.begin(id);
      if (upload.received !== offset) throw moved(upload);
      // Giving up must not destroy the stream: the protocol's code would take that for the end, before it is told why.
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
