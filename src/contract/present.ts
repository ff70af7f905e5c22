import type { Type } from '@nestjs/common';

/** Where @nestjs/swagger lists the fields of a class with its decorators, those of its base class first, and describes each. */
const FIELDS = 'swagger/apiModelPropertiesArray';
const FIELD = 'swagger/apiModelProperties';

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

/** What a field is presented from: of a time, a `Date`; of an object or a list of these, what their class is presented from. */
type Given<Field> = string extends Field
  ? Field | Date
  : Field extends readonly (infer Item)[]
    ? readonly (Item extends object ? Item | Source<Item> : Item)[]
    : Field extends object
      ? Field | Source<Field>
      : Field;

/** The fields of a reply as code names them. */
type Source<Shown> = {
  readonly [Name in keyof Shown as Camel<Name>]: Shown[Name] extends string | null
    ? Given<NonNullable<Shown[Name]>> | Extract<Shown[Name], null>
    : Given<Shown[Name]>;
};

interface FieldOfReply {
  readonly name: string;
  readonly source: string;
  /** The class of a nested object or of those in a list. */
  readonly nested: Type<object> | undefined;
}

const known = new Map<Type, readonly FieldOfReply[]>();

/** Presents a row as a reply: the fields that its class declares, and no other; times in ISO 8601. */
export function present<Shown extends object>(type: Type<Shown>, row: Source<Shown>): Shown {
  const given = row as Readonly<Record<string, unknown>>;
  const fields = fieldsOf(type).map(({ name, source, nested }) => {
    // What is nested may have been presented already.
    const value = given[source in given ? source : name];
    return [
      name,
      nested ? presentNested(nested, value) : value instanceof Date ? value.toISOString() : value,
    ];
  });
  return Object.fromEntries(fields) as Shown;
}

function presentNested(type: Type<object>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => presentNested(type, item));
  return value === null || value === undefined ? value : present(type, value);
}

function fieldsOf(type: Type): readonly FieldOfReply[] {
  const found = known.get(type);
  if (found) return found;
  const prototype = type.prototype as object;
  const names = Reflect.getMetadata(FIELDS, prototype) as readonly `:${string}`[];
  const fields = names.map((field) => {
    const name = field.slice(1);
    const source = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return { name, source, nested: nestedIn(Reflect.getMetadata(FIELD, prototype, name)) };
  });
  known.set(type, fields);
  return fields;
}

/** A class is given by a function that is named `type`, see `NestedProperty`. */
function nestedIn({ type }: { readonly type?: unknown }): Type<object> | undefined {
  if (typeof type !== 'function' || type.name !== 'type') return undefined;
  return [(type as () => Type<object> | [Type<object>])()].flat()[0];
}
