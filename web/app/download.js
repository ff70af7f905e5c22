/** By then, the browser has long begun to save the file. */
const KEPT_MS = 60_000;
const MAX_NAME = 100;

/** Lets the browser save what is at a URL. @param {string} url @param {string} [name] without, it is called what the service calls it */
export function download(url, name = '') {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Lets the browser save data as a file. @param {BlobPart} data @param {string} title may be anything @param {string} extension */
export function saveAs(data, title, extension) {
  const safe = title.replace(/[\p{C}\p{Z}<>:"/\\|?*]+/gu, ' ').trim();
  const url = URL.createObjectURL(new Blob([data]));
  download(url, `${[...safe].slice(0, MAX_NAME).join('')}.${extension}`);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
