import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import { PROJECT_ROOT } from '../../../platform/project-root.js';

const web = (name: string): string => join(PROJECT_ROOT, 'web', 'share', name);
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files of the share page. Packages hold audio and video in one playlist, which the light build plays. */
const FILES = {
  'share.css': { path: web('share.css'), type: 'text/css; charset=utf-8' },
  'share.js': { path: web('share.js'), type: JAVASCRIPT },
  'hls.js': {
    path: createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js'),
    type: JAVASCRIPT,
  },
} as const;

export type ShareAsset = keyof typeof FILES;

interface Loaded {
  readonly content: Buffer;
  readonly type: string;
  readonly version: string;
}

const YEAR_S = 31_536_000;

/** Style and scripts of the share page, read once; their addresses change with their content. */
@Injectable()
export class ShareAssetsService {
  private readonly files = new Map<string, Loaded>(
    Object.entries(FILES).map(([name, { path, type }]) => {
      const content = readFileSync(path);
      const version = createHash('sha256').update(content).digest('base64url').slice(0, 16);
      return [name, { content, type, version }];
    }),
  );

  constructor(private readonly publicUrl: PublicUrl) {}

  address(name: ShareAsset): string {
    return `${this.publicUrl.path}/assets/share/${name}?v=${this.files.get(name)!.version}`;
  }

  send(name: string, request: Request, response: Response): void {
    const file = this.files.get(name);
    if (!file) throw new DomainError('NOT_FOUND');
    const isOfThisVersion = request.query['v'] === file.version;
    response.set({
      'Content-Type': file.type,
      'Cache-Control': isOfThisVersion ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
      ETag: `"${file.version}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.send(file.content);
  }
}
