import { SERVICE_NAME } from '../../../contract/api-document.js';
import type { ImageSize } from '../../media/public/thumbnail-size.js';

/** Seconds for which consumers should keep a reply, as links end. */
const CACHE_AGE_S = 300;
/** Pixels of the frame that shows a share page: the player, and the beginning of the text below it. */
const FRAME = { width: 640, height: 560 } as const;

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

/**
 * Presents a share for oEmbed (https://oembed.com), with nothing larger than `most`. Texts are not escaped: the reply
 * is JSON.
 */
export function presentOEmbed(share: EmbeddedShare, most: ImageSize) {
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
