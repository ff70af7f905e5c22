import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { readTranscriptText } from '../../src/lib/transcript-formats/transcript-formats.js';
import { Evidence } from '../../src/modules/pipeline/summarizing/chat/chat-evidence.js';
import {
  checkFindings,
  type GivenFinding,
} from '../../src/modules/pipeline/summarizing/chat/chat-findings.js';
import { lexemesOf } from '../../src/modules/search/index/public/lexemes.queries.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { spoken } from '../support/chat-minutes.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { INCLUDED_MEETINGS } from '../support/test-data.js';
import type { SpokenSegment } from '../../src/lib/transcript-formats/transcript.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createDatabase();
  dataSource = await new DataSource(
    dataSourceOptions({ url: database.url, poolSize: 2, entities: [] }),
  ).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const evidenceOf = (language: string, segments: readonly SpokenSegment[]) =>
  Evidence.of(
    { title: '', language, speakers: [...new Set(segments.map(({ speaker }) => speaker))], segments },
    (texts) => lexemesOf(dataSource, language, texts),
  );

const LANGUAGES = [
  {
    language: 'en',
    said: 'Ada: So we go with the blue label for the bottles, and Marta orders them by next Friday.',
    quote: 'we go with the blue label',
    text: 'Bottles get blue labels.',
    owner: 'Marta',
    due: 'by next Friday',
    lie: 'The bottles become cheaper for students.',
    wrong: 'next Monday',
  },
  {
    language: 'de',
    said: 'Ada: Dann nehmen wir das blaue Etikett für die Flaschen, und Marta bestellt sie bis nächsten Freitag.',
    quote: 'nehmen wir das blaue Etikett',
    text: 'Die Flaschen bekommen blaue Etiketten.',
    owner: 'Marta',
    due: 'bis nächsten Freitag',
    lie: 'Die Flaschen werden für Studierende günstiger.',
    wrong: 'nächsten Montag',
  },
  {
    language: 'pl',
    said: 'Ada: Wybieramy niebieską etykietę na butelki, Marta zamówi je do piątku.',
    quote: 'niebieską etykietę na butelki',
    text: 'Butelki dostaną niebieską etykietę.',
    owner: 'Marta',
    due: 'do piątku',
    lie: 'Butelki na promocji są tańsze dla studentów.',
    wrong: 'do poniedziałku',
  },
  {
    language: 'zh',
    said: '王芳: 那我们的瓶子就用蓝色标签，小李在下周五之前订购。',
    quote: '瓶子就用蓝色标签',
    text: '瓶子改用蓝色标签。',
    owner: '小李',
    due: '下周五之前',
    lie: '学生可以免费参观工厂。',
    wrong: '下周一',
  },
  {
    language: 'ja',
    said: '田中: ボトルには青いラベルを使いましょう。佐藤さんが来週の金曜日までに注文します。',
    quote: 'ボトルには青いラベルを使いましょう',
    text: 'ボトルに青いラベルを使う。',
    owner: '佐藤',
    due: '来週の金曜日まで',
    lie: '学生は工場を無料で見学できる。',
    wrong: '月曜日',
  },
  {
    language: 'ko',
    said: '김민수: 병에는 파란 라벨을 쓰고, 이지은이 다음 금요일까지 주문합니다.',
    quote: '병에는 파란 라벨을 쓰고',
    text: '병에 파란 라벨을 쓴다.',
    owner: '이지은',
    due: '다음 금요일까지',
    lie: '학생은 공장을 무료로 방문할 수 있다.',
    wrong: '월요일',
  },
];

const idsOf = (segments: readonly SpokenSegment[]) => new Set(segments.map(({ id }) => id));

describe('findings of a chat server', () => {
  it.each(LANGUAGES)('are distinguished from inventions: $language', async (one) => {
    const segments = spoken('Ada: Hm.', one.said);
    const evidence = await evidenceOf(one.language, segments);
    const check = (change: Partial<GivenFinding>) =>
      checkFindings([{ ...one, segments: [1], ...change }], idsOf(segments), evidence);
    expect(await check({})).toMatchObject([{ text: one.text, owner: one.owner, due: one.due }]);
    expect(await check({ owner: 'Wu Xu', due: one.wrong })).toMatchObject([{ owner: null, due: null }]);
    expect((await check({ text: one.lie })).map(({ text }) => text)).toEqual([]);
  });

  it.each(['I', 'we', 'they', 'you'])('have no owner who is called %s', async (owner) => {
    const segments = spoken('Ada: You know, I mean that we, or they, check the alarm system.');
    const evidence = await evidenceOf('en', segments);
    const item = { text: 'Check the alarm system.', segments: [0], quote: '', owner };
    expect(await checkFindings([item], idsOf(segments), evidence)).toMatchObject([{ owner: null }]);
  });

  it('are kept where people noted the same, and nowhere else', async () => {
    const kept = { there: 0, quotedThere: 0, elsewhere: 0, quotedElsewhere: 0 };
    let [notes, moments] = [0, 0];
    for (const meeting of INCLUDED_MEETINGS) {
      const read = readTranscriptText(meeting.captions(), { contentType: 'text/vtt' });
      const segments = read.segments.map((segment, id) => ({ ...segment, id }));
      const evidence = await evidenceOf('en', segments);
      const found = async (text: string, segment: SpokenSegment, quote: string) =>
        (await checkFindings([{ text, segments: [segment.id], quote }], idsOf(segments), evidence)).length;
      for (const { timestamp, highlight } of meeting.highlights()) {
        const start = timestamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
        const there = segments.find(({ end }) => end >= start)!;
        notes += 1;
        kept.there += await found(highlight, there, '');
        kept.quotedThere += await found(highlight, there, there.text);
        const others = segments.filter(({ id, start: at }) => id % 30 === 0 && Math.abs(at - start) > 300);
        for (const other of others) {
          moments += 1;
          kept.elsewhere += await found(highlight, other, '');
          kept.quotedElsewhere += await found(highlight, other, other.text);
        }
      }
    }
    expect({ notes, moments }).toEqual({ notes: 20, moments: 115 });
    expect(kept).toEqual({ there: 13, quotedThere: 14, elsewhere: 0, quotedElsewhere: 2 });
  });
});
