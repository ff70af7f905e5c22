import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '../app.js';
import { AppModule } from '../app.module.js';
import { Cleanup } from '../../platform/cleanup.js';
import { API_DOCUMENT } from '../../contract/api-document.js';
import { createDocument } from '../../platform/openapi/document.js';

/** Generates the API document without connecting or starting anything. */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(AppModule.register(new Cleanup(), {}), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  app.setGlobalPrefix(...API_PREFIX);
  return createDocument(app, API_DOCUMENT);
}
