import { formatClock } from '../../share/scripts/moments.js';
import { usePages } from '../data.js';
import { html } from '../html.js';
import { at, setQuery } from '../router.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { FOUND } from '../texts/library.js';
import { Loading, More, Problem } from '../ui/parts.js';
import { Facts, Thumbnail, TitleLink } from './row.js';
import { partsOf } from './snippet.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Query } from './recordings.js' */

const PAGE = 20;

/** What was found for words, with the moments; until it is there, what was found before stays. @param {{ words: string, query: Query }} props */
export function SearchResults({ words, query }) {
  const options = { query: { ...query, q: words, limit: PAGE } };
  const found = usePages('/recordings/search', options, [words, JSON.stringify(query)]);
  const { items, total = items.length, isLoading, error, reload, reply } = found;
  /** @type {string | null | undefined} */
  const didYouMean = reply?.did_you_mean;
  if (items.length === 0 && error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (items.length === 0 && isLoading) return html`<${Loading} />`;
  return html`<div aria-busy=${isLoading}>
    <p role="status" class="hint">${total > 0 ? t(FOUND.count, { n: total }) : t(FOUND.nothing)}</p>
    ${
      didYouMean &&
      html`<p>
        ${`${t(FOUND.didYouMean)} `}
        <button class="link" onClick=${() => setQuery({ q: didYouMean })}>
          <bdi>${didYouMean}</bdi>
        </button>
      </p>`
    }
    <ul>
      ${items.map((result) => html`<${Result} key=${result.id} result=${result} />`)}
    </ul>
    <${More} of=${found} />
  </div>`;
}

/** @param {{ result: Schemas['SearchResult'] }} props */
function Result({ result }) {
  const title = result.matches.find(({ source }) => source === 'title');
  const others = result.matches.filter(({ source }) => source !== 'title');
  return html`<li class="found">
    <${Thumbnail} row=${result} />
    <div class="recording-text">
      <${TitleLink} row=${result}>${title ? html`<${Marked} snippet=${title.snippet} />` : result.title}<//>
      <${Facts} row=${result} />
      ${
        others.length > 0 &&
        html`<ul class="moments">
          ${others.map((match) => html`<${Moment} id=${result.id} match=${match} />`)}
        </ul>`
      }
    </div>
  </li>`;
}

/** @param {{ id: string, match: Schemas['SearchMatch'] }} props */
function Moment({ id, match: { source, start, speaker, snippet } }) {
  const hash = start === null ? '' : `#t=${start}`;
  return html`<li>
    <a href=${at(`/recordings/${id}`) + hash}>
      <span class="at"
        >${start === null ? t(source === 'notes' ? FOUND.notes : COMMON.summary) : formatClock(start)}</span
      >
      <span dir="auto">
        ${speaker && html`<b><bdi>${speaker}</bdi></b> `}<${Marked} snippet=${snippet} />
      </span>
    </a>
  </li>`;
}

/** @param {{ snippet: string }} props */
const Marked = ({ snippet }) =>
  partsOf(snippet).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
