// Code for each operation, from the examples of the API document.

/** @typedef {any} Node A part of the document, without references. */
/** @typedef {readonly [language: string, code: string]} Sample */

const API = '/api/v1';
const TUS = 'application/offset+octet-stream';
const FILE = '@file';

/**
 * Samples in the languages in which there is something to call. `service`: URL of the service, without a slash at its end.
 * @param {string} method @param {string} path @param {Node} operation @param {string} service @returns {Sample[]}
 */
export function samplesOf(method, path, operation, service) {
  const call = callOf(method, path, operation);
  const [command] = operation['x-codeSamples'] ?? [];
  /** @type {Sample[]} */
  const samples = [['curl', curl(call, service)]];
  if (path.startsWith(API) && !['head', 'options'].includes(method))
    samples.push(['TypeScript', typescript(call, service)], ['Python', python(call, service)]);
  if (command) samples.push([command.label, command.source]);
  return samples;
}

/** @param {string} method @param {string} path @param {Node} operation */
function callOf(method, path, { parameters = [], requestBody, responses, security = [] }) {
  /** @param {Node} parameter Optional headers say how much a `POST` begins to upload. */
  const isGiven = ({ required, in: place, schema }) =>
    required || (place === 'header' && method === 'post' && schema.example);
  /** @param {string} place */
  const given = (place) =>
    parameters
      .filter((/** @type {Node} */ one) => one.in === place && isGiven(one))
      .map((/** @type {Node} */ one) => [one.name, valueOf(one, path)]);
  const reply = responses['200']?.content ?? {};
  return {
    method,
    path,
    ids: Object.fromEntries(given('path')),
    query: Object.fromEntries(given('query')),
    headers: Object.fromEntries(given('header')),
    body: requestBody && bodyOf(requestBody),
    isPublic: security.length === 0,
    isStream: 'text/event-stream' in reply,
    isList: reply['application/json']?.schema.properties?.pagination !== undefined,
  };
}
/** @typedef {ReturnType<typeof callOf>} Call */

/** The example, or a name to replace: the `id` in `/recordings/{id}` is `RECORDING_ID`. @param {Node} parameter @param {string} path */
function valueOf({ name, schema, in: place }, path) {
  if (schema.example !== undefined) return schema.example;
  if (schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.enum) return schema.enum[0];
  const [, parent = ''] = /([\w-]+)\/\{id\}/.exec(path) ?? [];
  const full = place === 'path' && name === 'id' ? `${parent.replace(/s$/, '')}_id` : name;
  return full.replace(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase();
}

/** What Swagger UI fills in. @param {Node} requestBody */
function bodyOf({ content, required = false }) {
  const [[type, { schema, example, examples }]] = /** @type {[string, Node][]} */ (Object.entries(content));
  const [first] = Object.values(examples ?? {});
  if (type === 'application/json')
    return { type, required, value: first?.value ?? example ?? exampleOf(schema) };
  return { type, required, value: typeof example === 'string' ? example : FILE };
}

/** @param {Node} schema @returns {unknown} */
function exampleOf({ example, properties = {} }) {
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]);
  return example ?? Object.fromEntries(fields);
}

/** @param {string} type */
const fileFor = (type) => (type.startsWith('image/') ? 'logo.png' : 'meeting.mp4');

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @param {Call} call */
const filled = ({ path, ids }) => path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name]));

/** @param {Call} call @param {string} service */
function curl(call, service) {
  const { method, query, headers, body, isPublic, isStream } = call;
  const search = String(new URLSearchParams(query));
  const url = service + filled(call) + (search && `?${search}`);
  const verb = { get: isStream ? '-N ' : '', head: '-I ' }[method] ?? `-X ${method.toUpperCase()} `;
  const lines = [
    `curl ${verb}${quoted(url)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $MRS_API_KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  if (body && (body.required || body.value !== FILE)) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    if (body.value === FILE) lines.push(`--data-binary @${fileFor(body.type)}`);
    else if (typeof body.value === 'string') lines.push(`--data-binary ${quoted(body.value)}`);
    else lines.push(`-d ${quoted(JSON.stringify(body.value, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

/** What the clients have for it, which iterates over the results or returns one. @param {Call} call */
function clientMethod({ method, body, isStream, isList }) {
  if (isStream) return { name: 'events', iterates: true };
  if (isList) return { name: 'list', iterates: true };
  return { name: body?.type === TUS ? 'upload' : method, iterates: false };
}

/** Without what is undefined or empty. @param {Record<string, any>} fields */
const present = (fields) =>
  Object.entries(fields).filter(([, value]) => value !== undefined && Object.keys(value).length > 0);

/** Of a body that is no JSON. @param {Call} call */
const contentType = ({ body }) => (typeof body?.value === 'string' ? body.type : undefined);

/** @param {unknown} value */
const inScript = (value) =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"(\w+)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (whole, text) => (/'|\\"/.test(text) ? whole : `'${text}'`));

/** @param {Call} call @param {string} service */
function typescript(call, service) {
  const { path, ids, query, headers, body, isPublic } = call;
  const { name, iterates } = clientMethod(call);
  const options = present({
    path: ids,
    query,
    header: headers,
    body: body?.value,
    contentType: contentType(call),
  });
  const usual = [
    `'${path.slice(API.length)}'`,
    ...(options.length > 0 ? [inScript(Object.fromEntries(options))] : []),
  ];
  const inputs = { events: [], upload: [`'${FILE}'`, "{ title: 'Weekly sync' }"] }[name] ?? usual;
  const called = `api.${name}(${inputs.join(', ')})`.replace(
    `'${FILE}'`,
    `await openAsBlob('${fileFor(body?.type ?? '')}')`,
  );
  return [
    ...(called.includes('openAsBlob') ? ["import { openAsBlob } from 'node:fs';"] : []),
    `import { MeetingRecordings } from 'meeting-recording-client';

const api = new MeetingRecordings({ baseUrl: '${service}', apiKey: ${isPublic ? 'null' : 'process.env.MRS_API_KEY'} });`,
    iterates ? `for await (const one of ${called}) console.log(one);` : `console.log(await ${called});`,
  ].join('\n');
}

const IN_PYTHON = { true: 'True', false: 'False', null: 'None' };

/** @param {unknown} value */
const inPython = (value) =>
  JSON.stringify(value, null, 4).replace(
    /\b(true|false|null)(?=,?$)/gm,
    (word) => IN_PYTHON[/** @type {keyof typeof IN_PYTHON} */ (word)],
  );

/** @param {Call} call @param {string} service */
function python(call, service) {
  const { query, headers, body, isPublic } = call;
  const { name, iterates } = clientMethod(call);
  const options = present({ params: query, headers, body: body?.value, content_type: contentType(call) });
  const usual = [
    inPython(filled(call).slice(API.length)),
    ...options.map(([option, value]) => `${option}=${inPython(value)}`),
  ];
  const inputs = { events: [], upload: ['"meeting.mp4"', 'title="Weekly sync"'] }[name] ?? usual;
  const called = `client.${name}(${inputs.join(', ')})`.replace(
    `"${FILE}"`,
    `open("${fileFor(body?.type ?? '')}", "rb").read()`,
  );
  return [
    ...(isPublic ? [] : ['import os', '']),
    `from meeting_recording_client import Client

client = Client("${service}", ${isPublic ? 'None' : 'os.environ["MRS_API_KEY"]'})`,
    iterates ? `for one in ${called}:\n    print(one)` : `print(${called})`,
  ].join('\n');
}
