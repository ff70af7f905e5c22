import { SERVICE_NAME } from '../../../contract/api-document.js';
import type { ImageSize } from '../../media/public/thumbnail-size.js';

/** Seconds for which consumers should keep a reply, as links end. */
const CACHE_AGE_S = 300;
/** Pixels of the frame that shows a share page: the player, and the beginning of the text below it. */
const FRAME = { width: 640, height: 560 } as const;

/** Meta tags of a share page that opens without a password. */
export interface LinkPreview {
  readonly type: 'video.other' | 'website';
  readonly title: string;
  /** Date, duration and what there is. */
  readonly description: string;
  /** Absolute URLs. */
  readonly url: string;
  readonly oembed: string;
  /** Null if there is no poster. */
  readonly image: { readonly url: string; readonly alt: string; readonly size: ImageSize | null } | null;
}

/** What a preview is made of; `url` is the absolute URL of the page. */
export interface PreviewedShare {
  readonly url: string;
  readonly title: string;
  readonly recordedAt: Date;
  /** `4:21`; null if unknown. */
  readonly clock: string | null;
  readonly has: { readonly transcript: boolean; readonly summary: boolean };
  readonly hasPoster: boolean;
  /** Null if unknown. */
  readonly posterSize: ImageSize | null;
  readonly isPlayable: boolean;
  readonly isAudio: boolean;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Nothing of what was said: a messenger keeps a preview when the link has ended. */
export function presentPreview(share: PreviewedShare): LinkPreview {
  const { url, title, recordedAt, clock, has, hasPoster, posterSize, isPlayable, isAudio } = share;
  const parts = [DATE.format(recordedAt), clock, has.transcript && 'transcript', has.summary && 'summary'];
  const alt = isAudio ? 'Waveform of the recording' : 'A picture from the recording';
  return {
    type: isPlayable && !isAudio ? 'video.other' : 'website',
    title,
    description: parts.filter(Boolean).join(' · '),
    url,
    oembed: `${url}/oembed`,
    image: hasPoster ? { url: `${url}/poster.jpg`, alt, size: posterSize } : null,
  };
}

/** An oEmbed reply (https://oembed.com). */
export interface OEmbed {
  readonly version: '1.0';
  readonly type: 'video' | 'rich' | 'link';
  readonly title: string;
  readonly provider_name: string;
  readonly provider_url: string;
  readonly cache_age: number;
  readonly thumbnail_url?: string;
  readonly thumbnail_width?: number;
  readonly thumbnail_height?: number;
  readonly html?: string;
  readonly width?: number;
  readonly height?: number;
}

/** What an oEmbed reply describes: URLs are absolute. */
export interface EmbeddedShare {
  readonly title: string;
  readonly url: string;
  readonly provider: string;
  readonly poster: { readonly url: string; readonly size: ImageSize } | null;
  readonly isPlayable: boolean;
  /** Whether the settings let other sites show the page in a frame. */
  readonly mayFrame: boolean;
}

/** Presents a share for oEmbed, with nothing larger than `most`. Texts are not escaped: the reply is JSON. */
export function presentOEmbed(share: EmbeddedShare, most: ImageSize): OEmbed {
  const { title, poster, provider, mayFrame, isPlayable } = share;
  const common = {
    version: '1.0',
    title,
    provider_name: SERVICE_NAME,
    provider_url: provider,
    cache_age: CACHE_AGE_S,
    ...(poster && fits(poster.size, most) ? thumbnail(poster.url, poster.size) : {}),
  } as const;
  if (!mayFrame) return { ...common, type: 'link' };
  return { ...common, type: isPlayable ? 'video' : 'rich', ...frame(share.url, most) };
}

const fits = ({ width, height }: ImageSize, most: ImageSize): boolean =>
  width <= most.width && height <= most.height;

const thumbnail = (url: string, { width, height }: ImageSize) => ({
  thumbnail_url: url,
  thumbnail_width: width,
  thumbnail_height: height,
});

/** The HTML contains nothing that a user wrote. */
function frame(url: string, most: ImageSize) {
  const width = Math.min(FRAME.width, most.width);
  const height = Math.min(FRAME.height, most.height);
  const html = `<iframe src="${url}" width="${width}" height="${height}" title="Meeting recording" allow="fullscreen" allowfullscreen></iframe>`;
  return { html, width, height };
}
