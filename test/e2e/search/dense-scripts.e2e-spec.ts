import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { saying, searchAs } from '../../support/found.js';
import { startService, type TestService } from '../../support/service.js';

const CHINESE = `WEBVTT

00:00:01.000 --> 00:00:04.000
<v 王伟>大家好，今天我们讨论第三季度的市场预算和招聘计划。

00:00:05.000 --> 00:00:09.000
<v 李娜>服务器迁移项目推迟到下个月，因为供应商还没有交货。

00:00:10.000 --> 00:00:14.000
<v 王伟>那我们决定把预算增加百分之十。
`;
const JAPANESE = `WEBVTT

00:00:01.000 --> 00:00:04.000
<v 田中>来週のリリースについて話しましょう。

00:00:05.000 --> 00:00:09.000
<v 佐藤太郎>サーバーの移行は来月に延期されました。ＡＰＩの仕様書とｻｰﾊﾞｰの見積もりも打ち合わせで決めます。
`;

let service: TestService;
let ada: Client;
const chinese = recording('Ada', { title: 'zh' });
const japanese = recording('Ada', { title: 'ja' });
const other = (title: string, language: string | null, text: string) =>
  recording('Ada', { title, transcript: saying(language, ['Ada', text]) });

beforeAll(async () => {
  service = await startService();
  await service.import({
    users: [user('Ada')],
    recordings: [
      chinese,
      japanese,
      recording('Ada', {
        title: 'ko',
        transcript: saying(
          'ko',
          ['김민수', '서버 이전은 다음 달로 연기되었습니다. 장비 납품이 늦어졌기 때문입니다.'],
          ['이지은', '하반기 마케팅 예산을 십 퍼센트 늘리겠습니다.'],
        ),
      }),
      recording('Ada', {
        title: 'th',
        transcript: saying(
          'th',
          ['สมชาย', 'วันนี้เราจะคุยเรื่องงบประมาณการตลาดของไตรมาสที่สาม'],
          ['วิภา', 'การย้ายเซิร์ฟเวอร์ต้องเลื่อนไปเดือนหน้า เพราะผู้จำหน่ายยังไม่ส่งของ'],
        ),
      }),
      other('zh-TW', 'zh-TW', '黃志強大家好，發表會的場地在松山文創園區。'),
      other('yue', 'yue', '我哋下星期開會傾下租金，王伟大家好。'),
      other('lo', 'lo', 'ການປະຊຸມມື້ນີ້'),
      other('km', 'km', 'ការប្រជុំថ្ងៃនេះ'),
      other('my', 'my', 'ယနေ့အစည်းအဝေး'),
      other('en', 'en', 'The 預算 and Kubernetes集群 budget.'),
      other('none', null, '東京都知事の会見'),
      other('whole', 'ja', '京都の支社'),
      recording('Ada', {
        title: '漏洩対策',
        notes: `${'これは長いメモの一部です。'.repeat(300)}停車場の建設が始まる。`,
      }),
    ],
  });
  ada = service.api.as(keyOf('Ada'));
  for (const [{ id }, file] of [
    [chinese, CHINESE],
    [japanese, JAPANESE],
  ] as const) {
    const sent = await ada.request('PUT', `/recordings/${id}/transcript`, {
      body: file,
      headers: { 'content-type': 'text/vtt' },
    });
    expect(sent.status).toBe(200);
  }
});
afterAll(() => service.stop());

const snippets = async (q: string, more = {}): Promise<string[][]> =>
  (await searchAs(service, 'Ada', q, more)).data.map(({ title, matches }) => [
    title,
    ...matches.map(({ snippet }) => snippet),
  ]);
const titles = async (q: string, more = {}): Promise<string[]> =>
  (await searchAs(service, 'Ada', q, more)).data.map(({ title }) => title);

