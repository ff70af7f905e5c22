import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { dump } from 'js-yaml';
import { PROJECT_ROOT } from '../../lib/project-root.js';
import { PlatformError } from '../errors/platform-error.js';
import { versionOf } from '../http/pages/page-assets.js';
import { PublicUrl } from '../http/server/public-url.js';
import { createDocument, type DocumentText } from './document.js';
import { StoredFile } from './stored-file.js';

const WEB = join(PROJECT_ROOT, 'web', 'docs');
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};
/** For what may change with the next version of the service: browsers keep it, and ask whether it is current. */
const REVALIDATED = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Serves the API document at `/openapi.json` and `/openapi.yaml`, and Swagger UI, which loads it, at `/docs`.
 */
export function serveDocs(app: INestApplication, text: DocumentText): void {
  const { path } = app.get(PublicUrl);
  let made: OpenAPIObject | undefined;
  const once = (): OpenAPIObject => (made ??= createDocument(app, text, path || '/'));
  const json = new StoredFile(() => JSON.stringify(once()), 'application/json; charset=utf-8', REVALIDATED);
  const yaml = new StoredFile(
    () => dump(once(), { noRefs: true, lineWidth: -1 }),
    'application/yaml; charset=utf-8',
    REVALIDATED,
  );
  const assets = readAssets();
  const address = (name: string): string => `${path}/docs/${assets.version}/${name}`;
  const page = new StoredFile(
    () =>
      new Eta({ views: WEB }).render('page', {
        title: text.title,
        document: `${path}/openapi.json`,
        address,
      }),
    'text/html; charset=utf-8',
    REVALIDATED,
  );
  const serve = (paths: readonly string[], file: (request: Request) => StoredFile): void => {
    for (const at of paths)
      app
        .getHttpAdapter()
        .get(at, (request: Request, response: Response) => file(request).send(request, response));
  };
  serve(['/docs'], () => page);
  // Below `/docs` is where they were in version 1.0.0.
  serve(['/openapi.json', '/docs/openapi.json'], () => json);
  serve(['/openapi.yaml', '/docs/openapi.yaml'], () => yaml);
  serve(['/docs/:version/:name'], ({ params }) => {
    const file = params['version'] === assets.version && assets.files.get(String(params['name']));
    if (!file) throw new PlatformError('NOT_FOUND');
    return file;
  });
}

/** The styles and scripts of the page, with a hash over all of them, which is in their URLs. */
function readAssets(): { readonly version: string; readonly files: ReadonlyMap<string, StoredFile> } {
  const own = readdirSync(WEB).filter((name) => !name.endsWith('.eta'));
  const paths = [
    ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(SWAGGER_UI, name)),
    ...own.sort().map((name) => join(WEB, name)),
  ];
  const contents = new Map(paths.map((path) => [basename(path), readFileSync(path)]));
  const files = [...contents].map(([name, bytes]): [string, StoredFile] => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return [name, new StoredFile(() => bytes, type, IMMUTABLE)];
  });
  return { version: versionOf(contents), files: new Map(files) };
}
