// What `npm run client` generates for the Python client from the API document: types, error classes, and which requests can be repeated.
import { nameOf } from '../clients/typescript/dist/names.js';

const SIMPLE = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const LITERALS = { null: 'None', true: 'True', false: 'False' };
/** Keywords that are names of fields, or likely to be. */
const KEYWORD = /^(as|class|continue|except|finally|from|global|import|in|is|not|or|pass|return|with|yield)$/;
const CURSOR = { type: 'string', description: 'Continues after this event' };
const KEY = '#/components/parameters/Idempotency-Key';
const SUCCESS = '#/components/schemas/Success';
const GENERATED = '# Generated from openapi.json by scripts/client-python.js.\n';
const HEAD = `${GENERATED}from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

`;
const quoted = JSON.stringify;
const capitalized = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
const lines = (values, line) => values.map((value) => `    ${line(value)}\n`).join('');

const about = (text) => (text ? `\n    ${quoted(text)}` : '');
const listed = (some) => `(\n${lines(some, ({ pattern }) => `r"${pattern}",`)})\n`;

/** The generated modules by name. `paths` of the document begin after `/api/v1`. */
export const pythonModules = ({ components: { schemas }, webhooks, paths }) => ({
  'schema.py': types(schemas, Object.values(webhooks)),
  'error_classes.py': errorClasses(schemas.ErrorCode.enum),
  'operations.py': operations(paths),
});

function types(schemas, webhooks) {
  const { media: _, source_url: __, ...fields } = schemas.CreateRecordingRequest.properties;
  const all = { ...schemas, UploadFields: { type: 'object', properties: fields } };
  const events = webhooks.map(({ post: { operationId, requestBody } }) => {
    const { schema } = requestBody.content['application/json'];
    const properties = { ...schema.properties, cursor: CURSOR };
    const name = `${capitalized(operationId)}Event`;
    all[name] = schema;
    all[`Streamed${name}`] = { ...schema, properties, required: [...schema.required, 'cursor'] };
    return name;
  });
  // That of all types is the union of these.
  delete all.Event;
  // An alias is evaluated at once, so what it names comes before it.
  const [literals, classes, aliases] = [[], new Map(), []];
  for (const [name, schema] of Object.entries(all)) {
    if (schema.properties && schema.type === 'object') addClass(classes, name, schema);
    else
      (schema.enum ? literals : aliases).push(
        `${name}: TypeAlias = ${typeOf(schema, `${name}Value`, classes)}`,
      );
  }
  for (const kind of ['', 'Streamed']) {
    const names = events.map((name) => `${kind}${name}`);
    aliases.push(`${kind}Event: TypeAlias = Union[${names.join(', ')}]`);
  }
  return `${HEAD}${[...literals, ...classes.values(), ...aliases].join('\n')}\n`;
}

/** The expression of a type. Objects within become classes of their own, by this name. */
function typeOf(schema, name, classes) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null);
  if (values) return `Literal[${values.map((one) => LITERALS[one] ?? quoted(one)).join(', ')}]`;
  const parts = schema.anyOf ?? schema.allOf ?? [];
  const union = parts.map((one) => typeOf(one, name, classes));
  for (const type of [schema.type ?? []].flat()) {
    if (type === 'array') union.push(`list[${typeOf(schema.items, name, classes)}]`);
    else if (type !== 'object') union.push(SIMPLE[type]);
    else if (schema.properties) union.push(addClass(classes, name, schema));
    else union.push(`dict[str, ${typeOf(Object(schema.additionalProperties), name, classes)}]`);
  }
  return [...new Set(union)].join(' | ') || 'Any';
}

/** Returns the name of the class, which is another if there is one by this name. */
function addClass(classes, name, { properties, required = [], description }) {
  if (classes.has(name)) return addClass(classes, `${name}Or`, { properties, required, description });
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = typeOf(schema, `${name}${capitalized(field)}`, classes);
    return [field, required.includes(field) ? type : `NotRequired[${type}]`, schema.description];
  });
  const body = lines(fields, ([field, type, text]) => `${field}: ${type}${about(text)}`) || '    pass\n';
  const byName = lines(fields, ([field, type]) => `${quoted(field)}: ${quoted(type)},`);
  const isClass = !fields.some(([field]) => KEYWORD.test(field));
  const inClass = `\nclass ${name}(TypedDict):${about(description)}\n${body}`;
  classes.set(name, isClass ? inClass : `\n${name} = TypedDict("${name}", {\n${byName}})\n`);
  return name;
}

function errorClasses(codes) {
  const classes = codes.map(
    (code) => `class ${nameOf(code)}(ApiError):\n    """The error \`${code}\`."""\n\n`,
  );
  const byCode = `CLASSES: dict[str, type[ApiError]] = {\n${lines(codes, (code) => `"${code}": ${nameOf(code)},`)}}\n`;
  const names = `__all__ = [\n${lines(codes, (code) => `"${nameOf(code)}",`)}]\n`;
  return `${GENERATED}from .errors import ApiError\n\n${classes.join('')}${byCode}${names}`;
}

/** As patterns: `POST /recordings/[^/]+/upload`. */
function operations(paths) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], responses }]) => ({
      pattern: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}`,
      takesKey: parameters.some(({ $ref }) => $ref === KEY),
      // Other replies say what else has ended, which the reply to a second request would not.
      isReport: responses[200]?.content?.['application/json']?.schema?.properties?.data?.$ref !== SUCCESS,
    })),
  );
  const deletes = all.filter(({ pattern, isReport }) => pattern.startsWith('DELETE') && !isReport);
  return `${GENERATED}TAKING_KEYS = ${listed(all.filter(({ takesKey }) => takesKey))}REPEATABLE_DELETES = ${listed(deletes)}`;
}
