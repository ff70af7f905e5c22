import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST, SECTIONS } from '../texts/manage.js';
import { GLOSSARY } from '../texts/settings.js';
import { ask } from '../ui/dialog.js';
import { Field, Form } from '../ui/form.js';
import { Loaded } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { Head } from './list.js';
import { formatGlossary, parseGlossary } from './notation.js';
import { isManager } from './rights.js';

/** @import { Context } from './people.js' */
/** @param {Context} props */
export function Glossary({ id, role }) {
  const path = { id };
  const read = async (/** @type {AbortSignal} */ signal) =>
    formatGlossary((await api.get('/organizations/{id}/glossary', { path, signal })).terms);
  const loaded = useData(read, [id]);
  useEvents(['organization.updated'], () => isManager(role) || loaded.reload());
  const save = async (/** @type {Record<string, string>} */ { terms = '' }) => {
    const isSame = (await read(new AbortController().signal)) === loaded.data;
    const question = {
      title: t(GLOSSARY.changed),
      text: t(GLOSSARY.changedText),
      action: t(GLOSSARY.replace),
    };
    if (!isSame && !(await ask(question))) return;
    const saved = await api.put('/organizations/{id}/glossary', {
      path,
      body: { terms: parseGlossary(terms) },
    });
    loaded.set(formatGlossary(saved.terms));
    say({ text: t(LIST.saved) });
  };
  const fieldOf = (/** @type {string} */ value) => {
    const hint = isManager(role) ? t(GLOSSARY.hint) : t(GLOSSARY.readOnly);
    const field = {
      name: 'terms',
      label: t(GLOSSARY.terms),
      hint,
      value,
      rows: 16,
      dir: 'auto',
      spellcheck: false,
    };
    if (!isManager(role)) return html`<${Field} ...${field} readonly />`;
    return html`<${Form} action=${t(COMMON.save)} onSubmit=${save}><${Field} ...${field} /><//>`;
  };
  return html`<section>
    <${Head} isPage title=${t(SECTIONS.glossary)} about=${GLOSSARY.about} />
    <${Loaded} of=${loaded}>${fieldOf}<//>
  </section>`;
}
