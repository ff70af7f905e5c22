import { useRef, useState } from 'preact/hooks';
import { PreconditionFailedError } from 'meeting-recording-client';
import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON, FRAME } from '../texts/common.js';
import { SUMMARY } from '../texts/insights.js';
import { ask } from '../ui/dialog.js';
import { Field, Form, useFocusedForm } from '../ui/form.js';
import { Loaded } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { linesOf, outlineOf, readLines, readOutline } from './summary-lines.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['Summary']} Summary */

/** How each part is typed. @param {Summary} summary */
const typedOf = ({ content, decisions, actionItems, topics }) => ({
  // As a text area has it.
  content: (content ?? '').replaceAll(/\r\n?/g, '\n'),
  decisions: linesOf(decisions),
  actionItems: linesOf(actionItems),
  topics: outlineOf(topics),
});

const FIELDS = /** @type {const} */ ([
  ['content', SUMMARY.content, SUMMARY.contentHint, 10],
  ['decisions', SUMMARY.decisions, SUMMARY.linesHint, 6],
  ['actionItems', FRAME.actionItems, SUMMARY.linesHint, 6],
  ['topics', SUMMARY.topics, SUMMARY.topicsHint, 12],
]);

/** @typedef {{ id: string, onEnd: (hasChanged: boolean) => void }} Props */

/** The summary as text to edit, as it was when this was opened. @param {Props} props */
export function SummaryEditor({ id, onEnd }) {
  const summary = useData((signal) => api.get('/recordings/{id}/summary', { path: { id }, signal }), [id]);
  return html`<${Loaded} of=${summary}>
    ${(/** @type {Summary} */ opened) => html`<${Editor} id=${id} opened=${opened} onEnd=${onEnd} />`}
  <//>`;
}

/** @param {Props & { opened: Summary }} props */
function Editor({ id, opened, onEnd }) {
  const shown = typedOf(opened);
  const latest = useRef(opened);
  const [isBehind, setBehind] = useState(false);
  const [root] = useFocusedForm(true);

  /** Parts that were not edited are those of the latest version. @param {Record<string, string>} values */
  const merged = (values) => {
    const { content, decisions, actionItems, topics } = latest.current;
    const typed = (/** @type {keyof typeof shown} */ name) =>
      values[name] === shown[name] ? null : (values[name] ?? '');
    const [lines, items, outline] = [typed('decisions'), typed('actionItems'), typed('topics')];
    return {
      content: typed('content') ?? content,
      decisions: lines === null ? decisions : readLines(lines, decisions),
      actionItems: items === null ? actionItems : readLines(items, actionItems),
      topics: outline === null ? topics : readOutline(outline, topics),
    };
  };
  const save = async (/** @type {Record<string, string>} */ values) => {
    const { revision } = latest.current;
    try {
      await api.put('/recordings/{id}/summary', { path: { id }, body: merged(values), revision });
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error;
      latest.current = await api.get('/recordings/{id}/summary', { path: { id } });
      setBehind(true);
      return;
    }
    say({ text: t(SUMMARY.saved) });
    onEnd(true);
  };
  const leave = async () => {
    const areas = [...(root.current?.querySelectorAll('textarea') ?? [])];
    const question = { title: t(SUMMARY.discardTitle), action: t(SUMMARY.discard), isDanger: true };
    if (areas.every((area) => area.value === area.defaultValue) || (await ask(question))) onEnd(false);
  };
  return html`<div ref=${root}>
    <${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${leave}>
      ${FIELDS.map(([name, label, hint, rows]) => html`<${Field} name=${name} label=${t(label)} hint=${t(hint)} rows=${rows} value=${shown[name]} dir="auto" />`)}
      <div role="alert">${isBehind && html`<p class="mistake">${t(SUMMARY.behind)}</p>`}</div>
    <//>
  </div>`;
}
