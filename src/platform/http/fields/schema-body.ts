import { Body, Injectable, type PipeTransform } from '@nestjs/common';
import { z } from '../../../lib/zod.js';
import { PlatformError } from '../../errors/platform-error.js';

const MAX_REPORTED = 10;
const MAX_CHARACTERS = 300;

/** A JSON value does not match a schema; each error starts with its path. */
export class SchemaError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    const more = mistakes.length - MAX_REPORTED;
    super([...mistakes.slice(0, MAX_REPORTED), ...(more > 0 ? [`and ${more} more`] : [])].join('; '));
    this.name = 'SchemaError';
  }
}

/** Checks a value; `root` names it in errors about the value as a whole. */
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

/** Zod names every unknown field in the message, however many and however long. */
function shortened(message: string): string {
  if (message.length <= MAX_CHARACTERS) return message;
  return `${message.slice(0, MAX_CHARACTERS).toWellFormed()}...`;
}

/** `topics[3].keyPoints[0].point` */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text + (text && '.') + String(part)),
    '',
  );

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

/** A body with thousands of entries, too slow as nested DTOs. Declare the schema's output type, use `documented`. */
export const SchemaBody = (schema: z.ZodType): ParameterDecorator => Body(new SchemaPipe(schema));

/** A schema in the form used by the API document. */
export function documented(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', target: 'openapi-3.0' });
  return described;
}
