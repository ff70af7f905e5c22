import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../contract/domain-error.js';
import { PublicUrl } from '../../../platform/http/public-url.js';
import { PROJECT_ROOT } from '../../../platform/project-root.js';

const web = (name: string): string => join(PROJECT_ROOT, 'web', 'share', name);
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Files of the share page other than its modules. The light build of hls.js is enough, because packages have audio and video in one playlist, and the page has captions of its own. */
const FILES = {
  'share.css': { path: web('share.css'), type: 'text/css; charset=utf-8' },
  'hls.js': {
    path: createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js'),
    type: JAVASCRIPT,
  },
} as const;

export type ShareAsset = keyof typeof FILES;

/** The entry module, which imports the others. */
const ENTRY = 'share-page.js';

interface Loaded {
  readonly content: Buffer;
  readonly type: string;
  readonly version: string;
}

const YEAR_S = 31_536_000;

/** Styles and scripts of the share page, read once. Their URLs change with their content. */
@Injectable()
export class ShareAssetsService {
  private readonly files = new Map<string, Loaded>(
    Object.entries(FILES).map(([name, { path, type }]) => {
      const content = readFileSync(path);
      return [name, { content, type, version: versionOf([content]) }];
    }),
  );
  private readonly modules = readModules();
  /** Version of all modules together. They import each other by relative URLs, so a page never mixes two versions. */
  private readonly modulesVersion = versionOf([...this.modules].flat());

  constructor(private readonly publicUrl: PublicUrl) {}

  address(name: ShareAsset): string {
    return `${this.publicUrl.path}/assets/share/${name}?v=${this.files.get(name)!.version}`;
  }

  entryUrl(): string {
    return this.moduleUrl(ENTRY);
  }

  /** All imports of the entry module, so that browsers can load them in parallel. */
  importedUrls(): string[] {
    const names = [...this.modules.keys()].filter((name) => name !== ENTRY);
    return names.map((name) => this.moduleUrl(name));
  }

  send(name: string, request: Request, response: Response): void {
    const file = this.files.get(name);
    if (!file) throw new DomainError('NOT_FOUND');
    sendFile(file, request.query['v'] === file.version, request, response);
  }

  /** Modules of another version are not found, because this version may not fit those that a page has already loaded. */
  sendModule(version: string, name: string, request: Request, response: Response): void {
    const content = version === this.modulesVersion && this.modules.get(name);
    if (!content) {
      // During a rolling upgrade, another instance may have it.
      response.set('Cache-Control', 'no-store');
      throw new DomainError('NOT_FOUND');
    }
    sendFile({ content, type: JAVASCRIPT, version }, true, request, response);
  }

  private moduleUrl(name: string): string {
    return `${this.publicUrl.path}/assets/share/scripts/${this.modulesVersion}/${name}`;
  }
}

function readModules(): ReadonlyMap<string, Buffer> {
  const names = readdirSync(web('scripts')).filter((name) => name.endsWith('.js'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(web('scripts'), name))]));
}

function versionOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 16);
}

function sendFile(file: Loaded, isLasting: boolean, request: Request, response: Response): void {
  response.set({
    'Content-Type': file.type,
    'Cache-Control': isLasting ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
    ETag: `"${file.version}"`,
  });
  if (request.fresh) response.status(304).end();
  else response.send(file.content);
}
