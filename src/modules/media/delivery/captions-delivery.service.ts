import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { required } from '../../../contract/domain-error.js';
import { fileNameOf } from '../../../contract/file-name.js';
import { TranscriptExportService } from '../../transcripts/transcript-export.service.js';
import {
  clearFileHeaders,
  etagOf,
  setFileHeaders,
  matchesEtag,
  sendNotModified,
} from '../public/file-headers.js';
import type { Permit } from './media-permit.service.js';
import type { Renditions } from './renditions.js';

/** Serves the transcript as captions for players: always the current text, as long as there is one. */
@Injectable()
export class CaptionsDeliveryService {
  constructor(private readonly exports: TranscriptExportService) {}

  /** WebVTT, streamed. */
  async sendFile({ captions, caller }: Permit, response: Response): Promise<void> {
    const known = required(captions, 'NOT_FOUND');
    setFileHeaders(response, {
      type: 'text/vtt; charset=utf-8',
      disposition: 'inline',
      fileName: fileNameOf(known.title, 'vtt'),
      // Weak, because it may be compressed.
      etag: `W/${etagOf(`${known.id} ${known.transcriptRevision}`)}`,
    });
    if (matchesEtag(response)) return sendNotModified(response);
    if (response.req.method === 'HEAD') return void response.end();
    try {
      const { content } = await this.exports.captions(known, caller);
      await pipeline(content, response);
    } catch (error) {
      // A player that stops closes the connection, which is not an error.
      if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      clearFileHeaders(response);
      throw error;
    }
  }

  /** What the multivariant playlist refers to. */
  sendPlaylist({ captions, duration }: Permit, response: Response): void {
    required(captions, 'NOT_FOUND');
    const playlist = captionsPlaylist(duration ?? 0);
    const description = { type: HLS_TYPE, disposition: 'inline', fileName: CAPTIONS_PLAYLIST } as const;
    setFileHeaders(response, { ...description, etag: etagOf(playlist) });
    if (matchesEtag(response)) sendNotModified(response);
    // Not as text, to whose type Express would add a charset.
    else response.send(Buffer.from(playlist));
  }
}

export const HLS_TYPE = 'application/vnd.apple.mpegurl';

/** Names in the folder of the playlist, which has no files with them. */
export const CAPTIONS_PLAYLIST = 'captions.m3u8';
export const CAPTIONS_FILE = 'captions.vtt';

const GROUP = 'captions';

/** What a multivariant playlist says about the captions: off until the viewer turns them on. */
export function captionsRendition(language: string | null): Renditions {
  const locale = localeOf(language);
  const attributes = [
    'TYPE=SUBTITLES',
    `GROUP-ID="${GROUP}"`,
    `NAME="${locale ? nameOf(locale) : 'Captions'}"`,
    ...(locale ? [`LANGUAGE="${locale.toString()}"`] : []),
    'DEFAULT=NO',
    'AUTOSELECT=YES',
    'FORCED=NO',
    'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog"',
    `URI="${CAPTIONS_PLAYLIST}"`,
  ];
  return { group: `SUBTITLES="${GROUP}"`, media: [`#EXT-X-MEDIA:${attributes.join(',')}`] };
}

/** One segment, as long as the media: an hour of speech is smaller than a second of video. */
function captionsPlaylist(seconds: number): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${+seconds.toFixed(3)},`,
    CAPTIONS_FILE,
    '#EXT-X-ENDLIST',
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns null for an unknown language, also one that only looks like a code: imported ones are not checked. */
function localeOf(language: string | null): Intl.Locale | null {
  if (language === null || /^und\b/i.test(language)) return null;
  try {
    return new Intl.Locale(language);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The language in itself, as in the menus of players. */
function nameOf(locale: Intl.Locale): string {
  const code = locale.toString();
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}
