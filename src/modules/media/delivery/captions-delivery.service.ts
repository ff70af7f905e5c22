import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { fileNameOf } from '../../../contract/file-name.js';
import type { CaptionedRow } from '../../recordings/access/public/captions.js';
import { TranscriptExportService } from '../../transcripts/transcript-export.service.js';
import { clearFileHeaders, etagOf, setFileHeaders } from './file-headers.js';
import { CAPTIONS_PLAYLIST, captionsPlaylist, HLS_TYPE } from './hls-captions.js';
import type { Permit } from './media-permit.service.js';
import { matchesEtag, sendNotModified } from './not-modified.js';

/** Serves the transcript as captions for players: always the current text, as long as there is one. */
@Injectable()
export class CaptionsDeliveryService {
  constructor(private readonly exports: TranscriptExportService) {}

  /** WebVTT, streamed. */
  async sendFile({ captions, caller }: Permit, response: Response): Promise<void> {
    const known = requireCaptions(captions);
    setFileHeaders(response, {
      type: 'text/vtt; charset=utf-8',
      disposition: 'inline',
      fileName: fileNameOf(known.title, 'vtt'),
      // Weak, because it may be compressed.
      etag: `W/${etagOf(`${known.id} ${known.transcript_revision}`)}`,
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
    requireCaptions(captions);
    const playlist = captionsPlaylist(duration ?? 0);
    const description = { type: HLS_TYPE, disposition: 'inline', fileName: CAPTIONS_PLAYLIST } as const;
    setFileHeaders(response, { ...description, etag: etagOf(playlist) });
    if (matchesEtag(response)) sendNotModified(response);
    // Not as text, to whose type Express would add a charset.
    else response.send(Buffer.from(playlist));
  }
}

function requireCaptions(captions: CaptionedRow | null): CaptionedRow {
  if (!captions) throw new DomainError('NOT_FOUND');
  return captions;
}
