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

export interface RecordingMedia {
  readonly media: MediaUrls;
  /** Available even when the recording is locked. */
  readonly thumbnail: string | null;
}

/** Value of `file` in URLs that deliver the original, also after it has been converted. */
export const SOURCE = 'source';

/** Whom URLs are issued to, and work as long as: an API key, by its id, or a share link, by its `grantOf`. */
export interface UrlHolder {
  readonly kind: 'key' | 'share';
  readonly id: string;
}

/** Precedes the id of a key in the path of a playlist. */
const KEY_MARK = 'key_';

/** Names the holder in the path of a playlist. A key is marked; the grant of a share link starts with its id. */
const holderPath = ({ kind, id }: UrlHolder): string => (kind === 'key' ? `${KEY_MARK}${id}` : id);

export const readHolderPath = (name: string): UrlHolder =>
  name.startsWith(KEY_MARK) ? { kind: 'key', id: name.slice(KEY_MARK.length) } : { kind: 'share', id: name };

/** What the signature of a playlist covers. */
export const hlsScope = (recordingId: string, holder: UrlHolder): string =>
  `/media/${recordingId}/hls/${holderPath(holder)}`;
