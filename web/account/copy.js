// Copies keys and commands that are shown only once.

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('[data-copies]');
for (const button of buttons) {
  const { copies = '', copied = '', notCopied = '' } = button.dataset;
  const text = /** @type {HTMLElement} */ (document.getElementById(copies));
  const label = button.textContent;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      button.textContent = copied;
    } catch {
      // The clipboard is unavailable on plain HTTP, or not permitted.
      getSelection()?.selectAllChildren(text);
      button.textContent = document.execCommand('copy') ? copied : notCopied;
    }
    setTimeout(() => (button.textContent = label), 4000);
  };
  button.addEventListener('click', () => void copy());
}
