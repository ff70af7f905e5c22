import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilePathSource, Input, MP4 } from 'mediabunny';

interface Segment {
  readonly duration: number;
  readonly bytes: number;
}

/**
 * Writes `master.m3u8` for a folder with `media.m3u8`, `init.mp4` and segments, and returns the duration in seconds; 0
 * when there is nothing in the playlist. (FFmpeg's own one leaves out or garbles codecs, depending on its version.)
 */
export async function writeMasterPlaylist(folder: string): Promise<number> {
  const segments = await readSegments(folder);
  const duration = segments.reduce((sum, segment) => sum + segment.duration, 0);
  if (duration === 0) return 0;
  const bits = segments.reduce((sum, { bytes }) => sum + bytes * 8, 0);
  const peak = Math.max(...segments.map((segment) => (segment.bytes * 8) / Math.max(0.1, segment.duration)));
  const attributes = [
    `BANDWIDTH=${Math.ceil(peak)}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(bits / duration)}`,
    ...(await trackAttributes(join(folder, 'init.mp4'))),
  ];
  const text = `#EXTM3U\n\n#EXT-X-STREAM-INF:${attributes.join(',')}\nmedia.m3u8\n`;
  await writeFile(join(folder, 'master.m3u8'), text);
  return duration;
}

async function readSegments(folder: string): Promise<Segment[]> {
  const text = await readFile(join(folder, 'media.m3u8'), 'utf8');
  const entries = [...text.matchAll(/^#EXTINF:([\d.]+),[^\n]*\n(?:#[^\n]*\n)*([^#\n]+)$/gm)];
  return Promise.all(
    entries.map(async ([, duration = '0', name = '']) => ({
      duration: Number(duration),
      bytes: (await stat(join(folder, name.trim()))).size,
    })),
  );
}

async function trackAttributes(path: string): Promise<string[]> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4] });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const codecs = [await video?.getCodecParameterString(), await audio?.getCodecParameterString()];
    const names = codecs
      .filter((codec) => typeof codec === 'string')
      .map((codec) => (codec === 'opus' ? 'Opus' : codec));
    const size = video && `${await video.getDisplayWidth()}x${await video.getDisplayHeight()}`;
    return [`CODECS="${names.join(',')}"`, ...(size ? [`RESOLUTION=${size}`] : [])];
  } finally {
    input.dispose();
  }
}
