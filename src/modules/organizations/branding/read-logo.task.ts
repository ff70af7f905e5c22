import sharp from 'sharp';
import { LIMITS } from '../../../contract/limits.js';
import { detectFileType } from '../../../lib/file-types/file-types.js';

/** `image`: WebP in base64; `mistake`: why the file is not taken, as shown to the user. */
export type ParsedLogo = { readonly image: string } | { readonly mistake: string };

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const { maxSide, width, height } = LIMITS.logo;
const KIND = `must be an image (${TYPES.join(', ')}) without animation, of at most ${maxSide} pixels on each side`;

/** Decodes an image and writes it anew, without anything else that was in the file; returns a `ParsedLogo` as JSON. */
export default async function readLogo(bytes: Uint8Array): Promise<string> {
  return JSON.stringify(
    await read(bytes).catch(({ message }: Error) => ({ mistake: `${KIND}; ${message.split('\n')[0]}` })),
  );
}

async function read(bytes: Uint8Array): Promise<ParsedLogo> {
  // Before the library sees it, which would also draw SVG.
  const type = await detectFileType(bytes, true);
  if (!TYPES.includes(type ?? '')) return { mistake: KIND };
  const image = sharp(bytes, { limitInputPixels: maxSide ** 2 });
  const found = await image.metadata();
  if (Math.max(found.width, found.height) > maxSide || (found.pages ?? 1) > 1) return { mistake: KIND };
  const fitted = image.autoOrient().resize({ width, height, fit: 'inside', withoutEnlargement: true });
  return { image: (await fitted.webp({ quality: 90, smartSubsample: true }).toBuffer()).toString('base64') };
}
