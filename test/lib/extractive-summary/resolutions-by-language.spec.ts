import { describe, expect, it } from '@jest/globals';
import { summarizeExtractively } from '../../../src/lib/extractive-summary/extractive-summary.js';
import { INVENTED_MEETINGS } from '../../support/invented-meetings.js';

interface Noted {
  readonly start: number;
  readonly owner?: string;
  readonly due?: string;
}

/** Seconds between two sentences: more than within which only one is taken. */
const EACH = 70;

/** The sentences of a meeting as segments, and what is marked in it. */
function read(meeting: string) {
  const noted: { decisions: Noted[]; actionItems: Noted[] } = { decisions: [], actionItems: [] };
  const segments = meeting
    .trim()
    .split('\n')
    .map((line, id) => {
      const start = id * EACH;
      const [, mark, note = '', speaker = '', text = ''] = /^([=>])? ?((?:[^;:]*; ){0,2})(\S+?): (.*)$/u.exec(
        line,
      )!;
      const [owner, due] = note.split('; ');
      if (mark === '=') noted.decisions.push({ start });
      if (mark === '>') noted.actionItems.push({ start, owner: owner!, due: due! });
      return { id, start, end: start + 10, speaker, text };
    });
  return { segments, noted };
}

/** As good as stems here: nothing is ranked by them. */
const lexemes = async (texts: readonly string[]) => texts.map((text) => [text.toLowerCase()]);

describe.each(Object.entries(INVENTED_MEETINGS))('an invented meeting in %s', (language, meeting) => {
  const { segments, noted } = read(meeting);
  const speakers = [...new Set(segments.map(({ speaker }) => speaker))];
  const summary = summarizeExtractively({ title: 'x', language, speakers, segments }, lexemes);
  const starts = (found: readonly { readonly start?: number | null }[]) => found.map(({ start }) => start);

  it('has the decisions and action items that a person would note, and few others', async () => {
    const { decisions, actionItems } = await summary;
    const [all, found] = [
      [...starts(noted.decisions), ...starts(noted.actionItems).map((start) => `to do ${start}`)],
      [...starts(decisions), ...starts(actionItems).map((start) => `to do ${start}`)],
    ];
    const hits = found.filter((one) => all.includes(one));
    const shares = { precision: hits.length / found.length, recall: hits.length / all.length };
    expect(shares.precision).toBeGreaterThanOrEqual(0.85);
    expect(shares.recall).toBeGreaterThanOrEqual(0.85);
  });

  it('knows who is to do it by when', async () => {
    const { actionItems } = await summary;
    const known = noted.actionItems.filter(({ start, owner, due }) =>
      actionItems.some(
        (item) => item.start === start && item.owner === owner && item.due?.toLowerCase().includes(due!),
      ),
    );
    expect(known.length / noted.actionItems.length).toBeGreaterThanOrEqual(0.75);
  });
});

describe('what is not decided', () => {
  it.each([
    ['de', 'Wir haben noch nicht beschlossen, wer die Pflanzen im Hof gießt.'],
    ['fr', "Nous n'avons pas décidé qui écrit les articles du blog."],
    ['es', 'No hemos decidido el precio del menú infantil de la cafetería.'],
    ['pt', 'Não decidimos onde treinam as equipas de basquetebol.'],
    ['it', 'Non abbiamo ancora deciso chi suona la prima serata.'],
    ['nl', 'We hebben nog niet besloten wie de planten water geeft.'],
    ['pl', 'Nie zdecydowaliśmy, kto wręcza medale na mecie biegu.'],
    ['ja', '朝食の提供についてはまだ決定していません。'],
    ['zh', '早餐的供应时间我们还没有决定。'],
    ['fr', 'Est-ce que nous avons décidé de garder les vieux rayonnages ?'],
  ])('%s: %s', async (language, text) => {
    const segments = [{ id: 0, start: 0, end: 9, speaker: 'Ada', text }];
    const summary = await summarizeExtractively(
      { title: 'x', language, speakers: ['Ada'], segments },
      lexemes,
    );
    expect([summary.decisions, summary.actionItems]).toEqual([[], []]);
  });
});
