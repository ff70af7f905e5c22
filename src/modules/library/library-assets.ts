import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PROJECT_ROOT } from '../../lib/project-root.js';
import { PlatformError } from '../../platform/errors/platform-error.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { IMMUTABLE, StoredFiles } from '../../platform/http/pages/stored-file.js';

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
/** The light build is enough, as on share pages. */
const HLS = resolve('hls.js/dist/hls.light.min.js');
const CLIENT = dirname(resolve('meeting-recording-client'));
/** What the list, the first view for most, does not need. */
const LATER = /^(hls\.js|app\/(recording|insights|uploads|manage)\/|share\/)/;

/** Of packages that `require` gets in another form. */
function moduleOf(name: string, file: string): string {
  return join(dirname(resolve(name)), file);
}

/** Scripts and styles of the library: its own, those that it shares with share pages, the client, and packages. */
@Injectable()
export class LibraryAssets {
  private readonly files: StoredFiles;
  private readonly preloaded: readonly string[];
  private readonly styles: readonly string[];

  constructor(private readonly publicUrl: PublicUrl) {
    const files = [
      // As in `web`, so that modules of one folder import those of the other by the same paths.
      ...filesOf(join(WEB, 'app'), 'app/'),
      ...filesOf(join(WEB, 'share'), 'share/'),
      ...filesOf(CLIENT, 'client/'),
      ...Object.entries(PACKAGES).map(([name, path]) => [`packages/${name}.js`, path] as const),
      ['hls.js', HLS] as const,
    ];
    this.files = new StoredFiles(files);
    const names = files.map(([name]) => name);
    this.styles = ['share/share.css', ...names.filter((name) => /^app\/.*\.css$/.test(name))];
    this.preloaded = names.filter((name) => name.endsWith('.js') && !LATER.test(name));
  }

  /** The URLs for the template; `imports`: where modules find what they import by name. */
  addresses() {
    const address = (name: string): string =>
      `${this.publicUrl.path}/assets/app/${this.files.version}/${name}`;
    const packages = Object.keys(PACKAGES).map((name) => [name, address(`packages/${name}.js`)]);
    return {
      styles: this.styles.map(address),
      script: address('app/app.js'),
      preloaded: this.preloaded.map(address),
      player: address('hls.js'),
      imports: {
        ...Object.fromEntries(packages),
        'meeting-recording-client': address('client/index.js'),
      },
    };
  }

  async send(version: string, name: string, request: Request, response: Response): Promise<void> {
    const file = this.files.find(version, name);
    if (file) return file.send(request, response, IMMUTABLE);
    // A page that was opened before an upgrade reloads itself.
    response.set('Cache-Control', 'no-store');
    throw new PlatformError('NOT_FOUND');
  }
}

/** The scripts and styles in a folder, by their paths in it. */
function filesOf(folder: string, prefix = ''): (readonly [name: string, path: string])[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => /\.(js|css)$/.test(name)).map((name) => [prefix + name, join(folder, name)]);
}
