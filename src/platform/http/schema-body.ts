import { applyDecorators, Body, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { z } from 'zod';
import { PlatformError } from '../errors/platform-error.js';

/** At most this many mistakes are reported. */
const MOST_TOLD = 10;
const LONGEST_MISTAKE = 300;

/** A JSON value that a schema refuses; each mistake with its place. */
export class SchemaError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.slice(0, MOST_TOLD).join('; '));
    this.name = 'SchemaError';
  }
}

/** Checks a value; `root` names the value itself where the mistake is not inside of it. */
export function readBySchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SchemaError(
    parsed.error.issues.map(({ path, message }) => `${placeOf(path) || root}: ${shortened(message)}`),
  );
}

/** Unknown fields are named in the message, however many there are and however long. */
function shortened(message: string): string {
  if (message.length <= LONGEST_MISTAKE) return message;
  return `${message.slice(0, LONGEST_MISTAKE).toWellFormed()}...`;
}

/** `topics[3].keyPoints[0].point` */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text + (text && '.') + String(part)),
    '',
  );
}

@Injectable()
class SchemaPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}

  transform(value: unknown): unknown {
    try {
      return readBySchema(this.schema, value, 'body');
    } catch (error) {
      if (error instanceof SchemaError) throw new PlatformError('VALIDATION_ERROR', error.message);
      throw error;
    }
  }
}

/**
 * A body that holds lists or objects, which DTOs do not (record 2). Declare the parameter as the output of the schema, and the
 * operation with `ApiSchemaBody`.
 */
export const SchemaBody = (schema: z.ZodType): ParameterDecorator => Body(new SchemaPipe(schema));

/** The same schema in the API document. */
export const ApiSchemaBody = (schema: z.ZodType, example: unknown): MethodDecorator =>
  applyDecorators(ApiBody({ schema: { ...documented(schema), example } as object }));

/** A schema as the API document has it. */
export function documented(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', target: 'openapi-3.0' });
  return described;
}
