import { useRef, useState } from 'preact/hooks';
import { api, explain } from '../api.js';
import { useData } from '../data.js';
import { recordingIdOf, useEvents } from '../events.js';
import { html } from '../html.js';
import { me } from '../session.js';
import { formatTime, t } from '../text.js';
import { SHARE } from '../texts/insights.js';
import { ask, Dialog } from '../ui/dialog.js';
import { Copy, Loaded, reasonText } from '../ui/parts.js';
import { useFocusedForm } from './action-item.js';
import { ShareForm } from './share-form.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['ShareLink']} Link */

/** The share links of a recording: who has looked, expiry, password, permission. @param {{ recording: Schemas['RecordingDetail'], onClose: () => void }} props */
export function ShareDialog({ recording, onClose }) {
  const { id, title, capabilities, capabilityReasons } = recording;
  const links = useData((signal) => api.get('/recordings/{id}/share-links', { path: { id }, signal }), [id]);
  const [said, setSaid] = useState('');
  useEvents(['share_link.'], (event) => {
    if (recordingIdOf(event) === id) links.reload();
  });
  const create = async (
    /** @type {import('./share-form.js').Options} */ options,
    /** @type {Link['permission']} */ permission,
  ) => {
    const before = links.data?.length;
    await api.post('/recordings/{id}/share-link', { path: { id }, body: { permission, ...options } });
    const after = await api.get('/recordings/{id}/share-links', { path: { id } });
    links.set(after);
    setSaid(t(after.length === before ? SHARE.existed : SHARE.created));
  };
  const status = useRef(/** @type {HTMLElement | null} */ (null));
  const onDone = (/** @type {string} */ text) => {
    setSaid(text);
    links.reload();
    // What had the focus may be gone.
    status.current?.focus();
  };
  const mayShare = capabilities.canShare;
  return html`<${Dialog} title=${t(SHARE.title)} onClose=${onClose} wide>
    <p class="hint" dir="auto">${title}</p>
    <p role="status" tabindex="-1" ref=${status} class="share-said">${said}</p>
    <${Loaded} of=${links}>
      ${(/** @type {readonly Link[]} */ list) =>
        list.length === 0
          ? html`<p>${t(SHARE.none)}</p>`
          : html`<ul class="share-links" aria-label=${t(SHARE.links)}>
              ${list.map((link) => html`<${ShareLink} key=${link.id} id=${id} link=${link} mayShare=${mayShare} onDone=${onDone} />`)}
            </ul>`}
    <//>
    <h3 class="share-new">${t(SHARE.new)}</h3>
    ${mayShare ? html`<${ShareForm} onSubmit=${create} />` : html`<p class="hint">${reasonText(capabilityReasons.canShare)}</p>`}
  <//>`;
}

/** @param {{ id: string, link: Link, mayShare: boolean, onDone: (said: string) => void }} props */
function ShareLink({ id, link, mayShare, onDone }) {
  const { label, permission, expires_at: end, last_viewed_at: viewed, share_url: url } = link;
  const [isEditing, setEditing] = useState(false);
  const [problem, setProblem] = useState('');
  const [row, button] = useFocusedForm(isEditing);
  const path = { id, linkId: link.id };
  const isOver = end !== null && Date.parse(end) <= Date.now();
  const name = label ?? t(SHARE[permission]);
  const patch = (/** @type {Schemas['UpdateShareLinkRequest']} */ body) =>
    api.patch('/recordings/{id}/share-links/{linkId}', { path, body });
  const save = async (/** @type {import('./share-form.js').Options} */ options) => {
    if (Object.keys(options).length > 0) await patch(options);
    onDone(t(SHARE.saved));
    setEditing(false);
  };
  /** Toasts would be behind the dialog. @param {() => Promise<unknown>} action @param {import('../text.js').Text} text */
  const act = async (action, text) => {
    try {
      await action();
      onDone(t(text));
    } catch (error) {
      setProblem(explain(error));
    }
  };
  const revoke = async () => {
    const title = t(SHARE.revokeTitle, { name });
    if (await ask({ title, text: t(SHARE.revokeText), action: t(SHARE.revoke), isDanger: true }))
      await act(() => api.delete('/recordings/{id}/share-links/{linkId}', { path }), SHARE.revoked);
  };
  const facts = [
    label && t(SHARE[permission]),
    end ? t(isOver ? SHARE.over : SHARE.until, { time: formatTime(end) }) : t(SHARE.forever),
    link.has_password && t(SHARE.hasPassword),
    viewed ? t(SHARE.views, { n: link.view_count, time: formatTime(viewed) }) : t(SHARE.unseen),
  ].filter(Boolean);
  return html`<li ref=${row}>
    <p><strong dir="auto">${name}</strong></p>
    <p class="insight-facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
    ${!isOver && html`<p class="share-url"><code>${url}</code> <${Copy} text=${url} label=${t(SHARE.copy)} /></p>`}
    ${problem && html`<p class="mistake" role="alert">${problem}</p>`}
    ${
      isEditing
        ? html`<${ShareForm} link=${link} onCancel=${() => setEditing(false)} onSubmit=${save} />`
        : html`<p class="insight-actions">
            ${mayShare && !isOver && html`<button type="button" class="button" ref=${button} aria-label=${t(SHARE.changeName, { name })} onClick=${() => setEditing(true)}>${t(SHARE.change)}</button>`}
            ${mayShare && !isOver && link.created_by !== me.value?.id && html`<button type="button" class="button" title=${t(SHARE.takeOverHint)} onClick=${() => act(() => patch({ take_over: true }), SHARE.taken)}>${t(SHARE.takeOver)}</button>`}
            <button
              type="button"
              class="button danger"
              aria-label=${t(SHARE.revokeName, { name })}
              onClick=${revoke}
            >
              ${t(SHARE.revoke)}
            </button>
          </p>`
    }
  </li>`;
}
