import disposition from 'content-disposition';

/** What clients read differently without `filename*`: not ASCII, escaped in quotes, or like an encoded character. */
const UNSURE = /[^ -~]|["\\]|%(?=[0-9A-Fa-f]{2})/gu;

/**
 * RFC 6266: the name in ASCII and, where that is another one, also in UTF-8, which clients prefer. The library takes
 * Latin-1 for good enough, but some clients read it as UTF-8, and S3 sends it as that.
 */
export function contentDisposition(fileName: string, type: 'inline' | 'attachment'): string {
  const plain = fileName.normalize('NFKD').replace(/\p{M}/gu, '').replace(UNSURE, '_');
  return disposition(fileName, { type, fallback: plain });
}

/** What the header of a file in a form says. Throws for one that is malformed. */
export function readContentDisposition(header: string): {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
} {
  return disposition.parse(header);
}
