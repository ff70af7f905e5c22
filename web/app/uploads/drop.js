import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { route } from '../router.js';
import { nameOfOrganization } from '../session.js';
import { language, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { UPLOADS } from '../texts/uploads.js';
import { say } from '../ui/toast.js';
import { destinationOf } from './destination.js';
import { addFiles } from './queue.js';

/** What is certainly no media; of all else, the service looks at the content. */
const NO_MEDIA =
  /^(text|image|font|model|message)\/|^application\/(pdf|zip|gzip|json|xml|rtf|msword|javascript|x-(7z|rar|tar|zip|subrip|msdownload)|vnd\.(ms-|openxml|oasis))/;
const NO_MEDIA_NAME = /\.(vtt|srt|sub|ass|txt|md|csv|pdf|docx?|pptx?|xlsx?|zip|rar|7z|exe|dmg|m3u8?)$/i;
const SHOWN_NAMES = 3;
const REFUSED_MS = 15_000;

const isNoMedia = (/** @type {File} */ { type, name }) => NO_MEDIA.test(type) || NO_MEDIA_NAME.test(name);

/** Uploads what can be a recording, to where the list is filtered by, and says what cannot. @param {readonly File[]} files @param {readonly File[]} [folders] */
export function uploadFiles(files, folders = []) {
  const media = files.filter((file) => !isNoMedia(file));
  refuse(UPLOADS.folder, folders);
  refuse(UPLOADS.notMedia, files.filter(isNoMedia));
  refuse(
    UPLOADS.empty,
    media.filter(({ size }) => size === 0),
  );
  const accepted = media.filter(({ size }) => size > 0);
  if (accepted.length > 0) void addFiles(accepted, destinationOf(route.value.query));
}

/** @param {import('../text.js').Text} text @param {readonly File[]} files */
function refuse(text, files) {
  if (files.length === 0) return;
  const names = files
    .slice(0, SHOWN_NAMES)
    .map(({ name }) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
  if (files.length > SHOWN_NAMES) names.push(`+ ${files.length - SHOWN_NAMES}`);
  say(
    { text: t(text, { names: new Intl.ListFormat(language, { type: 'unit' }).format(names) }) },
    REFUSED_MS,
  );
}

const hasFiles = (/** @type {DragEvent} */ event) =>
  event.dataTransfer?.types.includes('Files') && !event.defaultPrevented;
const isFolder = (/** @type {DataTransferItem} */ item) => item.webkitGetAsEntry()?.isDirectory;
const filesOf = (/** @type {DataTransferItem[]} */ items) => items.flatMap((item) => item.getAsFile() ?? []);

/** Takes files that are dropped anywhere on the page, and shows where they would go. */
export function DropTarget() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const on = (
      /** @type {'dragover' | 'dragleave' | 'drop'} */ type,
      /** @type {(event: DragEvent) => void} */ listener,
    ) => addEventListener(type, listener, { signal: leaving.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    on('drop', (event) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
      uploadFiles(filesOf(items.filter((item) => !isFolder(item))), filesOf(items.filter(isFolder)));
    });
    return () => leaving.abort();
  }, []);
  if (!isOver) return null;
  const name = nameOfOrganization(destinationOf(route.value.query).organizationId) ?? t(COMMON.personal);
  return html`<div class="drop-target" role="status">
    <p>${t(UPLOADS.drop)}<br /><span dir="auto">${t(UPLOADS.dropTo, { name })}</span></p>
  </div>`;
}
