import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** `METHOD /path/:parameter` of every route that Express would serve; `ALL` for one that takes every method. */
export function routesOf(app: NestExpressApplication): string[] {
  const express = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) => {
    const methods = Object.keys(route?.methods ?? {});
    return (methods.length > 10 ? ['ALL'] : methods).map(
      (method) => `${method.toUpperCase()} ${route?.path}`,
    );
  });
}

/**
 * Notes which routes a service has and which of them it answers with 2xx or 3xx, for `scripts/test/routes.js`, which
 * names those that no test has called successfully. Each test process writes a file of its own.
 */
export function noteAnsweredRoutes(app: NestExpressApplication): void {
  const folder = process.env['MRS_TEST_ROUTES'];
  if (!folder) return;
  const noted = new Set<string>();
  const note = (lines: readonly string[]): void => {
    const fresh = lines.filter((line) => !noted.has(line));
    for (const line of fresh) noted.add(line);
    if (fresh.length > 0)
      appendFileSync(join(folder, String(process.pid)), fresh.map((line) => `${line}\n`).join(''));
  };
  note(routesOf(app).map((route) => `has ${route}`));
  app.getHttpServer().on('request', (request: IncomingMessage & Layer, response: ServerResponse) => {
    response.once('finish', () => {
      const { method, route } = request;
      if (route && response.statusCode >= 200 && response.statusCode < 400)
        note([`answered ${method} ${route.path}`]);
    });
  });
}
