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
    Object.fromEntries(
      parameters
        .filter((/** @type {Node} */ one) => one.in === place && isGiven(one))
        .map((/** @type {Node} */ one) => [one.name, valueOf(one, path)]),
    );
  const [ids, query, headers] = ['path', 'query', 'header'].map(given);
  const body = requestBody && bodyOf(requestBody);
  const reply = responses['200']?.content ?? {};
  const isStream = 'text/event-stream' in reply;
  const isList = reply['application/json']?.schema.properties?.pagination !== undefined;
  return {
    method,
    path,
    ids,
    query,
    headers,
    body,
    isStream,
    filled: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name])),
    isPublic: security.length === 0,
    iterates: isStream || isList,
    // What the clients have for it.
    name: isStream ? 'events' : isList ? 'list' : body?.type === TUS ? 'upload' : method,
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

/** What Swagger UI fills in, or a file. @param {Node} requestBody */
function bodyOf({ content, required = false }) {
  const [[type, { schema, example, examples }]] = /** @type {[string, Node][]} */ (Object.entries(content));
  const common = { type, required, file: type.startsWith('image/') ? 'logo.png' : 'meeting.mp4' };
  if (type !== 'application/json') return { ...common, value: typeof example === 'string' ? example : FILE };
  const [first] = Object.values(examples ?? {});
  return { ...common, value: first?.value ?? example ?? exampleOf(schema) };
}

/** @param {Node} schema @returns {unknown} */
function exampleOf({ example, properties = {} }) {
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]);
  return example ?? Object.fromEntries(fields);
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @param {Call} call @param {string} service */
function curl({ method, filled, query, headers, body, isPublic, isStream }, service) {
  const search = String(new URLSearchParams(query));
  const url = service + filled + (search && `?${search}`);
  const verb = { get: isStream ? '-N ' : '', head: '-I ' }[method] ?? `-X ${method.toUpperCase()} `;
  const lines = [
    `curl ${verb}${quoted(url)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $MRS_API_KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  if (body && (body.required || body.value !== FILE)) {
    lines.push(`-H ${quoted(`Content-Type: ${body.type}`)}`);
    if (body.value === FILE) lines.push(`--data-binary @${body.file}`);
    else if (typeof body.value === 'string') lines.push(`--data-binary ${quoted(body.value)}`);
    else lines.push(`-d ${quoted(JSON.stringify(body.value, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

/** Without what is undefined or empty. @param {Record<string, any>} fields */
const present = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value ?? {}).length > 0));

/** Of a body that is no JSON. @param {Call} call */
const contentType = ({ body }) => (typeof body?.value === 'string' ? body.type : undefined);

/** @param {unknown} value */
const inScript = (value) =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"(\w+)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (whole, text) => (/'|\\"/.test(text) ? whole : `'${text}'`));

/** @param {Call} call @param {string} service */
function typescript(call, service) {
  const { name, iterates, path, ids, query, headers: header, body, isPublic } = call;
  const options = present({ path: ids, query, header, body: body?.value, contentType: contentType(call) });
  const special = { events: '', upload: `'${FILE}', { title: 'Weekly sync' }` }[name];
  const usual = `'${path.slice(API.length)}', ${inScript(options)}`.replace(/, \{\}$/, '');
  const opened = `await openAsBlob('${body?.file}')`;
  const called = `api.${name}(${special ?? usual})`.replace(`'${FILE}'`, opened);
  const opens = called.includes(opened) ? "import { openAsBlob } from 'node:fs';\n" : '';
  const key = isPublic ? 'null' : 'process.env.MRS_API_KEY';
  return `${opens}import { MeetingRecordings } from 'meeting-recording-client';

const api = new MeetingRecordings({ baseUrl: '${service}', apiKey: ${key} });
${iterates ? `for await (const one of ${called}) console.log(one);` : `console.log(await ${called});`}`;
}

/** @type {Record<string, string>} */
const IN_PYTHON = { true: 'True', false: 'False', null: 'None' };

/** @param {unknown} value */
const inPython = (value) =>
  JSON.stringify(value, null, 4).replace(/\b(true|false|null)(?=,?$)/gm, (word) => IN_PYTHON[word]);

/** @param {Call} call @param {string} service */
function python(call, service) {
  const { name, iterates, filled, query: params, headers, body, isPublic } = call;
  const options = present({ params, headers, body: body?.value, content_type: contentType(call) });
  const special = { events: '', upload: `"${body?.file}", title="Weekly sync"` }[name];
  const named = Object.entries(options).map(([option, value]) => `${option}=${inPython(value)}`);
  const usual = [inPython(filled.slice(API.length)), ...named].join(', ');
  const read = `open("${body?.file}", "rb").read()`;
  const called = `client.${name}(${special ?? usual})`.replace(`"${FILE}"`, read);
  const key = isPublic ? 'None' : 'os.environ["MRS_API_KEY"]';
  return `${isPublic ? '' : 'import os\n\n'}from meeting_recording_client import Client

client = Client("${service}", ${key})
${iterates ? `for one in ${called}:\n    print(one)` : `print(${called})`}`;
}
