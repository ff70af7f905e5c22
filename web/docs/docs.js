// Starts Swagger UI, with plugins for what it lacks.
import { readDocument, resolve } from './document.js';
import { filterOperations } from './filter.js';
import { checkedKey, restoreKey } from './key.js';
import { inOrder } from './order.js';
import { codeSamples } from './samples-panel.js';

/** @typedef {any} System What Swagger UI passes to its plugins: actions, selectors, React. */

/** From as many characters on, the tags that the filter leaves are unfolded; the first one always is. */
const UNFOLDED_FROM = 3;

const root = document.getElementById('swagger-ui');
/** URL of the service, with a slash at its end. */
const service = new URL(root?.dataset.service ?? '', location.href);
/** @type {any} The API document. */
let api;

const fastReading = () => {
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson: (/** @type {unknown} */ _, /** @type {System} */ { specActions }) => {
            return (/** @type {string} */ text) => {
              api = readDocument(text);
              specActions.updateJsonSpec(api);
            };
          },
          requestResolvedSubtree: (/** @type {unknown} */ _, /** @type {System} */ { specActions }) => {
            // Not at once: it is asked for while the page is rendered.
            return async (/** @type {string[]} */ path) =>
              specActions.updateResolvedSubtree(path, await resolve(api, path));
          },
        },
      },
    },
  };
};

/** The filter is `true` or null as long as nothing was entered. @param {unknown} filter */
const textOf = (filter) => (typeof filter === 'string' ? filter : '');

const operationFilter = () => ({
  fn: { opsFilter: filterOperations },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (/** @type {Function} */ original) => {
          /** @param {System} state @param {string[]} thing @param {boolean} [preset] */
          return (state, thing, preset) => {
            const isFound = textOf(state.get('filter')).length >= UNFOLDED_FROM;
            const isFirst = thing[1] === api?.tags[0].name;
            return original(thing, thing[0] === 'operations-tag' ? isFound || isFirst : preset);
          };
        },
      },
    },
  },
  wrapComponents: {
    FilterContainer: (/** @type {unknown} */ _, /** @type {System} */ { React }) => {
      return (/** @type {System} */ { layoutActions, layoutSelectors }) =>
        React.createElement('input', {
          className: 'operation-filter',
          type: 'search',
          placeholder: 'Filter operations',
          'aria-label': 'Filter operations',
          value: textOf(layoutSelectors.currentFilter()),
          onChange: (/** @type {any} */ { target }) => layoutActions.updateFilter(target.value),
        });
    },
    operations: (/** @type {unknown} */ Original, /** @type {System} */ { React, fn }) =>
      function Operations(/** @type {System} */ props) {
        const text = textOf(props.layoutSelectors.currentFilter());
        const isEmpty = fn.opsFilter(props.specSelectors.taggedOperations(), text).size === 0;
        return isEmpty
          ? React.createElement(
              'p',
              { className: 'no-operation', role: 'status' },
              `No operation matches "${text}".`,
            )
          : React.createElement(Original, props);
      },
  },
});

const FILE = /^(application\/octet-stream|multipart\/form-data|application\/vnd\.)/;

/** Swagger UI does not send a request whose required body is missing, and says nothing. */
const missingBody = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        validationErrors: (/** @type {Function} */ original, /** @type {System} */ { oas3Selectors }) => {
          /** @param {System} _ @param {string[]} operation */
          return (_, operation) => {
            const errors = original(operation);
            const fields = oas3Selectors.requestBodyValue(...operation);
            const isMissing =
              oas3Selectors.requestBodyErrors(...operation)?.size > 0 ||
              fields?.some?.((/** @type {System} */ field) => field?.get?.('errors')?.size > 0);
            if (!isMissing) return errors;
            const isFile = FILE.test(oas3Selectors.requestContentType(...operation));
            return [...errors, isFile ? 'Choose a file.' : 'The request body is missing.'];
          };
        },
      },
    },
  },
});

/** Swagger UI shows a reply once it has ended, and a stream does not end. */
const followedStreams = () => ({
  wrapComponents: {
    execute: (/** @type {unknown} */ Original, /** @type {System} */ { React }) =>
      function Execute(/** @type {System} */ props) {
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
});

const KEY = /** @type {const} */ (['Idempotency-Key', 'header']);

/** Fills in an `Idempotency-Key`, a new one once it was sent. What a user enters stays, to repeat a request. */
const idempotencyKeys = () => {
  const unsent = new Set();
  /** @param {System} props @param {Function} isReplaced Whether this value is. */
  const fillIn = ({ operation, path, method, specActions, specSelectors }, isReplaced) => {
    const isTaken = operation
      .get('parameters')
      ?.some((/** @type {System} */ one) => one.get('name') === KEY[0]);
    if (!isTaken || !isReplaced(specSelectors.parameterWithMeta([path, method], ...KEY).get('value'))) return;
    // Not `randomUUID`, which pages without HTTPS lack.
    const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
    unsent.add(key);
    specActions.changeParam([path, method], ...KEY, key);
  };
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          execute: (/** @type {Function} */ original, /** @type {System} */ system) => {
            return (/** @type {System} */ request) => {
              const sending = original(request);
              fillIn({ ...system, ...request }, (/** @type {string} */ sent) => unsent.delete(sent));
              return sending;
            };
          },
        },
      },
    },
    wrapComponents: {
      execute: (/** @type {unknown} */ Original, /** @type {System} */ { React }) =>
        function Execute(/** @type {System} */ props) {
          const fillInEmpty = () => fillIn(props, (/** @type {string} */ value) => !value);
          React.useEffect(fillInEmpty, [props.operation.size > 0]);
          return React.createElement(Original, props);
        },
    },
  };
};

const productVersion = () => ({
  wrapComponents: {
    VersionStamp:
      (/** @type {unknown} */ Original, /** @type {System} */ { React }) =>
      () =>
        React.createElement(Original, { version: root?.dataset.version }),
  },
});

/** What the service sends to webhooks is rendered once it is unfolded. */
const foldedWebhooks = () => ({
  wrapComponents: {
    Webhooks: (/** @type {unknown} */ Original, /** @type {System} */ { React }) =>
      function Webhooks(/** @type {object} */ props) {
        const [isOpen, setOpen] = React.useState(false);
        return React.createElement(
          'details',
          { className: 'sent', onToggle: (/** @type {any} */ { target }) => setOpen(target.open) },
          React.createElement('summary', null, 'Events that the service sends to webhooks'),
          isOpen && React.createElement(Original, props),
        );
      },
  },
});

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
    productVersion,
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
