import type { Type } from '@nestjs/common';

/** Where @nestjs/swagger lists the fields of a class with its decorators, those of its base class first. */
const FIELDS = 'swagger/apiModelPropertiesArray';

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

/** What a field is presented from: of a time, a `Date`. */
type Given<Field> = string extends Field
  ? Field | Date
  : Field extends (infer Item)[]
    ? readonly Item[]
    : Field;

/** The fields of a reply as code names them. */
type Source<Shown> = {
  readonly [Name in keyof Shown as Camel<Name>]: Shown[Name] extends string | null
    ? Given<NonNullable<Shown[Name]>> | Extract<Shown[Name], null>
    : Given<Shown[Name]>;
};

const sources = new Map<Type, readonly (readonly [field: string, source: string])[]>();

/** Presents a row as a reply: the fields that its class declares, and no other; times in ISO 8601. */
export function present<Shown extends object>(type: Type<Shown>, row: Source<Shown>): Shown {
  const given = row as Readonly<Record<string, unknown>>;
  const fields = sourcesOf(type).map(([field, source]) => {
    const value = given[source];
    return [field, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields) as Shown;
}

function sourcesOf(type: Type) {
  const known = sources.get(type);
  if (known) return known;
  const names = Reflect.getMetadata(FIELDS, type.prototype as object) as readonly `:${string}`[];
  const found = names.map((name) => {
    const field = name.slice(1);
    return [field, field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())] as const;
  });
  sources.set(type, found);
  return found;
}
