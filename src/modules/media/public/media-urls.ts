import { hasScope } from '../../../contract/scopes.js';
import type { Caller } from '../../../policy/caller.js';

/** URLs of a recording's media, which work without an API key; null where there is none. */
export interface MediaUrls {
  readonly video: string | null;
  readonly hls: string | null;
  readonly download: string | null;
  readonly captions: string | null;
  readonly expiresAt: Date | null;
}

export const NO_MEDIA_URLS: MediaUrls = {
  video: null,
  hls: null,
  download: null,
  captions: null,
  expiresAt: null,
};

/** The same of one of its tracks. */
export type TrackUrls = Readonly<
  Record<'hlsUrl' | 'pictureHlsUrl' | 'peaksUrl' | 'downloadUrl', string | null> & {
    urlsExpireAt: Date | null;
  }
>;

export interface RecordingMedia {
  readonly media: MediaUrls;
  /** Available even when the recording is locked. */
  readonly thumbnail: string | null;
}

/** Value of `file` in URLs that deliver the original, also after it has been converted. */
export const SOURCE = 'source';

/**
 * Whom URLs are issued to, and work as long as: an API key, by its id, also if a browser token stands for it, or a share
 * link, by its `grantOf`. A `viewer` has a token that must not read transcripts, a `reader` one that may; the folder that
 * it is limited to follows the id of its key.
 */
export interface UrlHolder {
  readonly kind: 'key' | 'reader' | 'viewer' | 'share';
  readonly id: string;
  /** At which its URLs expire, if not later than others. */
  readonly endsAt?: Date | null;
}

export const holderOf = ({ apiKey, browserToken }: Pick<Caller, 'apiKey' | 'browserToken'>): UrlHolder => {
  const tokenKind = hasScope(apiKey.scopes, 'transcripts:read') ? 'reader' : 'viewer';
  const id = browserToken?.folder ? `${apiKey.id}_${browserToken.folder.id}` : apiKey.id;
  return { kind: browserToken ? tokenKind : 'key', id, endsAt: apiKey.expiresAt };
};

/** Those that precede the id of a key in the path of a playlist. */
const KEY_KINDS = ['key', 'reader', 'viewer'] as const;

/** Names the holder in the path of a playlist. A key is marked; the grant of a share link starts with its id. */
const holderPath = ({ kind, id }: UrlHolder): string => (kind === 'share' ? id : `${kind}_${id}`);

export function readHolderPath(name: string): UrlHolder {
  const kind = KEY_KINDS.find((one) => name.startsWith(`${one}_`));
  return kind ? { kind, id: name.slice(kind.length + 1) } : { kind: 'share', id: name };
}

/** Null if it names none, as no URL that is issued. */
export function readHolder(query: Readonly<Record<string, unknown>>): UrlHolder | null {
  const kind = [...KEY_KINDS, 'share' as const].find((one) => typeof query[one] === 'string');
  return kind ? { kind, id: query[kind] as string } : null;
}

/** What the signature of a playlist covers. */
export const hlsScope = (recordingId: string, holder: UrlHolder): string =>
  `/media/${recordingId}/hls/${holderPath(holder)}`;
