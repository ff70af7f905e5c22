import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { HttpServer, INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { dump } from 'js-yaml';
import { PROJECT_ROOT, projectVersion } from '../../lib/project-root.js';
import { PlatformError } from '../errors/platform-error.js';
import { IMMUTABLE, REVALIDATED, StoredFile, StoredFiles } from '../http/pages/stored-file.js';
import { PublicUrl } from '../http/server/public-url.js';
import { setDeprecation } from '../http/replies/deprecation.js';
import { createDocument, type DocumentText } from './document.js';
import { serveGuides } from './guides/guide-pages.js';

const WEB = join(PROJECT_ROOT, 'web', 'docs');
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** Where version 1.0.0 had the document. */
const BELOW_DOCS = {
  since: '2026-11-30',
  sunset: '2027-11-30',
  link: '/docs/guide/versioning#what-is-deprecated',
} as const;
/** Read with the first application of the process. */
let readAssets: StoredFiles | undefined;

/** Serves the API document at `/openapi.json` and `/openapi.yaml`, Swagger UI with it at `/docs`, and the guides below. */
export function serveDocs(app: INestApplication, text: DocumentText): void {
  const { path } = app.get(PublicUrl);
  let made: OpenAPIObject | undefined;
  const once = (): OpenAPIObject => (made ??= createDocument(app, text, path || '/'));
  const json = new StoredFile('application/json; charset=utf-8', () => JSON.stringify(once()));
  const yaml = new StoredFile('application/yaml; charset=utf-8', () =>
    dump(once(), { noRefs: true, lineWidth: -1 }),
  );
  const assets = (readAssets ??= new StoredFiles(assetPaths().map((file) => [basename(file), file])));
  const address = (name: string): string => `${path}/docs/${assets.version}/${name}`;
  const templates = new Eta({ views: WEB, cache: true });
  const page = new StoredFile('text/html; charset=utf-8', () =>
    templates.render('page', {
      title: text.title,
      service: `${path}/`,
      document: `${path}/openapi.json`,
      version: projectVersion(),
      modules: readdirSync(WEB).filter((name) => name.endsWith('.js')),
      address,
    }),
  );
  const server: HttpServer = app.getHttpAdapter();
  const old = { '/docs/openapi.json': json, '/docs/openapi.yaml': yaml };
  const files = { '/docs': page, '/openapi.json': json, '/openapi.yaml': yaml, ...old };
  for (const [at, file] of Object.entries(files))
    server.get(at, (request: Request, response: Response) => {
      if (at in old) setDeprecation(response, BELOW_DOCS);
      return file.send(request, response, REVALIDATED);
    });
  serveGuides(server, `${path}/docs`, templates, { service: text.title, asset: address });
  server.get('/docs/:version/:name', (request: Request, response: Response) => {
    const file = assets.find(String(request.params['version']), String(request.params['name']));
    if (!file) throw new PlatformError('NOT_FOUND');
    return file.send(request, response, IMMUTABLE);
  });
}

/** The styles and scripts of the page. */
const assetPaths = (): readonly string[] => [
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(SWAGGER_UI, name)),
  ...readdirSync(WEB)
    .filter((name) => !name.endsWith('.eta'))
    .sort()
    .map((name) => join(WEB, name)),
];
