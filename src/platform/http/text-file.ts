import type { Readable } from 'node:stream';
import { createParamDecorator, StreamableFile, type ExecutionContext } from '@nestjs/common';
import contentDisposition from 'content-disposition';
import type { Request } from 'express';

/** What a format of files is called over HTTP and on disk. */
export interface FileFormat {
  /** Media type with character set. */
  readonly type: string;
  /** Without the dot. */
  readonly extension: string;
}

/** A file that an operation gives instead of `data`. */
export interface TextFile {
  readonly type: string;
  readonly fileName: string;
  readonly content: Readable;
}

/** As a reply: downloads under its name. */
export function sendTextFile({ type, fileName, content }: TextFile): StreamableFile {
  return new StreamableFile(content, { type, disposition: contentDisposition(fileName) });
}

/** The media type alone. */
export const mediaType = ({ type }: FileFormat): string => type.split(';')[0]!;

/**
 * The format that the `Accept` header asks for, one of a table of formats; null for JSON, which is also what a client gets
 * that says nothing, or names nothing there is.
 */
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
