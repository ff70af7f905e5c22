// The key of "Authorize": the service says whose it is, and it outlasts a reload of this tab.

const SCHEME = 'bearer';
/** In the storage of the tab, which ends with it. All scripts that could read it there are the service's own. */
const STORED = 'docs-api-key';
/** Where Swagger UI keeps what the service said of the key. */
const SAID = 'keyHolder';
const ON_THIS_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/**
 * What the service says of a key, and whether requests use it. One that `isWrong` is forgotten.
 * @param {URL} service @param {string} key
 */
async function check(service, key) {
  if (!/^[!-~]+$/.test(key))
    return { said: 'An API key has no spaces, accents or line breaks, and is not empty.', isWrong: true };
  try {
    const headers = { Authorization: `Bearer ${key}` };
    const reply = await fetch(new URL('api/v1/me', service), { headers, credentials: 'omit' });
    const { data, error } = await reply.json();
    if (reply.ok) return { said: holderOf(data), isUsed: true };
    if (reply.status === 403) return { said: 'A key without the scope profile:read', isUsed: true };
    return { said: `${error.message} (${error.code})`, isWrong: reply.status === 401 };
  } catch (error) {
    return { said: `The service did not answer: ${/** @type {Error} */ (error).message}` };
  }
}

/** @param {any} me */
const holderOf = ({ name, plan, api_key: { scopes } }) =>
  `${name}, plan ${plan}, ${scopes ? `scopes: ${scopes.join(', ')}` : 'all scopes'}`;

/** @param {any} system @param {string} value */
const authorize = ({ authActions }, value) =>
  authActions.authorize({ [SCHEME]: { name: SCHEME, value, schema: { type: 'http', scheme: SCHEME } } });

/** Authorizes again with the key from before a reload. @param {any} system */
export function restoreKey(system) {
  const key = sessionStorage.getItem(STORED);
  if (key !== null) authorize(system, key);
}

/** @param {URL} url @param {RequestInit} [options] @returns {Promise<any>} */
const readData = async (url, options) => (await (await fetch(url, options)).json()).data;

/** @param {URL} service @returns {import('./docs.js').Plugin} */
export const checkedKey = (service) => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (original, { configsActions }) =>
          async (given) => {
            const value = (given[SCHEME]?.value ?? '').trim();
            const { said, isUsed, isWrong } = await check(service, value);
            if (isUsed) sessionStorage.setItem(STORED, value);
            if (isWrong) sessionStorage.removeItem(STORED);
            configsActions.update(SAID, said);
            if (isUsed) original({ [SCHEME]: { ...given[SCHEME], value } });
          },
        logout:
          (original, { configsActions }) =>
          (schemes) => {
            sessionStorage.removeItem(STORED);
            configsActions.update(SAID, '');
            original(schemes);
          },
      },
    },
  },
  wrapComponents: {
    HttpAuth: (Original, { React, configsSelectors }) =>
      function HttpAuth(props) {
        const said = React.createElement('p', { key: SAID }, configsSelectors.get(SAID));
        return [React.createElement(Original, { key: 'own', ...props }), said];
      },
    authorizeBtn: (Original, system) =>
      function AuthorizeButton(props) {
        const { React, configsSelectors } = system;
        const [isOffered, setOffered] = React.useState(false);
        const demo = new URL('docs/demo-key', service);
        React.useEffect(() => {
          if (ON_THIS_HOST) void readData(demo).then(({ offered }) => setOffered(offered));
        }, []);
        const onClick = async () => authorize(system, (await readData(demo, { method: 'POST' })).key);
        const button = { key: 'demo', className: 'btn demo-key', type: 'button', onClick };
        return [
          React.createElement(
            'p',
            { key: SAID, className: 'key-holder', role: 'status' },
            configsSelectors.get(SAID),
          ),
          isOffered && !props.isAuthorized && React.createElement('button', button, "Use the demo's key"),
          React.createElement(Original, { key: 'own', ...props }),
        ];
      },
  },
});
