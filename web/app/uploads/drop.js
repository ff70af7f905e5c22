import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.js';
import { route } from '../router.js';
import { nameOfOrganization } from '../session.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { UPLOADS } from '../texts/uploads.js';
import { say } from '../ui/toast.js';
import { destinationOf } from './destination.js';
import { addFiles } from './queue.js';

/** What can be media, by its type, which may be unknown; the service looks at the content. */
const MEDIA = /^$|^(audio|video)\/|^application\/(mp4|mxf|octet-stream|ogg|x-matroska)$/;
const SHOWN_NAMES = 3;
const REFUSED_MS = 15_000;

const kindOf = (/** @type {File} */ { type, size }) =>
  !MEDIA.test(type) ? 'notMedia' : size > 0 ? 'media' : 'empty';

/** Uploads what can be a recording, to where the list is filtered by, and says what cannot. @param {readonly File[]} files */
export function uploadFiles(files) {
  const only = (/** @type {string} */ kind) => files.filter((file) => kindOf(file) === kind);
  refuse(UPLOADS.notMedia, only('notMedia'));
  refuse(UPLOADS.empty, only('empty'));
  void addFiles(only('media'), destinationOf(route.value.query));
}

/** @param {import('../text.js').Text} text @param {readonly File[]} files */
function refuse(text, files) {
  if (files.length === 0) return;
  const names = files.slice(0, SHOWN_NAMES).map(({ name }) => name);
  if (files.length > SHOWN_NAMES) names.push('…');
  say({ text: t(text, { names: names.join(', ') }) }, REFUSED_MS);
}

const hasFiles = (/** @type {DragEvent} */ event) =>
  Boolean(event.dataTransfer?.types.includes('Files')) && !event.defaultPrevented;
const isFolder = (/** @type {DataTransferItem} */ item) => item.webkitGetAsEntry()?.isDirectory;
const fileOf = (/** @type {DataTransferItem} */ item) => item.getAsFile() ?? [];
const DRAGS = /** @type {const} */ (['dragover', 'dragleave', 'drop']);

/** Takes files that are dropped anywhere on the page, and shows where they would go. */
export function DropTarget() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDrag = (/** @type {DragEvent} */ event) => {
      const takes = hasFiles(event);
      const hasLeft = event.type === 'drop' || (event.type === 'dragleave' && event.relatedTarget === null);
      setOver(takes && !hasLeft);
      if (!takes || event.type === 'dragleave') return;
      event.preventDefault();
      if (event.type === 'dragover') return;
      const items = [...(event.dataTransfer?.items ?? [])];
      refuse(UPLOADS.folder, items.filter(isFolder).flatMap(fileOf));
      uploadFiles(items.filter((item) => !isFolder(item)).flatMap(fileOf));
    };
    for (const type of DRAGS) addEventListener(type, onDrag);
    return () => DRAGS.forEach((type) => removeEventListener(type, onDrag));
  }, []);
  if (!isOver) return null;
  const name = nameOfOrganization(destinationOf(route.value.query).organizationId) ?? t(COMMON.personal);
  return html`<div class="drop-target" role="status">
    <p><strong>${t(UPLOADS.drop)}</strong><br /><span dir="auto">${t(UPLOADS.dropTo, { name })}</span></p>
  </div>`;
}
