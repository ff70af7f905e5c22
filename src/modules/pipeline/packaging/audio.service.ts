import { Inject, Injectable } from '@nestjs/common';
import { extractAudio, type ExtractedAudio } from '../../../lib/media-engine/media-engine.js';
import type { MediaOptions, MediaRequest } from '../../../lib/media-engine/process/packager-messages.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';

/** Extracts audio from media with the FFmpeg of the settings. */
@Injectable()
export class AudioService {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>) {}

  /** Throws as `extractAudio` does. */
  extract(request: MediaRequest, options: MediaOptions): Promise<ExtractedAudio> {
    return extractAudio({ ...request, ffmpeg: this.settings.ffmpegPath }, options);
  }
}
