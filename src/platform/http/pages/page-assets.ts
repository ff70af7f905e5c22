import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Controller, Get, Injectable, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import { PlatformError } from '../../errors/platform-error.js';
import { AcceptsAnyQuery, Public } from '../requests/endpoint-inputs.js';
import { PublicUrl } from '../server/public-url.js';
import { IMMUTABLE, REVALIDATED, StoredFiles } from './stored-file.js';

const WEB = join(PROJECT_ROOT, 'web', 'share');
const ACCOUNT = join(PROJECT_ROOT, 'web', 'account');
const { resolve } = createRequire(import.meta.url);
/** The light build is enough: packages have audio and video in one playlist, and the page has captions of its own. */
const HLS = resolve('hls.js/dist/hls.light.min.js');
/** For those who want to hear one voice alone. */
const FULL_HLS = resolve('hls.js/dist/hls.min.mjs');
/** The entry module, which imports the others. */
const ENTRY = 'share-page.js';
/** It imports these only where they are needed. */
const SELDOM = new Set(['live-transcript.js', 'processing.js', 'share-voices.js', 'voices.js']);

/** Of pages of those who sign in; independent of each other. */
const OF_ACCOUNT = ['account.css', 'account.js', 'copy.js', 'passkey.js'];

/** Styles and scripts of the pages in `web`, read once. Their URLs change with their content. */
@Injectable()
export class PageAssets {
  private readonly modules = readdirSync(join(WEB, 'scripts'))
    .filter((name) => name.endsWith('.js'))
    .sort();
  /** Modules import each other by relative URLs, so a page never mixes two versions. */
  private readonly files = new StoredFiles([
    ['share.css', join(WEB, 'share.css')],
    ['hls.js', HLS],
    ['hls-full.js', FULL_HLS],
    ...OF_ACCOUNT.map((name) => [name, join(ACCOUNT, name)] as const),
    ...this.modules.map((name) => [name, join(WEB, 'scripts', name)] as const),
  ]);

  constructor(private readonly publicUrl: PublicUrl) {}

  /** The URLs for templates; `imports`: what the entry module always imports, for browsers to load in parallel. */
  addresses() {
    const address = (name: string): string =>
      `${this.publicUrl.path}/assets/share/${this.files.version}/${name}`;
    return {
      style: address('share.css'),
      script: address(ENTRY),
      imports: this.modules.filter((name) => name !== ENTRY && !SELDOM.has(name)).map(address),
      player: address('hls.js'),
      voices: address('share-voices.js'),
      passkey: address('passkey.js'),
      account: address('account.js'),
      copy: address('copy.js'),
      accountStyle: address('account.css'),
    };
  }

  /** Sends what does not depend on other files for any version, because a page may load it after an upgrade. */
  async send(version: string, name: string, request: Request, response: Response): Promise<void> {
    const current = this.files.find(version, name);
    if (current) return current.send(request, response, IMMUTABLE);
    const other = this.modules.includes(name) ? undefined : this.files.find(this.files.version, name);
    if (other) return other.send(request, response, REVALIDATED);
    // During a rolling upgrade, another instance may have it.
    response.set('Cache-Control', 'no-store');
    throw new PlatformError('NOT_FOUND');
  }
}

/** Static files of the pages for people. Not in the API document. */
@ApiExcludeController()
@Controller('assets/share')
export class PageAssetsController {
  constructor(private readonly assets: PageAssets) {}

  @Get(':version/:name')
  @Public()
  @AcceptsAnyQuery()
  file(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.assets.send(version, name, request, response);
  }
}
