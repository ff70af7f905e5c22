// What a newer API document takes away from programs that were written for an older one.

const LEAST = ['minimum', 'minLength', 'minItems'];
const MOST = ['maximum', 'maxLength', 'maxItems'];

/** Returns one line for each break, which begins with the operation or the schema. Parameters of paths may be renamed. */
export function breaksBetween(older, newer) {
  const breaks = new Set();
  const compared = new Set();
  const report = (where, what) => breaks.add(`${where}: ${what}`);
  each(operationsOf(older), operationsOf(newer), compareOperations);
  each(older.webhooks ?? {}, newer.webhooks ?? {}, (type, was, is) =>
    compareContents(type, was.post.requestBody, is.post.requestBody, 'sent'),
  );
  return [...breaks];

  /** Calls `visit` for what both have, and reports the rest, as members of `where` if it is given. */
  function each(was, is, visit, where) {
    for (const [name, one] of Object.entries(was)) {
      if (is[name]) visit(name, one, is[name]);
      else report(where ?? name, where ? `no longer has ${name}` : 'has been removed');
    }
  }

  function compareOperations(name, was, is) {
    if (was.security?.length === 0 && is.security?.length !== 0) report(name, 'now needs an API key');
    const [given, taken] = [parametersOf(was, older), parametersOf(is, newer)];
    each(given, taken, (key, a, b) => compare(`${name} ${key}`, a.schema, b.schema, 'taken'), name);
    for (const [key, { required }] of Object.entries(taken))
      if (required && !given[key]?.required) report(name, `now requires ${key}`);
    if (is.requestBody?.required && !was.requestBody?.required) report(name, 'now requires a body');
    compareContents(`${name} body`, was.requestBody, is.requestBody, 'taken');
    const replies = Object.entries(was.responses).filter(([status]) => status.startsWith('2'));
    const compareReplies = (status, a, b) => compareContents(`${name} ${status}`, a, b, 'sent');
    each(Object.fromEntries(replies), is.responses, compareReplies, name);
  }

  function compareContents(where, was, is, way) {
    const compareMedia = (_type, a, b) => compare(where, a.schema, b.schema, way);
    each(was?.content ?? {}, is?.content ?? {}, compareMedia, where);
  }

  /** `taken` by the service: all that was must still be. `sent` by it: nothing may be that was not before. */
  function compare(where, was, is, way) {
    const place = is.$ref?.split('/').at(-1) ?? where;
    const pair = `${was.$ref ?? where} ${is.$ref ?? where} ${way}`;
    if (compared.has(pair)) return;
    compared.add(pair);
    const [choices, others] = [choicesIn(was, older), choicesIn(is, newer)];
    if (choices && others) return each(choices, others, (name, a, b) => compare(name, a, b, way), place);
    const [before, after] = [typesOf(was, older), typesOf(is, newer)];
    if (before.size === 0 || after.size === 0) return;
    for (const [type, one] of before) {
      const other = ofType(after, type);
      if (other) compareOfType(place, one, other, way);
      else if (way === 'taken') report(place, `no longer accepts ${type}`);
    }
    for (const type of after.keys())
      if (way === 'sent' && !ofType(before, type)) report(place, `can now be ${type}`);
  }

  function compareOfType(where, was, is, way) {
    if (was.items && is.items) compare(`${where}[]`, was.items, is.items, way);
    const [required, stillRequired] = [was.required ?? [], is.required ?? []];
    each(was.properties ?? {}, is.properties ?? {}, (n, a, b) => compare(`${where}.${n}`, a, b, way), where);
    if (way === 'sent') {
      for (const name of required)
        if (is.properties?.[name] && !stillRequired.includes(name)) report(where, `may now lack ${name}`);
      return;
    }
    for (const name of stillRequired) if (!required.includes(name)) report(where, `now requires ${name}`);
    if (is.enum && !was.enum) report(where, `now accepts only ${is.enum.join(', ')}`);
    for (const value of is.enum ? (was.enum ?? []) : [])
      if (!is.enum.includes(value)) report(where, `no longer accepts ${value}`);
    for (const name of LEAST)
      if (is[name] > (was[name] ?? -Infinity)) report(where, `${name} is now ${is[name]}`);
    for (const name of MOST)
      if (is[name] < (was[name] ?? Infinity)) report(where, `${name} is now ${is[name]}`);
  }
}

/** The schema of a JSON type; an integer is a number. */
const ofType = (types, type) => types.get(type) ?? (type === 'integer' ? types.get('number') : undefined);

const operationsOf = ({ paths }) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [nameOf(method, path), operation]),
    ),
  );
const nameOf = (method, path) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;

function parametersOf({ parameters = [] }, document) {
  const all = parameters.map((parameter) => follow(parameter, document)).filter((one) => one.in !== 'path');
  return Object.fromEntries(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
}

/** What a reference to a component refers to; anything else itself. */
function follow({ $ref, ...node }, { components }) {
  const [, , kind, name] = $ref?.split('/') ?? [];
  return name ? components[kind][name] : node;
}

/** Alternatives that have names, such as the data of each type of event, of which there may be more. */
function choicesIn(schema, document) {
  const named = (follow(schema, document).anyOf ?? []).filter(({ $ref }) => $ref);
  return named.length > 1 ? Object.fromEntries(named.map((one) => [one.$ref.split('/').at(-1), one])) : null;
}

/** What a schema permits, by JSON type; empty: anything. Alternatives of one type are taken as one with what each has. */
function typesOf(schema, document) {
  // A reference that has a description stands alone in an `allOf`.
  const { allOf = [], anyOf = allOf, ...own } = follow(schema, document);
  const types = new Map([own.type ?? []].flat().map((type) => [type, own]));
  for (const [type, one] of anyOf.flatMap((choice) => [...typesOf(choice, document)])) {
    const { properties, required = [] } = types.get(type) ?? one;
    const stays = required.filter((name) => one.required?.includes(name));
    types.set(type, { ...one, properties: { ...properties, ...one.properties }, required: stays });
  }
  return types;
}
