import { useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { useData } from '../data.js';
import { recordingIdOf, useEvents } from '../events.js';
import { html } from '../html.js';
import { me } from '../session.js';
import { formatTime, t } from '../text.js';
import { SHARE } from '../texts/insights.js';
import { ask, Dialog } from '../ui/dialog.js';
import { useFocusedForm } from '../ui/form.js';
import { attempt, Copy, Loaded, reasonText } from '../ui/parts.js';
import { ShareForm } from './share-form.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Text } from '../text.js' */
/** @import { Options } from './share-form.js' */
/** @typedef {Schemas['ShareLink']} Link */

const PATH = '/recordings/{id}/share-links/{linkId}';

/** The share links of a recording: who has looked, expiry, password, permission. @param {{ recording: Schemas['RecordingDetail'], onClose: () => void }} props */
export function ShareDialog({ recording: { id, title, capabilities, capabilityReasons }, onClose }) {
  const links = useData((signal) => api.get('/recordings/{id}/share-links', { path: { id }, signal }), [id]);
  const [said, setSaid] = useState(/** @type {Text | null} */ (null));
  useEvents(['share_link.'], (event) => {
    if (recordingIdOf(event) === id) links.reload();
  });
  const create = async (/** @type {Options} */ options, /** @type {Link['permission']} */ permission) => {
    const before = links.data?.length;
    await api.post('/recordings/{id}/share-link', { path: { id }, body: { permission, ...options } });
    const after = await api.get('/recordings/{id}/share-links', { path: { id } });
    links.set(after);
    setSaid(after.length === before ? SHARE.existed : SHARE.created);
  };
  const status = useRef(/** @type {HTMLElement | null} */ (null));
  const onDone = (/** @type {Text} */ text) => {
    setSaid(text);
    links.reload();
    // What had the focus may be gone.
    status.current?.focus();
  };
  const mayShare = capabilities.canShare;
  return html`<${Dialog} title=${t(SHARE.title)} onClose=${onClose} wide>
    <p class="hint" dir="auto">${title}</p>
    <p role="status" tabindex="-1" ref=${status}>${said && t(said)}</p>
    <${Loaded} of=${links}>
      ${(/** @type {readonly Link[]} */ list) =>
        list.length === 0
          ? html`<p>${t(SHARE.none)}</p>`
          : html`<ul class="entries" aria-label=${t(SHARE.links)}>
              ${list.map((link) => html`<${ShareLink} key=${link.id} ...${{ id, link, mayShare, onDone }} />`)}
            </ul>`}
    <//>
    <h3>${t(SHARE.new)}</h3>
    ${mayShare ? html`<${ShareForm} onSubmit=${create} />` : html`<p class="hint">${reasonText(capabilityReasons.canShare)}</p>`}
  <//>`;
}

/** @param {{ id: string, link: Link, mayShare: boolean, onDone: (said: Text) => void }} props */
function ShareLink({ id, link, mayShare, onDone }) {
  const { label, permission, expires_at: end, last_viewed_at: viewed, share_url: url } = link;
  const [isEditing, setEditing] = useState(false);
  const [row, button] = useFocusedForm(isEditing);
  const path = { id, linkId: link.id };
  const isOver = end !== null && Date.parse(end) <= Date.now();
  const mayChange = mayShare && !isOver;
  const name = label ?? t(SHARE[permission]);
  const save = async (/** @type {Options} */ body) => {
    if (Object.keys(body).length > 0) await api.patch(PATH, { path, body });
    onDone(SHARE.saved);
    setEditing(false);
  };
  const takeOver = () =>
    attempt(async () => {
      await api.patch(PATH, { path, body: { take_over: true } });
      onDone(SHARE.taken);
    });
  const revoke = async () => {
    const question = {
      title: t(SHARE.revokeTitle, { name }),
      text: t(SHARE.revokeText),
      action: t(SHARE.revoke),
    };
    if (!(await ask({ ...question, isDanger: true }))) return;
    await attempt(async () => {
      await api.delete(PATH, { path });
      onDone(SHARE.revoked);
    });
  };
  const facts = [
    label && t(SHARE[permission]),
    end ? t(isOver ? SHARE.over : SHARE.until, { time: formatTime(end) }) : t(SHARE.forever),
    link.tracks && t(SHARE.hasTracks),
    link.has_password && t(SHARE.hasPassword),
    viewed ? t(SHARE.views, { n: link.view_count, time: formatTime(viewed) }) : t(SHARE.unseen),
  ];
  const change = html`<button
    class="button"
    ref=${button}
    aria-label=${t(SHARE.changeName, { name })}
    onClick=${() => setEditing(true)}
  >
    ${t(SHARE.change)}
  </button>`;
  const take = html`<button class="button" title=${t(SHARE.takeOverHint)} onClick=${takeOver}>
    ${t(SHARE.takeOver)}
  </button>`;
  const actions = html`<p class="buttons">
    ${mayChange && change} ${mayChange && link.created_by !== me.value?.id && take}
    <button class="button danger" aria-label=${t(SHARE.revokeName, { name })} onClick=${revoke}>
      ${t(SHARE.revoke)}
    </button>
  </p>`;
  return html`<li ref=${row}>
    <strong dir="auto">${name}</strong>
    <p class="facts">${facts.map((fact) => fact && html`<span>${fact}</span>`)}</p>
    ${!isOver && html`<p class="buttons"><code>${url}</code> <${Copy} text=${url} label=${t(SHARE.copy)} /></p>`}
    ${isEditing ? html`<${ShareForm} link=${link} onCancel=${() => setEditing(false)} onSubmit=${save} />` : actions}
  </li>`;
}
