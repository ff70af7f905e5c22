import 'reflect-metadata';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '../app.js';
import { AppModule } from '../app.module.js';
import { OPERATION_COMMANDS } from './server/operation-commands.js';
import { Cleanup } from '../../platform/runtime/cleanup.js';
import { API_DOCUMENT } from '../../contract/api-document.js';
import { createDocument } from '../../platform/openapi/document.js';

/** Generates the API document without starting anything. Throws an error with what is missing, a line each. */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const warnings: string[] = [];
  const app = await NestFactory.create(AppModule.register(new Cleanup(), {}), {
    preview: true,
    logger: { log: () => undefined, error: () => undefined, warn: (text: string) => warnings.push(text) },
    abortOnError: false,
  });
  app.setGlobalPrefix(...API_PREFIX);
  const document = createDocument(app, { ...API_DOCUMENT, commands: OPERATION_COMMANDS });
  const mistakes = [
    ...warnings.flatMap((text) => DUPLICATE.exec(text)?.[1] ?? []).map(duplicate),
    ...controllersOf(app).flatMap(untypedInputs),
  ];
  if (mistakes.length > 0) throw new OpenApiMistakes(mistakes.join('\n'));
  return document;
}

export class OpenApiMistakes extends Error {
  override readonly name = 'OpenApiMistakes';
}

/** What `@nestjs/swagger` warns of. */
const DUPLICATE = /^Duplicate DTO detected: "(\w+)"/;

const duplicate = (name: string): string =>
  `${name} is the name of two classes with different fields: rename one of them, or document it under another name with @ApiSchema({ name })`;

const controllersOf = (app: INestApplicationContext): Type[] =>
  [...app.get(ModulesContainer).values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => (metatype ? [metatype as Type] : [])),
  );

const INPUTS: Readonly<Record<number, string>> = {
  [RouteParamtypes.BODY]: '@Body()',
  [RouteParamtypes.QUERY]: '@Query()',
};

/** Parameters `@Body()` and `@Query()` whose class the compiler left out, or whose fields have no decorators. */
export function untypedInputs(controller: Type): string[] {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const inputs: Readonly<Record<string, { index: number; data?: unknown }>> =
      Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
    const types: readonly (Type | undefined)[] =
      Reflect.getMetadata('design:paramtypes', prototype, method) ?? [];
    // With @ApiBody, for instance for any keys.
    const hasBody = Reflect.getMetadata('swagger/apiParameters', prototype[method]!)?.some(
      (one: { in: string }) => one.in === 'body',
    );
    return Object.entries(inputs).flatMap(([kind, { index, data }]) => {
      const decorator = INPUTS[Number(kind.split(':')[0])];
      const type = types[index];
      if (!decorator || data !== undefined || hasFields(type)) return [];
      if (decorator === '@Body()' && hasBody) return [];
      const place = `${controller.name}.${method}: the class of ${decorator}`;
      return type === undefined || type.name === 'Object'
        ? `${place} is unknown when the service runs: import it without \`type\`, and use no interface`
        : `${place}, ${type.name}, has no documented fields: give each field a decorator of src/platform/http/fields`;
    });
  });
}

const hasFields = (type: Type | undefined): boolean =>
  type !== undefined && Reflect.hasMetadata('swagger/apiModelPropertiesArray', type.prototype as object);
