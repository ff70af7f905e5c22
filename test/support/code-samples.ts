import { readFileSync } from 'node:fs';
import { resolve } from '../../web/docs/document.js';
import { samplesOf } from '../../web/docs/samples.js';

const api = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

export interface CodeSample {
  readonly operationId: string;
  readonly language: string;
  readonly code: string;
}

/** What the API docs show for every operation, of a service at `base`. */
export const codeSamples = (base: string): readonly CodeSample[] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      samplesOf(method, path, resolve(api, ['paths', path, method]), base).map(([language, code]) => ({
        operationId,
        language,
        code,
      })),
    ),
  );
