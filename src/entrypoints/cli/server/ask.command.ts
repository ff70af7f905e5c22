import { LIMITS } from '../../../contract/limits.js';
import { singleLine } from '../../../lib/text.js';
import { clockTime } from '../../../platform/clock/clock-time.js';
import { momentUrl } from '../../../modules/mcp/server/share-urls.js';
import { text } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { onServer } from './client.js';
import { findSharePage } from './share-page.js';

interface Citation {
  readonly start: number;
  readonly speaker: string;
  readonly quote: string;
  readonly recordingId: string;
  /** Null if the question was about one recording only. */
  readonly title: string | null;
}

/** `ask QUESTION`: about one recording, or all. Where a recording has an open share link, citations lead to their moments. */
export async function ask(given: string, options: Output & { recording?: string }): Promise<void> {
  const question = text('question', given, LIMITS.question);
  const { recording: id } = options;
  await onServer(async ({ api, signal }) => {
    const call = { body: { question }, signal };
    const { answer, mode, citations } = id
      ? await api.post('/recordings/{id}/questions', { ...call, path: { id } })
      : await api.post('/questions', call);
    const cited = citations.map((one): Citation => ({ recordingId: id ?? '', title: null, ...one }));
    const ids = [...new Set(cited.map(({ recordingId }) => recordingId))];
    const pages = new Map(
      await Promise.all(ids.map(async (one) => [one, await findSharePage(api, one, signal)] as const)),
    );
    const linked = cited.map((one) => ({
      ...one,
      url: momentUrl(pages.get(one.recordingId), one.start),
    }));
    const lines = linked.map((one, index) => citationText(one, index + 1));
    print(options, { mode, answer, citations: linked }, [paragraphs(answer), ...lines].join('\n\n'));
    if (cited.length === 0) notice('Nothing that was said answers this.');
  });
}

const paragraphs = (answer: string): string => answer.split('\n').map(singleLine).join('\n');

function citationText(
  { title, recordingId, start, speaker, quote, url }: Citation & { readonly url: string | null },
  number: number,
): string {
  const where = `[${number}] ${singleLine(title ?? recordingId)}, ${clockTime(start)}`;
  const said = `${speaker ? `${singleLine(speaker)}: ` : ''}${singleLine(quote)}`;
  return [where, `    ${said}`, ...(url ? [`    ${singleLine(url)}`] : [])].join('\n');
}
