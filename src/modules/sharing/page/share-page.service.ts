import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../platform/clock/clock.js';
import { DomainError } from '../../../contract/domain-error.js';
import { ServiceError } from '../../../platform/errors/service-error.js';
import { readForm } from '../../../platform/http/bodies/body.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import type { TextFile } from '../../../platform/http/replies/text-file.js';
import { TranscriptExportService } from '../../transcripts/transcript-export.service.js';
import { mayDownloadTexts } from '../access/public/open-share.js';
import { chunksOnPage, presentSharePage, TRANSCRIPT_FILES } from './share-page.presenter.js';
import { SharePreviewService } from './share-preview.service.js';
import { SharePageRenderer } from './share-page.renderer.js';
import { SharePasswordsService } from '../visits/share-passwords.service.js';
import { ShareVisitsService } from '../visits/share-visits.service.js';

/** Messages of the password form, by error code. */
const MISTAKES: Readonly<Record<string, string>> = {
  SHARE_PASSWORD_WRONG: 'Incorrect password. Please try again.',
  RATE_LIMITED: 'Too many incorrect attempts. Please try again in a few minutes.',
  SERVICE_UNAVAILABLE: "We couldn't check the password. Please try again in a few seconds.",
};

/** Serves share pages and their files to browsers. */
@Injectable()
export class SharePageService {
  constructor(
    private readonly visits: ShareVisitsService,
    private readonly passwords: SharePasswordsService,
    private readonly exports: TranscriptExportService,
    private readonly pages: SharePageRenderer,
    private readonly previews: SharePreviewService,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** Sends the page of the recording, or the password form. */
  async open(token: string, request: Request, response: Response): Promise<void> {
    const start = startChunk(request);
    const content = await this.visits.read(token, start, chunksOnPage(start), request).catch(needsPassword);
    if (content === null) {
      this.pages.send(response, 200, 'password', { mistake: null });
      return;
    }
    const now = this.clock.now();
    const view = presentSharePage(content, {
      token,
      startChunk: start,
      now,
      base: this.publicUrl.path,
      url: this.publicUrl.resolve(`/s/${encodeURIComponent(token)}`, request.brand?.domain),
      posterSize: await this.previews.posterSize(content.share),
    });
    this.pages.send(response, 200, 'page', view);
  }

  /** Handles the password form: redirects to the page, or shows the form again. */
  async unlock(token: string, request: Request, response: Response): Promise<void> {
    const password = (await readForm(request, response)).get('password') ?? '';
    const refusal = await this.passwords.unlock(token, password, response).then(() => null, asRefusal);
    if (refusal) {
      request.errorCode = refusal.code;
      response.set(refusal.headers);
      this.pages.send(response, refusal.status, 'password', { mistake: MISTAKES[refusal.code] ?? null });
      return;
    }
    // The moment that a shared link leads to; what it means is up to the page's script.
    const given = request.query['t'];
    const moment = typeof given === 'string' && /^[\w:.]{1,20}$/.test(given) ? `?t=${given}` : '';
    response.redirect(303, `${this.publicUrl.path}/s/${encodeURIComponent(token)}${moment}`);
  }

  /** The transcript as a text track. */
  async captions(token: string, request: Request): Promise<TextFile> {
    const { recording, link } = await this.visits.open(token, request);
    if (!recording.access.capabilities.canViewTranscription) throw new DomainError('NOT_FOUND');
    return this.exports.file(recording, 'vtt', link.id);
  }

  /** The transcript as a file, for recipients who may download. */
  async transcript(token: string, request: Request): Promise<TextFile> {
    const share = await this.visits.open(token, request);
    const format = TRANSCRIPT_FILES.find((known) => known === request.query['format']);
    const mayRead = share.recording.access.capabilities.canViewTranscription;
    if (!mayDownloadTexts(share) || !mayRead || !format) throw new DomainError('NOT_FOUND');
    return this.exports.file(share.recording, format, share.link.id);
  }
}

function needsPassword(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'SHARE_PASSWORD_REQUIRED') return null;
  throw error;
}

/** The error to show in the form; null if the link has no password (any more) and opens. */
function asRefusal(error: unknown): ServiceError | null {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'CONFLICT') return null;
  if (MISTAKES[error.code] === undefined) throw error;
  return error;
}

/** Reads the page of the transcript, for browsers without script. Other parameters may come from messaging apps. */
function startChunk(request: Request): number {
  const given = request.query['start_chunk'];
  return typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : 0;
}
