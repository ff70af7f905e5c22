import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '../app.js';
import { AppModule } from '../app.module.js';
import { Cleanup } from '../../platform/runtime/cleanup.js';
import { API_DOCUMENT } from '../../contract/api-document.js';
import { createDocument } from '../../platform/openapi/document.js';
import { mistakesIn, type Controller, type DocumentedApi } from './openapi-mistakes.js';

/**
 * Generates the API document without connecting or starting anything. Throws an error with all mistakes in decorators,
 * a line each.
 */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const warnings: string[] = [];
  const app = await NestFactory.create(AppModule.register(new Cleanup(), {}), {
    preview: true,
    logger: { log: () => undefined, error: () => undefined, warn: (text: string) => warnings.push(text) },
    abortOnError: false,
  });
  app.setGlobalPrefix(...API_PREFIX);
  const document = createDocument(app, API_DOCUMENT);
  const mistakes = [
    ...warnings.flatMap((text) => DUPLICATE.exec(text)?.[1] ?? []).map(duplicate),
    ...mistakesIn(document as unknown as DocumentedApi, controllersOf(app)),
  ];
  if (mistakes.length > 0) throw new OpenApiMistakes(mistakes);
  return document;
}

export class OpenApiMistakes extends Error {
  override readonly name = 'OpenApiMistakes';

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
  }
}

/** What `@nestjs/swagger` warns of. */
const DUPLICATE = /^Duplicate DTO detected: "(\w+)"/;

const duplicate = (name: string): string =>
  `${name} is the name of two classes with different fields: rename one of them, or document it under another name with @ApiSchema({ name })`;

const controllersOf = (app: INestApplicationContext): Controller[] =>
  [...app.get(ModulesContainer).values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => (metatype ? [metatype as Controller] : [])),
  );
