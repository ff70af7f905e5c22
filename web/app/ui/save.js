/** By then, the browser has long begun to save the file. */
const KEPT_MS = 60_000;

/** Has the browser save what is at a URL. @param {string} url @param {string} name empty: as the service calls it */
export function download(url, name) {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Has the browser save a text as a file. @param {string} text @param {string} name */
export function save(text, name) {
  const url = URL.createObjectURL(new Blob([text]));
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
