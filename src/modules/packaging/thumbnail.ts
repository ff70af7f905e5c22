import sharp, { type Sharp } from 'sharp';

const THUMBNAIL_WIDTH = 640;
const JPEG = { quality: 80, mozjpeg: true } as const;

/** Where to look for a frame, as fractions of the duration; the first one that is not blank is used. */
export const THUMBNAIL_PLACES = [0.1, 0.3, 0.5, 0.02] as const;

const WAVE = { width: 640, height: 360, bars: 80, background: '#111827', bar: '#60a5fa' } as const;
export const WAVE_BARS = WAVE.bars;

/** Raw upright picture with 4 bytes per pixel; the fourth is ignored. */
export interface Picture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Width and height of a thumbnail: at most 640 wide, never enlarged, same aspect ratio. */
export function thumbnailSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, THUMBNAIL_WIDTH / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Neither black nor a single colour. */
export async function showsSomething(picture: Picture): Promise<boolean> {
  const { channels } = await raw(picture).stats();
  const colours = channels.slice(0, 3);
  return colours.some(({ mean }) => mean > 16) && colours.some(({ stdev }) => stdev > 4);
}

export async function writePicture(picture: Picture, path: string): Promise<void> {
  const { width, height } = thumbnailSize(picture.width, picture.height);
  await raw(picture).removeAlpha().resize(width, height, { fit: 'fill' }).jpeg(JPEG).toFile(path);
}

/** Draws peaks (0 to 1) as bars, scaled to the loudest, so that quiet recordings also fill the height. */
export async function writeWaveform(peaks: readonly number[], path: string): Promise<void> {
  const loudest = Math.max(0.01, ...peaks);
  const step = WAVE.width / peaks.length;
  const bars = peaks.map((peak, index) => {
    const height = Math.max(4, Math.min(1, peak / loudest) * WAVE.height * 0.8);
    const x = (index + 0.2) * step;
    const y = (WAVE.height - height) / 2;
    return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.6).toFixed(1)}" height="${height.toFixed(1)}" rx="2"/>`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WAVE.width}" height="${WAVE.height}">` +
    `<rect width="100%" height="100%" fill="${WAVE.background}"/><g fill="${WAVE.bar}">${bars.join('')}</g></svg>`;
  await sharp(Buffer.from(svg)).jpeg(JPEG).toFile(path);
}

function raw({ data, width, height }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}
