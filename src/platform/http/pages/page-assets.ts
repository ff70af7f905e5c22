import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import { PublicUrl } from '../server/public-url.js';
import { PROJECT_ROOT } from '../../../lib/project-root.js';

const WEB = join(PROJECT_ROOT, 'web', 'share');
/** The light build is enough: packages have audio and video in one playlist, and the page has captions of its own. */
const HLS = createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js');
/** The entry module, which imports the others. */
const ENTRY = 'share-page.js';
/** It imports these only where they are needed. */
const SELDOM = new Set(['live-transcript.js']);
const YEAR_S = 31_536_000;

/** Styles and scripts of the pages in `web`, read once. Their URLs change with their content. */
@Injectable()
export class PageAssets {
  private readonly modules = readModules();
  private readonly files = new Map([
    ['share.css', readFileSync(join(WEB, 'share.css'))],
    ['hls.js', readFileSync(HLS)],
    ...this.modules,
  ]);
  /** Modules import each other by relative URLs, so a page never mixes two versions. */
  private readonly version = versionOf(this.files);

  constructor(private readonly publicUrl: PublicUrl) {}

  /**
   * Returns the URLs for templates; `imports`: all that the entry module always imports, so that browsers can load them in
   * parallel.
   */
  addresses() {
    const address = (name: string): string => `${this.publicUrl.path}/assets/share/${this.version}/${name}`;
    return {
      style: address('share.css'),
      script: address(ENTRY),
      imports: [...this.modules.keys()].filter((name) => name !== ENTRY && !SELDOM.has(name)).map(address),
      player: address('hls.js'),
    };
  }

  /**
   * Modules of another version are not found, because this version may not fit those that a page has already loaded.
   */
  send(version: string, name: string, request: Request, response: Response): void {
    const isCurrent = version === this.version;
    const content = isCurrent || !this.modules.has(name) ? this.files.get(name) : undefined;
    if (!content) {
      // During a rolling upgrade, another instance may have it.
      response.set('Cache-Control', 'no-store');
      throw new PlatformError('NOT_FOUND');
    }
    response.set({
      'Content-Type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      'Cache-Control': isCurrent ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
      ETag: `"${this.version}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.send(content);
  }
}

function readModules(): ReadonlyMap<string, Buffer> {
  const names = readdirSync(join(WEB, 'scripts')).filter((name) => name.endsWith('.js'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(WEB, 'scripts', name))]));
}

/** A hash over all files together, for their URLs. */
export function versionOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const content of files.values()) hash.update(content);
  return hash.digest('base64url').slice(0, 16);
}
