import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** What the mistakes below are about. */
export interface DocumentedApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DocumentedSchema>> };
}
interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in?: string }[];
  readonly requestBody?: unknown;
}
interface DocumentedField {
  readonly $ref?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly type?: unknown;
  readonly allOf?: unknown;
  readonly anyOf?: unknown;
  readonly items?: { readonly $ref?: string };
}
interface DocumentedSchema extends DocumentedField {
  readonly properties?: Readonly<Record<string, DocumentedField>>;
}
export type Controller = abstract new (...dependencies: never[]) => object;

const FIELDS =
  'a decorator of src/platform/openapi/field.decorator.ts in a reply, of src/platform/http/fields in a request';

type Named = readonly [name: string, operation: DocumentedOperation];

const operationsIn = ({ paths }: DocumentedApi): Named[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Named => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

/**
 * All that is wrong with the decorators of these controllers, from which the document was generated: where, and what to
 * do.
 */
export function mistakesIn(document: DocumentedApi, controllers: readonly Controller[]): string[] {
  const operations = operationsIn(document);
  const byId = new Map(operations.map(([, operation]) => [operation.operationId ?? '', operation]));
  return [
    ...repeatedIds(operations),
    ...operations
      .filter(([, { summary }]) => summary === undefined)
      .map(
        ([name, { operationId = '' }]) =>
          `${methodsNamed(operationId, controllers)}, ${name}: has no @Endpoint (src/contract/endpoint.decorator.ts)`,
      ),
    ...undescribedTags(document),
    ...misnamedParameters(document),
    ...emptySchemas(document, operations),
    ...undescribedFields(document),
    ...controllers.flatMap((controller) => untypedInputs(controller, byId)),
  ];
}

function repeatedIds(operations: readonly Named[]): string[] {
  const names = new Map<string | undefined, string[]>();
  for (const [name, { operationId: id }] of operations) names.set(id, [...(names.get(id) ?? []), name]);
  return [...names]
    .filter(([, same]) => same.length > 1)
    .map(
      ([id, same]) =>
        `${same.join(' and ')} are both methods of the name ${id}, which generated clients call them by: rename one of them`,
    );
}

const methodsNamed = (name: string, controllers: readonly Controller[]): string =>
  controllers
    .filter(({ prototype }) => Object.hasOwn(prototype as object, name))
    .map((controller) => `${controller.name}.${name}`)
    .join(' or ');

/** Classes none of whose fields has a decorator. */
function emptySchemas({ components }: DocumentedApi, operations: readonly Named[]): string[] {
  return Object.entries(components.schemas)
    .filter(([, { type, properties = {} }]) => type === 'object' && Object.keys(properties).length === 0)
    .map(([name]) => {
      const user = operations.find(([, operation]) =>
        JSON.stringify(operation).includes(`/schemas/${name}"`),
      );
      return `${name}${user ? ` of ${user[0]}` : ''} is a class without documented fields: give each field ${FIELDS}`;
    });
}

/** Parameters `@Body()` and `@Query()` whose class the compiler left out, or whose fields have no decorators. */
function untypedInputs(
  controller: Controller,
  operations: ReadonlyMap<string, DocumentedOperation>,
): string[] {
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype)
    .filter((method) => operations.has(method))
    .flatMap((method) => {
      const inputs: Readonly<Record<string, { index: number; data?: unknown }>> =
        Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
      const types: readonly (Controller | undefined)[] =
        Reflect.getMetadata('design:paramtypes', prototype, method) ?? [];
      return Object.entries(inputs).flatMap(([kind, { index, data }]) => {
        const decorator = INPUTS[Number(kind.split(':')[0])];
        const type = types[index];
        if (!decorator || data !== undefined || hasFields(type)) return [];
        // Documented with @ApiBody, for instance of any keys.
        if (decorator === '@Body()' && SCHEMA.test(JSON.stringify(operations.get(method)?.requestBody)))
          return [];
        const place = `${controller.name}.${method}: the class of ${decorator}`;
        return type === undefined || type.name === 'Object'
          ? [`${place} is unknown when the service runs: import it without \`type\`, and use no interface`]
          : [`${place}, ${type.name}, has no documented fields: give each field ${FIELDS}`];
      });
    });
}

const SCHEMA = /"(\$ref|properties|additionalProperties)"/;

const INPUTS: Readonly<Record<number, string>> = {
  [RouteParamtypes.BODY]: '@Body()',
  [RouteParamtypes.QUERY]: '@Query()',
};

const hasFields = (type: Controller | undefined): boolean =>
  type !== undefined && Reflect.hasMetadata('swagger/apiModelPropertiesArray', type.prototype as object);

const referredTo = ({ schemas }: DocumentedApi['components'], field: DocumentedField): DocumentedField =>
  schemas[field.$ref?.split('/').at(-1) ?? ''] ?? field;

/** Fields without a description, and those without an example that are not objects themselves. */
export function undescribedFields({ components }: DocumentedApi): string[] {
  const fields = Object.entries(components.schemas).flatMap(([schema, { properties = {} }]) =>
    Object.entries(properties).map(
      ([property, field]) => [`${schema}.${property}`, referredTo(components, field)] as const,
    ),
  );
  const silent = fields.filter(([, { description }]) => !description);
  const bare = fields.filter(
    ([, field]) => field.example === undefined && !field.allOf && !field.anyOf && !field.items?.$ref,
  );
  return [
    ...silent.map(([name]) => `${name} has no description: give it ${FIELDS}`),
    ...bare.map(([name]) => `${name} has no example: give it ${FIELDS}`),
  ];
}

/** Tags of operations that the document does not describe. */
export function undescribedTags(document: DocumentedApi): string[] {
  const described = new Set(document.tags.map(({ name }) => name));
  return operationsIn(document).flatMap(([operation, { tags = [] }]) =>
    tags
      .filter((tag) => !described.has(tag))
      .map(
        (tag) =>
          `${operation} has the tag "${tag}", which TAGS of src/contract/api-document.ts does not: take one of them with ApiTags of src/contract/api-tags.decorator.ts, or add it there`,
      ),
  );
}

/**
 * Parameters of the path that are documented by another name than they have in it, and those that are not documented.
 */
export function misnamedParameters(document: DocumentedApi): string[] {
  return operationsIn(document).flatMap(([operation, { parameters = [] }]) => {
    const inPath = [...operation.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
    const documented = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const unknown = documented.filter((name) => !inPath.includes(name));
    const missing = inPath.filter((name) => !documented.includes(name));
    return [
      ...unknown.map(
        (name) =>
          `${operation} documents the parameter "${name}", which is not in its path: @IdParam(of, name) takes the name that the route has`,
      ),
      ...missing.map(
        (name) => `${operation} does not document {${name}}: take it with @IdParam(of, '${name}')`,
      ),
    ];
  });
}
