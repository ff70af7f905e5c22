import type { AuditStreamFormat } from '../../../platform/config/audit-stream-formats.js';
import type { PresentedAuditEntry } from '../dto/audit-entry.response.dto.js';
import { withOcsf } from './ocsf.js';

/** Where a stream is sent, with the secret that the receiver asks for. */
export interface StreamEndpoint {
  readonly url: string;
  /** Null if the receiver asks for none, or the URL has it. */
  readonly token: string | null;
}

interface Format {
  readonly type: string;
  readonly authorize: (token: string) => Readonly<Record<string, string>>;
  readonly line: (event: object, entry: PresentedAuditEntry) => object;
  readonly body: (lines: readonly string[]) => string;
}

const SOURCE = 'meeting-recording-service';
const asLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** What each kind of receiver takes. */
export const STREAM_FORMATS: Readonly<Record<AuditStreamFormat, Format>> = {
  ndjson: {
    type: 'application/x-ndjson',
    authorize: (token) => ({ authorization: `Bearer ${token}` }),
    line: (event) => event,
    body: asLines,
  },
  splunk: {
    type: 'application/json',
    authorize: (token) => ({ authorization: `Splunk ${token}` }),
    line: (event, { at }) => ({ time: Date.parse(at) / 1_000, source: SOURCE, sourcetype: '_json', event }),
    body: asLines,
  },
  datadog: {
    type: 'application/json',
    authorize: (token) => ({ 'dd-api-key': token }),
    line: (event) => ({ ddsource: SOURCE, service: SOURCE, ...event }),
    body: (lines) => `[${lines.join(',')}]`,
  },
};

/** The bytes of a batch, which receivers accept by default; one entry may have more. */
const MAX_BYTES = 900_000;

/** Composes the request for the first of the entries, as many as fit; `count`: how many. */
export function composeBatch(
  format: AuditStreamFormat,
  token: string | null,
  entries: readonly PresentedAuditEntry[],
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer; readonly count: number } {
  const { type, authorize, line, body } = STREAM_FORMATS[format];
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const text = JSON.stringify(line(withOcsf(entry), entry));
    bytes += Buffer.byteLength(text) + 1;
    if (lines.length > 0 && bytes > MAX_BYTES) break;
    lines.push(text);
  }
  const headers = { 'content-type': type, ...(token !== null && authorize(token)) };
  return { headers, body: Buffer.from(body(lines)), count: lines.length };
}
