import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../policy/caller.js';
import type { PartialUpload } from './entities/partial-upload.entity.js';
import { Upload } from './entities/upload.entity.js';
import { PartialUploadsService } from './partial-uploads.service.js';
import type { TusActions } from './tus-store.js';
import { UploadReceiverService } from './upload-receiver.service.js';

interface PartialRequest {
  readonly request: Request;
  readonly response: Response;
  readonly turn: number;
  readonly length: number | undefined;
  readonly bytes: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** What tus requests do with partial uploads. */
@Injectable()
export class TusPartials {
  constructor(
    private readonly partials: PartialUploadsService,
    private readonly receiver: UploadReceiverService,
  ) {}

  /** Whether the request creates a partial upload or is for one of the caller's. */
  async handles(caller: Caller, request: Request): Promise<boolean> {
    if (request.method === 'POST') return request.get('Upload-Concat') === 'partial';
    return this.partials.has(caller.id, String(request.params['id']));
  }

  /** `actions` with those that differ. */
  actions(
    caller: Caller,
    actions: TusActions,
    { request, response, turn, bytes, length }: PartialRequest,
  ): TusActions {
    return {
      ...actions,
      create: async ({ id, size }) => {
        const metadata = request.get('Upload-Metadata');
        return asUpload(await this.partials.create(caller.id, { id, size, metadata }));
      },
      find: async (id) => {
        const partial = await this.partials.find(id);
        if (request.method === 'HEAD') {
          response.setHeader('Upload-Concat', 'partial');
          if (partial.metadata !== null) response.setHeader('Upload-Metadata', partial.metadata);
        }
        return asUpload(partial);
      },
      begin: async (id) => Object.assign(asUpload(await this.partials.find(id)), { turn }),
      receive: (upload, content, checksum) =>
        this.receiver.receive(
          upload,
          bytes(content),
          { checksum, length },
          {
            uploads: {
              append: async ({ recordingId }, parts) =>
                Object.assign(asUpload(await this.partials.append(recordingId, turn, parts)), { turn }),
            },
            // The type shows when the pieces are joined.
            sniffer: { sniff: async () => null },
            merging: { enqueueIfDue: async () => {} },
          },
        ),
      declareSize: async (id, size) => asUpload(await this.partials.declareSize(id, size)),
      cancel: (id) => this.partials.remove(id),
    };
  }
}

const asUpload = ({ id, size, received, metadata }: PartialUpload): Upload =>
  Object.assign(new Upload(), { recordingId: id, size, received, metadata, mediaType: null });
