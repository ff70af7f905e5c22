import { createConfig, lintFromString } from '@redocly/openapi-core';

const FIELDS =
  'give each field a decorator of src/platform/openapi/field.decorator.ts in a reply, of src/platform/http/fields in a request';

/** The rules of a document that is generated from decorators, with what to do where one is broken. */
const RULES = {
  'operation-summary': 'give its method @Endpoint (src/contract/endpoint.decorator.ts)',
  'operation-operationId-unique': 'rename one of the methods, which generated clients call by their names',
  'operation-tag-defined':
    'take a tag of src/contract/api-document.ts with ApiTags of src/contract/api-tags.decorator.ts, or add it there',
  'path-parameters-defined': 'take it with @IdParam(of, name), under the name that the route has',
  'service/fields': FIELDS,
};

/** Each class has fields, each field a description and, unless it is an object itself, an example. */
const fields = () => ({
  NamedSchemas(schemas, { report, location }) {
    for (const [name, { type, properties = {} }] of Object.entries(schemas)) {
      const check = (isRight, message, ...place) =>
        isRight || report({ message, location: location.child([name, ...place]) });
      check(type !== 'object' || Object.keys(properties).length > 0, 'There are no documented fields.');
      for (const [property, own] of Object.entries(properties)) {
        const field = schemas[own.$ref?.split('/').at(-1)] ?? own;
        const isObject = field.allOf || field.anyOf || field.items?.$ref;
        check(field.description, 'The field has no description.', 'properties', property);
        check(isObject || field.example !== undefined, 'The field has no example.', 'properties', property);
      }
    }
  },
});

/** What breaks these rules: where, why, and what to do. */
export async function problemsIn(document) {
  const config = await createConfig({
    plugins: [{ id: 'service', rules: { oas3: { fields } } }],
    rules: Object.fromEntries(Object.keys(RULES).map((rule) => [rule, 'error'])),
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(
    ({ ruleId, message, location }) =>
      `${location[0].pointer.replaceAll('~1', '/')}: ${message} To do: ${RULES[ruleId]}.`,
  );
}
