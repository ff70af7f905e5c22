// The account page: copies keys, and leaves once the session has ended anywhere.

/** Pages may be below a path: their files are three levels down. @param {string} path */
const at = (path) => new URL(`../../../${path}`, import.meta.url).href;

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('[data-copies]');
for (const button of buttons) {
  const { copies = '', copied = '', notCopied = '' } = button.dataset;
  const text = /** @type {HTMLElement} */ (document.getElementById(copies));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      button.textContent = copied;
    } catch {
      // The clipboard is unavailable on plain HTTP, or not permitted.
      getSelection()?.selectAllChildren(text);
      button.textContent = document.execCommand('copy') ? copied : notCopied;
    }
  };
  button.addEventListener('click', () => void copy());
}

const events = new EventSource(at('api/v1/events/stream'));
events.addEventListener('end', () => {
  events.close();
  location.assign(at('sign-in?to=/account'));
});
// Otherwise the page would be kept with an open stream, one of the few that a user may have.
addEventListener('pagehide', () => events.close());
