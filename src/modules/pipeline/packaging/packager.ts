import { Inject, Injectable } from '@nestjs/common';
import { packageMedia } from '../../../lib/media-engine/media-engine.js';
import type {
  MediaOptions,
  MediaPackage,
  MediaRequest,
} from '../../../lib/media-engine/process/packager-messages.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';

/** Packages media with the FFmpeg of the settings. */
@Injectable()
export class Packager {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>) {}

  /** Throws as `packageMedia` does. */
  package(request: MediaRequest, options: MediaOptions): Promise<MediaPackage> {
    return packageMedia({ ...request, ffmpeg: this.settings.ffmpegPath }, options);
  }
}
