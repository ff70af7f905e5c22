/** An email as an email client shows it. */
export interface ReceivedMail {
  /** Recipients that the client named to the server. */
  readonly to: readonly string[];
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** The decoded headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  /** The text that came. */
  readonly source: string;
}

type Content = Omit<ReceivedMail, 'to' | 'secure'>;

/** Reads the two parts of an email by the service, `text/plain` and `text/html`. */
export function receivedMail(source: string): Content {
  const { headers, body } = entity(source);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => entity(part.replace(/^\r\n/, '')));
  const partOf = (type: string): string => {
    const found = parts.filter(({ headers: own }) => own['content-type']?.startsWith(type));
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} parts are ${type}`);
    return decoded(found[0]);
  };
  return { headers, text: partOf('text/plain'), html: partOf('text/html'), source };
}

interface Entity {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function entity(source: string): Entity {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: source.slice(end + 4) };
}

function decoded({ headers, body }: Entity): string {
  const encoding = headers['content-transfer-encoding'];
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body.replaceAll(/=\r\n/g, ''))
        : Buffer.from(body);
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd();
}

/** Encoded words of RFC 2047; white space between two of them is no part of the text. */
function words(header: string): string {
  const joined = header.replaceAll(/\?=\s+=\?/g, '?==?');
  return joined.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) => {
    const isBase64 = kind.toUpperCase() === 'B';
    return (isBase64 ? Buffer.from(text, 'base64') : quotedPrintable(text.replaceAll('_', ' '))).toString();
  });
}

function quotedPrintable(text: string): Buffer {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
