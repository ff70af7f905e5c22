import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PROJECT_ROOT } from '../../lib/project-root.js';
import { PlatformError } from '../../platform/errors/platform-error.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { IMMUTABLE, StoredFiles } from '../../platform/http/pages/stored-file.js';
import { staticImports } from './static-imports.js';

const WEB = join(PROJECT_ROOT, 'web');
const { resolve } = createRequire(import.meta.url);

/** Packages as modules for browsers, by the names under which they are imported. */
const PACKAGES: Readonly<Record<string, string>> = {
  preact: resolve('preact'),
  'preact/hooks': resolve('preact/hooks'),
  htm: moduleOf('htm', 'htm.module.js'),
  '@preact/signals-core': moduleOf('@preact/signals-core', 'signals-core.module.js'),
  '@preact/signals': moduleOf('@preact/signals', 'signals.module.js'),
  'openapi-fetch': moduleOf('openapi-fetch', 'index.mjs'),
};
/** The light build is enough, as on share pages, except for those who want to hear one voice alone. */
const HLS = resolve('hls.js/dist/hls.light.min.js');
const FULL_HLS = resolve('hls.js/dist/hls.min.mjs');
const CLIENT = dirname(resolve('meeting-recording-client'));
const ENTRY = 'app/app.js';

/** Of packages that `require` gets in another form. */
function moduleOf(name: string, file: string): string {
  return join(dirname(resolve(name)), file);
}

const nameOf = (name: string): string => `packages/${name}.js`;

/** What is imported by name, and the files. */
const IMPORTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, nameOf(name)])),
  'meeting-recording-client': 'client/index.js',
};

/** Scripts and styles of the library: its own, those that it shares with share pages, the client, and packages. */
@Injectable()
export class LibraryAssets {
  private readonly files: StoredFiles;
  private readonly styles: readonly string[];
  /** What the entry module loads at once: all that the list, the first view of most, needs. */
  private readonly preloaded: readonly string[];

  constructor(private readonly publicUrl: PublicUrl) {
    const paths = new Map([
      // As in `web`, so that modules of one folder import those of the other by the same paths.
      ...filesOf(join(WEB, 'app'), 'app/'),
      ...filesOf(join(WEB, 'share'), 'share/'),
      // The player is for other sites.
      ...filesOf(CLIENT, 'client/').filter(([name]) => !name.startsWith('client/player/')),
      ...Object.entries(PACKAGES).map(([name, path]) => [nameOf(name), path] as const),
      ['hls.js', HLS] as const,
      ['share/scripts/hls-full.js', FULL_HLS] as const,
    ]);
    this.files = new StoredFiles([...paths]);
    this.styles = ['share/share.css', ...[...paths.keys()].filter((name) => /^app\/.*\.css$/.test(name))];
    const codeOf = (name: string): string => readFileSync(paths.get(name) ?? name, 'utf8');
    this.preloaded = staticImports(ENTRY, codeOf, IMPORTS);
  }

  /** The URLs for the template; `imports`: where modules find what they import by name. */
  addresses() {
    const address = (name: string): string =>
      `${this.publicUrl.path}/assets/app/${this.files.version}/${name}`;
    return {
      styles: this.styles.map(address),
      script: address(ENTRY),
      preloaded: this.preloaded.map(address),
      player: address('hls.js'),
      imports: Object.fromEntries(Object.entries(IMPORTS).map(([name, file]) => [name, address(file)])),
    };
  }

  async send(version: string, name: string, request: Request, response: Response): Promise<void> {
    const file = this.files.find(version, name);
    if (file) return file.send(request, response, IMMUTABLE);
    // A page that was opened before an upgrade offers to reload.
    response.set('Cache-Control', 'no-store');
    throw new PlatformError('NOT_FOUND');
  }
}

/** The scripts and styles in a folder, by their paths in it. */
function filesOf(folder: string, prefix = ''): (readonly [name: string, path: string])[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => /\.(js|css)$/.test(name)).map((name) => [prefix + name, join(folder, name)]);
}
