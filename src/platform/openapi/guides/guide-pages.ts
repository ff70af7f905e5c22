import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpServer } from '@nestjs/common';
import type { Eta } from 'eta';
import type { Request, Response } from 'express';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import { PlatformError } from '../../errors/platform-error.js';
import { GUIDE_SEARCH } from '../../http-limits.js';
import { REVALIDATED, StoredFile, StoredFiles } from '../../http/pages/stored-file.js';
import { Guides, INDEX } from './guides.js';

const IMAGES = join(PROJECT_ROOT, 'docs', 'images');
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Serves the guides below `docs`, the path of the API docs. `view`: what all pages have in common. */
export function serveGuides(server: HttpServer, docs: string, templates: Eta, view: object): void {
  const address = `${docs}/guide`;
  const guides = new Guides(address);
  let images: StoredFiles | undefined;
  const render = (data: object): string => templates.render('guide', { ...view, docs, address, ...data });
  const page = (name: string) => new StoredFile('text/html; charset=utf-8', () => render(guides.get(name)));
  const pages = new Map(guides.names.map((name) => [name, page(name)]));
  const send = (file: StoredFile | undefined, request: Request, response: Response): Promise<void> => {
    if (!file) throw new PlatformError('NOT_FOUND', `There is no such guide: ${address} lists all of them.`);
    response.set('Content-Security-Policy', POLICY);
    return file.send(request, response, REVALIDATED);
  };
  server.get('/docs/guide', (request: Request, response: Response) => {
    const { q } = request.query;
    if (q === undefined) return send(pages.get(INDEX), request, response);
    const most = GUIDE_SEARCH.characters;
    if (typeof q !== 'string' || q.length > most)
      throw new PlatformError('VALIDATION_ERROR', `q: must be one text of at most ${most} characters`);
    response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': REVALIDATED });
    return response.type('html').send(render({ title: 'Search', q, found: guides.search(q.trim()) }));
  });
  server.get('/docs/guide/:name', (request: Request, response: Response) =>
    send(pages.get(String(request.params['name'])), request, response),
  );
  server.get('/docs/guide/images/:name', (request: Request, response: Response) => {
    // Few ask for them, and no start needs to read them.
    images ??= new StoredFiles(readdirSync(IMAGES).map((name) => [name, join(IMAGES, name)]));
    return send(images.find(images.version, String(request.params['name'])), request, response);
  });
}