describe('a search in a language without spaces between words, or with particles', () => {
  it.each([
    [
      '市场预算',
      [
        'zh',
        '大家好，今天我们讨论第三季度的<mark>市场预算</mark>和招聘计划。',
        '那我们决定把<mark>预算</mark>增加百分之十。',
      ],
    ],
    ['リリース', ['ja', '来週の<mark>リリース</mark>について話しましょう。']],
    [
      '서버이전',
      [
        'ko',
        '<mark>서버</mark> <mark>이전</mark>은 다음 달로 연기되었습니다. 장비 납품이 늦어졌기 때문입니다.',
      ],
    ],
    [
      '납품이 늦어진다',
      [
        'ko',
        '서버 이전은 다음 달로 연기되었습니다. 장비 <mark>납품이</mark> <mark>늦어</mark>졌기 때문입니다.',
      ],
    ],
    ['ย้ายเซิร์ฟเวอร์', ['th', 'การ<mark>ย้ายเซิร์ฟเวอร์</mark>ต้องเลื่อนไปเดือนหน้า เพราะผู้จำหน่ายยังไม่ส่งของ']],
    ['發表會場地', ['zh-TW', '黃志強大家好，<mark>發表會</mark>的<mark>場地</mark>在松山文創園區。']],
    // Names that no dictionary has, and of which it takes a part for another word.
    ['黃志強', ['zh-TW', '<mark>黃志強</mark>大家好，發表會的場地在松山文創園區。']],
    ['ປະຊຸມ', ['lo', 'ການ<mark>ປະຊຸມ</mark>ມື້ນີ້']],
    ['ប្រជុំ', ['km', 'ការ<mark>ប្រជុំ</mark>ថ្ងៃនេះ']],
    ['အစည်းအဝေး', ['my', 'ယနေ့<mark>အစည်းအဝေး</mark>']],
    ['budgets 預算', ['en', 'The <mark>預算</mark> and Kubernetes集群 <mark>budget</mark>.']],
    ['漏洩', ['漏洩対策', '<mark>漏洩</mark>対策']],
  ])('for %s finds and marks %j', async (q, expected) => {
    const [found = []] = await snippets(q);
    expect(found).toEqual(expected);
  });

  it.each(['API', 'ＡＰＩ', 'ｻｰﾊﾞｰ', 'サーバ', '打合わせ', '決まった', '延期する'])(
    'for %s finds other widths, spellings and forms',
    async (q) => {
      expect(await titles(q)).toContain('ja');
    },
  );

  it('marks words in the width and spelling in which they were written', async () => {
    const [[, snippet] = []] = await snippets('API サーバー 見積り');
    expect(snippet).toBe(
      '<mark>サーバー</mark>の移行は来月に延期されました。<mark>ＡＰＩ</mark>の仕様書と<mark>ｻｰﾊﾞｰ</mark>の<mark>見積</mark>もりも打ち合わせで決めます。',
    );
  });

  it.each([
    ['"市场预算"', ['zh']],
    ['"预算市场"', []],
    ['"서버 이전"', ['ko']],
    ['市场预*', ['zh']],
    ['预算 -市场预算', []],
    ['王伟', ['yue', 'zh']],
  ])('for %s finds %j', async (q, expected) => {
    expect((await titles(q)).sort()).toEqual(expected);
  });

  it('ranks words before parts of others', async () => {
    expect(await titles('京都')).toEqual(['whole', 'none']);
  });

  it('finds what a speaker said, by a part of the name', async () => {
    expect(await titles('预算', { speaker: '王伟' })).toEqual(['zh']);
    expect(await titles('供应商', { speaker: '王伟' })).toEqual([]);
    expect(await titles('移行', { speaker: '佐藤' })).toEqual(['ja']);
    expect(await titles('移行', { speaker: '田中' })).toEqual([]);
    expect(await titles('예산', { speaker: '지은' })).toEqual(['ko']);
  });

  it('shows the passage of a long text', async () => {
    const [[, snippet = ''] = []] = await snippets('停車場');
    expect(snippet).toContain('<mark>停車場</mark>の建設が始まる');
    expect(snippet.length).toBeLessThan(1_100);
  });
});

describe('a question in these languages', () => {
  it.each([
    ['谁决定把预算增加百分之十？', 'zh', '那我们决定把预算增加百分之十。'],
    ['服务器迁移为什么推迟？', 'zh', '服务器迁移项目推迟到下个月，因为供应商还没有交货。'],
    ['サーバーの移行はいつですか', 'ja', 'サーバーの移行は来月に延期されました。'],
    ['서버 이전은 왜 연기됐나요?', 'ko', '서버 이전은 다음 달로 연기되었습니다.'],
    ['ทำไมการย้ายเซิร์ฟเวอร์ถึงเลื่อน', 'th', 'การย้ายเซิร์ฟเวอร์ต้องเลื่อนไปเดือนหน้า'],
  ])('%s cites what was said in %s', async (question, title, quote) => {
    const { status, body } = await ada.post('/questions', { question });
    expect(status).toBe(200);
    expect(body.data.citations[0]).toMatchObject({ title, quote: expect.stringContaining(quote) });
  });

  it('about one recording cites what was said there', async () => {
    const { body } = await ada.post(`/recordings/${chinese.id}/questions`, { question: '李娜说了什么？' });
    expect(body.data.citations[0]).toMatchObject({ speaker: '李娜', start: 5 });
  });
});
