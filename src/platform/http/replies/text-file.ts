import type { Readable } from 'node:stream';
import { createParamDecorator, StreamableFile, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { contentDisposition } from './content-disposition.js';

export interface FileFormat {
  /** Media type with charset. */
  readonly type: string;
  /** Without the dot. */
  readonly extension: string;
}

/** A file that an operation returns instead of `data`. */
export interface TextFile {
  readonly type: string;
  readonly fileName: string;
  readonly content: Readable;
}

/** Returns the file as a reply, downloaded under its name. */
export const sendTextFile = ({ type, fileName, content }: TextFile): StreamableFile =>
  new StreamableFile(content, { type, disposition: contentDisposition(fileName, 'attachment') });

/** The media type without parameters. */
export const mediaType = ({ type }: FileFormat): string => type.split(';')[0]!;

/** The format of the table that the `Accept` header requests; null for JSON, also if it requests none of them. */
export const AcceptedFormat = createParamDecorator(
  (formats: Readonly<Record<string, FileFormat>>, context: ExecutionContext): string | null => {
    const request = context.switchToHttp().getRequest<Request>();
    const { accept = '*/*' } = request.headers;
    if (accept === '*/*' || accept === 'application/json') return null;
    const files = Object.entries(formats).filter(([, format]) => mediaType(format) !== 'application/json');
    const accepted = request.accepts(['application/json', ...files.map(([, format]) => mediaType(format))]);
    return files.find(([, format]) => mediaType(format) === accepted)?.[0] ?? null;
  },
);
