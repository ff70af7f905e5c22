// What `npm run client` generates for the Python client from the API document: types, error classes, and which requests can be repeated.
import { nameOf } from '../clients/typescript/dist/names.js';

const SIMPLE = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const LITERALS = { null: 'None', true: 'True', false: 'False' };
/** Keywords: fields with these names need another syntax. */
const RESERVED = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const KEY = '#/components/parameters/Idempotency-Key';
const SUCCESS = '#/components/schemas/Success';
const GENERATED = '# Generated from openapi.json by scripts/client-python.js.\n';
const HEAD = `${GENERATED}from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** The generated modules by name. `paths` of the document begin after `/api/v1`. */
export const pythonModules = (document) => ({
  'schema.py': types(document),
  'error_classes.py': errorClasses(document.components.schemas.ErrorCode.enum),
  'operations.py': operations(document.paths),
});

function types({ components: { schemas }, webhooks }) {
  const classes = [];
  const [literals, others] = [[], []];
  const add = (name, schema) => {
    if (schema.properties && schema.type === 'object') classes.push(typedDict(name, schema, classes));
    else
      (schema.enum ? literals : others).push(
        `${name}: TypeAlias = ${typeOf(schema, `${name}Value`, classes)}`,
      );
  };
  const { media: _, source_url: __, ...fields } = schemas.CreateRecordingRequest.properties;
  const all = { ...schemas, UploadFields: { type: 'object', properties: fields } };
  const events = Object.values(webhooks).map(({ post }) => {
    const { schema } = post.requestBody.content['application/json'];
    const name = `${post.operationId[0].toUpperCase()}${post.operationId.slice(1)}Event`;
    const cursor = { type: 'string', description: 'Of `events()`: continues after this one' };
    all[name] = { ...schema, properties: { ...schema.properties, cursor } };
    return `    ${name},\n`;
  });
  // Of all types; the union below tells them apart.
  delete all.Event;
  for (const [name, schema] of Object.entries(all)) add(name, schema);
  const event = `Event: TypeAlias = Union[\n${events.join('')}]`;
  return `${[HEAD, ...literals, ...classes, ...others, event].join('\n')}\n`;
}

/** The expression of a type. Objects within become classes of their own, with names that begin with `name`. */
function typeOf(schema, name, classes) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  const values = schema.enum ?? ('const' in schema ? [schema.const] : null);
  if (values) return `Literal[${values.map((one) => LITERALS[one] ?? JSON.stringify(one)).join(', ')}]`;
  const parts = schema.anyOf ?? schema.oneOf ?? (schema.allOf?.length === 1 ? schema.allOf : null);
  if (parts) return [...new Set(parts.map((one) => typeOf(one, name, classes)))].join(' | ');
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => {
        if (type === 'array') return `list[${typeOf(schema.items, name, classes)}]`;
        if (type !== 'object') return SIMPLE[type];
        if (typeof schema.additionalProperties === 'object' && !schema.properties)
          return `dict[str, ${typeOf(schema.additionalProperties, name, classes)}]`;
        if (!schema.properties) return 'dict[str, Any]';
        const own = `${name}${classes.some((one) => one.includes(`class ${name}(`)) ? 'Or' : ''}`;
        classes.push(typedDict(own, schema, classes));
        return own;
      })
      .join(' | ') || 'Any'
  );
}

function typedDict(name, { properties, required = [], description }, classes) {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = typeOf(schema, `${name}${field[0].toUpperCase()}${field.slice(1)}`, classes);
    return {
      field,
      type: required.includes(field) ? type : `NotRequired[${type}]`,
      about: schema.description,
    };
  });
  if (fields.some(({ field }) => RESERVED.has(field) || !/^[A-Za-z_]\w*$/.test(field))) {
    const quoted = fields.map(
      ({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`,
    );
    return `\n${name} = TypedDict("${name}", {\n${quoted.join('')}})`;
  }
  const lines = fields.map(
    ({ field, type, about }) => `    ${field}: ${type}\n${about ? `    ${JSON.stringify(about)}\n` : ''}`,
  );
  return `\nclass ${name}(TypedDict):\n${description ? `    ${JSON.stringify(description)}\n` : ''}${lines.join('') || '    pass\n'}`;
}

function errorClasses(codes) {
  const classes = codes.map(
    (code) => `class ${nameOf(code)}(ApiError):\n    """The error \`${code}\`."""\n\n`,
  );
  const names = codes.map((code) => `    ${JSON.stringify(code)}: ${nameOf(code)},\n`);
  return `${GENERATED}from .errors import ApiError

${classes.join('\n')}
CLASSES: dict[str, type[ApiError]] = {
${names.join('')}}
__all__ = [${codes.map((code) => JSON.stringify(nameOf(code))).join(', ')}]
`;
}

/** As patterns: `POST /recordings/[^/]+/upload`. */
function operations(paths) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      pattern: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}`,
    })),
  );
  const takingKeys = all.filter(({ parameters = [] }) => parameters.some(({ $ref }) => $ref === KEY));
  // Other replies say what else has ended, which the reply to a second request would not.
  const repeatable = all.filter(
    ({ pattern, responses }) =>
      pattern.startsWith('DELETE') &&
      responses[200]?.content?.['application/json']?.schema?.properties?.data?.$ref === SUCCESS,
  );
  const listed = (some) => some.map(({ pattern }) => `    r"${pattern}",\n`).join('');
  return `${GENERATED}TAKING_KEYS = (\n${listed(takingKeys)})\nREPEATABLE_DELETES = (\n${listed(repeatable)})\n`;
}
