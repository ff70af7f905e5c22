import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { readContentDisposition } from '../replies/content-disposition.js';
import { PlatformError } from '../../errors/platform-error.js';
import { printable, quoteForMessage } from '../../../lib/text.js';

/** What is known of a file before its content. */
export interface FormFile {
  readonly contentType: string | undefined;
  readonly fileName: string | undefined;
}

/** Bytes of a form besides its file; clients send a few hundred. */
export const FORM_OVERHEAD = 16 * 1024;

export const HOW_TO_SEND =
  'send exactly one file, as curl -X PUT -F file=@FILE does, or the content of the file as the body, as curl -T FILE does';

/** The file of an operation as the only part of a form; the part may have any name. For `takes` of `Endpoint`. */
export const FILE_FORM = {
  'multipart/form-data': {
    schema: {
      title: 'FileForm',
      type: 'object' as const,
      required: ['file'],
      properties: {
        file: {
          type: 'string' as const,
          format: 'binary',
          description: 'The file; the part may have any name',
        },
      },
    },
  },
};

/** Parts are read after every write, so the parser never has to wait for a reader. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER;
/** `Content-Transfer-Encoding` of bytes that are sent as they are. */
const PLAIN = /^\s*(?:7bit|8bit|binary)\s*$/i;
const NO_MEANING = (): void => {};

type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** Parses the `multipart/form-data` that consists of one file. Everything else is refused as soon as it shows. */
export class OneFileForm {
  /** Null until its part begins. */
  file: FormFile | null = null;
  private part: Readable | null = null;
  private added = 0;
  private taken = 0;
  private readonly parser: Dicer;
  private readonly isComplete: Promise<boolean>;

  constructor(boundary: string) {
    // Not `Busboy`, which skips parts that it does not understand without a word.
    const options = { boundary, partHwm: NEVER_FULL, maxHeaderSize: FORM_OVERHEAD };
    this.parser = new Dicer(options);
    this.parser.on('part', (part) => this.begin(part));
    this.isComplete = new Promise((resolve) => {
      this.parser.on('finish', () => resolve(true)).on('error', () => resolve(false));
    });
  }

  /** Parses the next bytes of the form, and returns those of the file in them. */
  add(chunk: Uint8Array): Uint8Array | null {
    this.added += chunk.length;
    // Synchronous, errors of listeners included.
    this.parser.write(chunk);
    const content = this.part?.read() as Uint8Array | null | undefined;
    this.taken += content?.length ?? 0;
    if (this.added - this.taken > FORM_OVERHEAD) throw this.part === null ? notFound() : tooMuch();
    return content ?? null;
  }

  /** Ends the form after its last byte. Throws unless the form was complete. */
  async end(): Promise<void> {
    // Lets a part end that has no content.
    this.part?.read();
    this.parser.end();
    if (!(await this.isComplete))
      throw this.part === null ? notFound() : refusal('the form ends before its closing boundary');
    if (this.file === null) throw refusal('the form has no file');
  }

  private begin(part: Readable): void {
    if (this.part !== null) throw refusal('the form has more than one part');
    this.part = part;
    part.on('header', (headers: PartHeaders) => (this.file = fileOf(headers)));
    // Of a form that ends within the part, which the parser reports as well.
    part.on('error', NO_MEANING);
  }
}

function fileOf(headers: PartHeaders): FormFile {
  const { name, filename: fileName } = parametersOf(headers['content-disposition']?.[0]);
  if (fileName === undefined)
    throw refusal(
      `the form has a field ${quoteForMessage(utf8(name ?? ''))}; parameters belong in the query string of the URL`,
    );
  // Of browsers, if nobody has chosen a file.
  if (fileName === '') throw refusal('the form has no file');
  const encoding = headers['content-transfer-encoding']?.[0];
  if (encoding !== undefined && !PLAIN.test(encoding))
    throw refusal(`the form has a file in the encoding ${printable(encoding)}`);
  return { contentType: headers['content-type']?.[0], fileName };
}

function parametersOf(disposition: string | undefined): Record<string, string | undefined> {
  try {
    const { type, parameters } = readContentDisposition(disposition ?? '');
    if (type === 'form-data') return parameters;
  } catch {
    // As for any other header that does not say what the part is.
  }
  throw refusal('the form has a part whose Content-Disposition is not form-data, or malformed');
}

/** Headers are read as Latin-1; browsers send names as UTF-8. */
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString();

const notFound = (): PlatformError =>
  refusal('the form does not begin with the boundary that its Content-Type names');
const tooMuch = (): PlatformError =>
  refusal(`the form has more than ${FORM_OVERHEAD} bytes besides its file`);

export const refusal = (reason: string): PlatformError =>
  new PlatformError('VALIDATION_ERROR', `body: ${reason}; ${HOW_TO_SEND}`);
