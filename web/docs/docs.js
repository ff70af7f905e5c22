// Starts Swagger UI, with plugins for what it lacks.
import { readDocument, resolve } from './document.js';
import { filterOperations } from './filter.js';
import { checkedKey, restoreKey } from './key.js';
import { inOrder } from './order.js';
import { codeSamples } from './samples-panel.js';

/**
 * A plugin of Swagger UI. Each replacement gets the original and the system: actions, selectors, React.
 * @typedef {(...args: any[]) => (...args: any[]) => unknown} Replacement
 * @typedef {object} Plugin
 * @property {Record<string, Function>} [fn]
 * @property {Record<string, Record<string, Record<string, Replacement>>>} [statePlugins]
 * @property {Record<string, Replacement>} [wrapComponents]
 */

/** From as many characters on, the tags that the filter leaves are unfolded; the first one always is. */
const UNFOLDED_FROM = 3;

const root = document.getElementById('swagger-ui');
/** URL of the service, with a slash at its end. */
const service = new URL(root?.dataset.service ?? '', location.href);
/** @type {any} The API document. */
let api;

/** @type {Plugin} */
const fastReading = {
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          (text) => {
            api = readDocument(text);
            // That of the product, not of the API.
            api.info.version = root?.dataset.version;
            specActions.updateJsonSpec(api);
          },
        requestResolvedSubtree:
          (_, { specActions }) =>
          // Not at once: it is asked for while the page is rendered.
          async (path) =>
            specActions.updateResolvedSubtree(path, await resolve(api, path)),
      },
    },
  },
};

/** The filter is `true` or null as long as nothing was entered. @param {unknown} filter */
const textOf = (filter) => (typeof filter === 'string' ? filter : '');

/** @type {Plugin} */
const operationFilter = {
  fn: { opsFilter: filterOperations },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (original) => (state, thing, preset) => {
          const isFound = textOf(state.get('filter')).length >= UNFOLDED_FROM;
          const isFirst = thing[1] === api?.tags[0].name;
          return original(thing, thing[0] === 'operations-tag' ? isFound || isFirst : preset);
        },
      },
    },
  },
  wrapComponents: {
    FilterContainer:
      (_, { React }) =>
      ({ layoutActions, layoutSelectors }) =>
        React.createElement('input', {
          className: 'operation-filter',
          type: 'search',
          placeholder: 'Filter operations',
          'aria-label': 'Filter operations',
          value: textOf(layoutSelectors.currentFilter()),
          onChange: (/** @type {any} */ { target }) => layoutActions.updateFilter(target.value),
        }),
    operations: (Original, { React, fn }) =>
      function Operations(props) {
        const text = textOf(props.layoutSelectors.currentFilter());
        if (fn.opsFilter(props.specSelectors.taggedOperations(), text).size > 0)
          return React.createElement(Original, props);
        const said = `No operation matches "${text}".`;
        return React.createElement('p', { className: 'no-operation', role: 'status' }, said);
      },
  },
};

const FILE = /^(application\/octet-stream|multipart\/form-data|application\/vnd\.)/;

/** Swagger UI does not send a request whose required body is missing, and says nothing. @type {Plugin} */
const missingBody = {
  statePlugins: {
    spec: {
      wrapSelectors: {
        validationErrors:
          (original, { oas3Selectors }) =>
          (_, operation) => {
            const errors = original(operation);
            const fields = oas3Selectors.requestBodyValue(...operation);
            const isMissing =
              oas3Selectors.requestBodyErrors(...operation)?.size > 0 ||
              fields?.some?.((/** @type {any} */ field) => field?.get?.('errors')?.size > 0);
            if (!isMissing) return errors;
            const isFile = FILE.test(oas3Selectors.requestContentType(...operation));
            return [...errors, isFile ? 'Choose a file.' : 'The request body is missing.'];
          },
      },
    },
  },
};

/** Swagger UI shows a reply once it has ended, and a stream does not end. @type {Plugin} */
const followedStreams = {
  wrapComponents: {
    execute: (Original, { React }) =>
      function Execute(props) {
        const { operation, path } = props;
        if (!operation.getIn(['responses', '200', 'content', 'text/event-stream']))
          return React.createElement(Original, props);
        const { href } = new URL(path.slice(1), service);
        const command = `curl -N -H "Authorization: Bearer <API_KEY>" ${href}`;
        return React.createElement(
          'p',
          { className: 'stream' },
          'This stream never ends, so it cannot be shown here. Follow it in a terminal: ',
          React.createElement('code', null, command),
        );
      },
  },
};

const KEY = /** @type {const} */ (['Idempotency-Key', 'header']);
/** The keys that have been filled in and not been sent. */
const unsent = new Set();

/** @param {any} props @param {(key: string) => boolean} isReplaced Whether this key is. */
function fillInKey({ operation, path, method, specActions, specSelectors }, isReplaced) {
  const isTaken = operation.get('parameters')?.some((/** @type {any} */ one) => one.get('name') === KEY[0]);
  if (!isTaken || !isReplaced(specSelectors.parameterWithMeta([path, method], ...KEY).get('value'))) return;
  // Not `randomUUID`, which pages without HTTPS lack.
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  unsent.add(key);
  specActions.changeParam([path, method], ...KEY, key);
}

/**
 * Fills in an `Idempotency-Key`, a new one once it was sent. What a user enters stays, to repeat a request.
 * @type {Plugin}
 */
const idempotencyKeys = {
  statePlugins: {
    spec: {
      wrapActions: {
        execute: (original, system) => (request) => {
          const sending = original(request);
          fillInKey({ ...system, ...request }, (sent) => unsent.delete(sent));
          return sending;
        },
      },
    },
  },
  wrapComponents: {
    execute: (Original, { React }) =>
      function Execute(props) {
        React.useEffect(() => fillInKey(props, (key) => !key), [props.operation.size > 0]);
        return React.createElement(Original, props);
      },
  },
};

/** What the service sends to webhooks is rendered once it is unfolded. @type {Plugin} */
const foldedWebhooks = {
  wrapComponents: {
    Webhooks: (Original, { React }) =>
      function Webhooks(props) {
        const [isOpen, setOpen] = React.useState(false);
        return React.createElement(
          'details',
          { className: 'sent', onToggle: (/** @type {any} */ { target }) => setOpen(target.open) },
          React.createElement('summary', null, 'Events that the service sends to webhooks'),
          isOpen && React.createElement(Original, props),
        );
      },
  },
};

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A session takes the place of an API key here; requests that change something need its token. @param {any} request */
async function inSession(request) {
  if (request.loadSpec || request.headers.Authorization || SAFE.has(request.method)) return request;
  // It redirects people who have signed in. Others would be refused below, which browsers report as an error.
  const { type } = await fetch(new URL('sign-in', service), { method: 'HEAD', redirect: 'manual' });
  if (type !== 'opaqueredirect') return request;
  const me = await (await fetch(new URL('api/v1/me', service))).json();
  request.headers['X-CSRF-Token'] = me.data.session.csrf_token;
  return request;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColors);
applyColors();

const { SwaggerUIBundle } = /** @type {any} */ (globalThis);
const ui = SwaggerUIBundle({
  domNode: root,
  url: root?.dataset.document,
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [
    fastReading,
    operationFilter,
    missingBody,
    followedStreams,
    foldedWebhooks,
    idempotencyKeys,
    checkedKey(service),
    codeSamples((path, method) => resolve(api, ['paths', path, method]), service),
  ],
  requestInterceptor: inSession,
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  operationsSorter: inOrder,
  onComplete: () => restoreKey(ui),
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});
