import type { Client, Reply } from './client.js';
import { RawTus, TUS } from './uploads.js';

type Headers = Record<string, string>;

const TITLE = `title ${Buffer.from('Joined').toString('base64')}`;

/** The last segment of the URL of an upload. */
export const idOf = (url: string): string => url.split('/').at(-1) ?? '';

/** The URL of an upload that was created. */
export const locationOf = ({ status, headers, body }: Reply): string => {
  if (status !== 201) throw new Error(`No upload was created: ${status} ${JSON.stringify(body)}`);
  return headers.get('location') ?? '';
};

/** A tus 1.0 client for the pieces of a file, and for joining them, header by header. */
export class PartialUploads {
  constructor(private readonly api: Client) {}

  /** Creates one for `size` bytes; null: not known yet. */
  create(size: number | null, more: Headers = {}): Promise<Reply> {
    const length: Headers =
      size === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) };
    return this.post({ 'upload-concat': 'partial', ...length, ...more });
  }

  /** The URL of one for `bytes`, of which `sent` have been acknowledged. */
  async of(bytes: Uint8Array, sent = bytes): Promise<string> {
    const url = locationOf(await this.create(bytes.length));
    const { status } = await new RawTus(this.api, idOf(url)).patch(0, sent);
    if (status !== 204) throw new Error(`The bytes were not accepted: ${status}`);
    return url;
  }

  join(urls: readonly string[]): Promise<Reply> {
    return this.post({ 'upload-concat': `final;${urls.join(' ')}`, 'upload-metadata': TITLE });
  }

  /** The id of the recording. */
  async joined(urls: readonly string[]): Promise<string> {
    return idOf(locationOf(await this.join(urls)));
  }

  private post(headers: Headers): Promise<Reply> {
    return this.api.request('POST', '/uploads', { headers: { ...TUS, ...headers } });
  }
}
