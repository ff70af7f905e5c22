import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { GLOSSARY } from '../texts/settings.js';
import { ask } from '../ui/dialog.js';
import { Field, Form } from '../ui/form.js';
import { Loaded } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { Head } from './list.js';
import { formatGlossary, parseGlossary } from './notation.js';
import { isManager } from './rights.js';

const PATH = '/organizations/{id}/glossary';

/** @param {import('./people.js').Context & { title: string }} props */
export function Glossary({ id, role, title }) {
  const path = { id };
  const read = async () => formatGlossary((await api.get(PATH, { path })).terms);
  const loaded = useData(read, [id]);
  const save = async (/** @type {Record<string, string>} */ { terms = '' }) => {
    const texts = { title: t(GLOSSARY.changed), text: t(GLOSSARY.changedText), action: t(GLOSSARY.replace) };
    if ((await read()) !== loaded.data && !(await ask(texts))) return;
    const saved = await api.put(PATH, { path, body: { terms: parseGlossary(terms) } });
    loaded.set(formatGlossary(saved.terms));
    say({ text: t(LIST.saved) });
  };
  const shown = (/** @type {string} */ value) => {
    const attributes = { name: 'terms', value, rows: 16, dir: 'auto', spellcheck: false };
    const readonly = !isManager(role);
    const hint = t(readonly ? GLOSSARY.readOnly : GLOSSARY.hint);
    const field = html`<${Field}
      label=${t(GLOSSARY.terms)}
      hint=${hint}
      readonly=${readonly}
      ...${attributes}
    />`;
    return readonly ? field : html`<${Form} action=${t(COMMON.save)} onSubmit=${save}>${field}<//>`;
  };
  return html`<section>
    <${Head} isPage title=${title} about=${GLOSSARY.about} />
    <${Loaded} of=${loaded}>${shown}<//>
  </section>`;
}
