import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import type { ShareAccessToken } from './share-passwords.service.js';

const COOKIE = 'share_access';
const HEADER = 'X-Share-Access';

/** Carries the access token of a link: as a cookie for the paths of this link in browsers, as a header in API clients. */
@Injectable()
export class ShareCookiesService {
  constructor(
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  read(request: Request): string | undefined {
    return request.get(HEADER) ?? parseCookie(request.headers.cookie ?? '')[COOKIE];
  }

  write(token: string, { accessToken, expiresAt }: ShareAccessToken, response: Response): void {
    const secure = this.publicUrl.isSecure;
    // Required in a frame on another site; browsers accept it from secure pages only.
    const framed = secure && this.settings.shareFrameAncestors.length > 0;
    for (const path of [`/s/${token}`, `/api/v1/shares/${token}`]) {
      response.cookie(COOKIE, accessToken, {
        path: this.publicUrl.path + path,
        expires: expiresAt,
        httpOnly: true,
        secure,
        sameSite: framed ? 'none' : 'lax',
        partitioned: framed,
      });
    }
  }
}
