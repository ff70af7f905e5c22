import type { Schemas } from 'meeting-recording-client';
import { LIMITS } from '../../../contract/limits.js';
import { singleLine } from '../../../lib/text.js';
import { clockTime } from '../../../lib/clock-time.js';
import { momentUrl } from '../../../modules/mcp/server/share-urls.js';
import { text } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { onServer } from './client.js';
import { findSharePage } from './share.commands.js';

/** `ask QUESTION`: about one recording, or all. Where a recording has an open share link, citations lead to their moments. */
export async function ask(given: string, options: Output & { recording?: string }): Promise<void> {
  const question = text('question', given, LIMITS.question);
  const { recording: id } = options;
  await onServer(async ({ api, signal }) => {
    const call = { body: { question }, signal };
    const reply = id
      ? await api.post('/recordings/{id}/questions', { ...call, path: { id } })
      : await api.post('/questions', call);
    const cited = reply.citations.map((one) => ({ recordingId: id ?? '', title: null, ...one }));
    const ids = [...new Set(cited.map(({ recordingId }) => recordingId))];
    const pages = new Map(
      await Promise.all(ids.map(async (one) => [one, await findSharePage(api, one, signal)] as const)),
    );
    const linked = cited.map((one) => ({ ...one, url: momentUrl(pages.get(one.recordingId), one.start) }));
    const passages = passagesOf(linked).map((passage, index) => passageText(passage, index + 1));
    // Passages are the answer unless one was written.
    const isPassages = reply.mode === 'passages' && cited.length > 0;
    const lines = isPassages ? passages : [paragraphs(reply.answer), ...passages];
    print(options, { ...reply, citations: linked }, lines.join('\n\n'));
    if (reply.notice !== null) notice(reply.notice);
  });
}

const paragraphs = (answer: string): string => answer.split('\n').map(singleLine).join('\n');

/** The title is null if the question was about one recording only. */
type Linked = Schemas['Citation'] & { recordingId: string; title: string | null; url: string | null };

/** Consecutive segments together. */
function passagesOf(citations: readonly Linked[]): Linked[][] {
  const passages: Linked[][] = [];
  for (const one of citations) {
    const last = passages.at(-1)?.at(-1);
    if (last?.recordingId === one.recordingId && last.id + 1 === one.id) passages.at(-1)!.push(one);
    else passages.push([one]);
  }
  return passages;
}

function passageText(passage: readonly Linked[], number: number): string {
  const { title, recordingId, start, url } = passage[0]!;
  const said = passage.map(({ speaker, quote }, index) => {
    const isNamed = speaker !== '' && speaker !== passage[index - 1]?.speaker;
    return `    ${isNamed ? `${singleLine(speaker)}: ` : ''}${singleLine(quote)}`;
  });
  const where = `[${number}] ${singleLine(title ?? recordingId)}, ${clockTime(start)}`;
  return [where, ...said, ...(url ? [`    ${singleLine(url)}`] : [])].join('\n');
}
