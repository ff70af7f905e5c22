import { Controller, Delete, Head, Options, Patch, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { TusOperation, TusUploadOperation } from './tus-operation.decorator.js';
import { TusService } from './tus.service.js';

const CAPABILITIES = {
  status: 204,
  returns: ['Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  public: true,
} as const;

/** The tus 1.0 endpoints. */
@ApiTags('Resumable uploads')
@Controller('uploads')
export class TusController {
  constructor(private readonly tus: TusService) {}

  @Options()
  @TusOperation({ summary: 'Get the tus capabilities', ...CAPABILITIES })
  async getUploadCapabilities(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }

  @Options(':id')
  @TusUploadOperation({ summary: 'Get the tus capabilities for an upload', ...CAPABILITIES })
  async getCapabilitiesOfUpload(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }

  @Post()
  @TusOperation({
    summary: 'Create a recording and its upload',
    description:
      'For uploaders that create the upload themselves, such as Uppy. Others create the recording with `POST /recordings`, whose reply has the `upload_url`. The body may contain the first bytes.',
    status: 201,
    costly: true,
    takes: { 'Upload-Length': 'optional', 'Upload-Defer-Length': 'optional', 'Upload-Metadata': 'required' },
    returns: ['Location', 'Upload-Offset'],
    body: 'optional',
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SUBSCRIPTION_EXPIRED', 'QUOTA_EXCEEDED', 'CONFLICT'],
  })
  async createUpload(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }

  @Head(':id')
  @TusUploadOperation({
    summary: 'Get the offset of an upload',
    description: 'Continue from there, whatever failed. Does not disturb a `PATCH` that is running.',
    status: 200,
    returns: ['Upload-Offset', 'Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata'],
    errors: ['RECORDING_NOT_FOUND', 'NOT_FOUND', 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
  })
  async getUploadOffset(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }

  @Patch(':id')
  @TusUploadOperation({
    summary: 'Append to an upload',
    description:
      'The body is stored as it arrives; what is stored stays if the request breaks off. With an offset other than the stored one: 409, as for an upload that is closed. `Upload-Length` gives the size, once, if the upload was created without one. The last byte starts the processing.',
    status: 204,
    takes: { 'Upload-Offset': 'required', 'Upload-Length': 'optional' },
    returns: ['Upload-Offset'],
    body: 'required',
    errors: [
      'RECORDING_NOT_FOUND',
      'NOT_FOUND',
      'CONFLICT',
      'QUOTA_EXCEEDED',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ],
  })
  async appendToUpload(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }

  @Delete(':id')
  @TusUploadOperation({
    summary: 'Cancel an upload',
    description:
      'Removes a new recording. One with notes, a transcript or a summary stays, in `ERROR`, without its bytes; one that had media keeps that.',
    status: 204,
    returns: [],
    errors: [
      'RECORDING_NOT_FOUND',
      'NOT_FOUND',
      'CONFLICT',
      'LEGAL_HOLD',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ],
  })
  async cancelUpload(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.tus.handle(request, response);
  }
}
