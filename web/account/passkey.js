// Signs in with a passkey (`#passkey`), and adds one (`#add-passkey`), where the browser can.

const TEXTS = {
  en: {
    refused: 'This passkey was not accepted. Try again, or sign in another way.',
    away: 'The service cannot be reached. Try again.',
    canceled: 'No passkey was chosen.',
    known: 'There is already a passkey for your account on this device.',
    failed: 'Passkeys cannot be used here.',
    busy: 'Too many attempts. Please wait a minute.',
  },
  de: {
    refused: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder auf anderem Weg.',
    away: 'Der Dienst ist nicht erreichbar. Versuchen Sie es noch einmal.',
    canceled: 'Es wurde kein Passkey ausgewählt.',
    known: 'Auf diesem Gerät gibt es schon einen Passkey für Ihr Konto.',
    failed: 'Passkeys können hier nicht verwendet werden.',
    busy: 'Zu viele Versuche. Bitte warten Sie eine Minute.',
  },
};
/** @type {Record<string, keyof typeof TEXTS.en>} */
const NAMES = {
  NotAllowedError: 'canceled',
  AbortError: 'canceled',
  InvalidStateError: 'known',
  TypeError: 'away',
};
const texts = document.documentElement.lang === 'de' ? TEXTS.de : TEXTS.en;

/** Why the service refuses something. */
class Refusal extends Error {}

/**
 * Pages may be below a path: their files are three levels down.
 * @param {string} path
 * @param {object} [body]
 * @param {string} [csrf]
 */
async function post(path, body, csrf) {
  const response = await fetch(new URL(`../../../${path}`, import.meta.url), {
    method: 'POST',
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...(csrf && { 'X-CSRF-Token': csrf }) },
    body: body && JSON.stringify(body),
  });
  if (response.ok) return response.status === 204 ? null : (await response.json()).data;
  throw new Refusal(response.status === 429 ? texts.busy : texts.refused);
}

/**
 * Runs on an event, one at a time, and shows what went wrong.
 * @param {HTMLElement} element
 * @param {string} event
 * @param {() => Promise<void>} work
 */
function on(element, event, work) {
  const mistake = /** @type {HTMLElement} */ (document.getElementById('passkey-mistake'));
  const button = /** @type {HTMLButtonElement} */ (
    element.closest('button') ?? element.querySelector('button')
  );
  element.hidden = false;
  element.addEventListener(event, (happened) => {
    happened.preventDefault();
    mistake.hidden = button.disabled = true;
    work().catch((/** @type {Error} */ error) => {
      mistake.textContent = error instanceof Refusal ? error.message : texts[NAMES[error.name] ?? 'failed'];
      mistake.hidden = button.disabled = false;
    });
  });
}

const signIn = document.getElementById('passkey');
const addition = /** @type {HTMLFormElement | null} */ (document.getElementById('add-passkey'));

if (typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  if (signIn)
    on(signIn, 'click', async () => {
      const options = await post('sign-in/passkey/options');
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials.get({ publicKey });
      location.assign((await post('sign-in/passkey', { credential, to: signIn.dataset.to })).to);
    });
  if (addition)
    on(addition, 'submit', async () => {
      const { csrf, name } = Object.fromEntries(new FormData(addition));
      const options = await post('account/passkeys/options', undefined, String(csrf));
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const credential = await navigator.credentials.create({ publicKey });
      await post('account/passkeys', { credential, name }, String(csrf));
      location.reload();
    });
}
