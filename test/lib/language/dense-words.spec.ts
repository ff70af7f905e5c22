import { describe, expect, it } from '@jest/globals';
import { gramQuery } from '../../../src/lib/language/dense-grams.js';
import { composed, scriptsOf } from '../../../src/lib/language/dense-scripts.js';
import { denseStem } from '../../../src/lib/language/dense-stems.js';
import { spacedStems, spacedTopics, wordCount } from '../../../src/lib/language/dense-words.js';

const words = (text: string): string => spacedStems(text).replace(/\s+/g, ' ').trim();

describe('the words of a text without spaces', () => {
  it.each([
    ['今天我们讨论第三季度的市场预算和招聘计划。', '今天 讨论 第三 季度 市场 预算 招聘 计划 。'],
    ['服务器迁移项目推迟到下个月', '服务 器 迁移 项目 推迟 下个月'],
    ['下星期開會討論預算', '星期 開會 討論 預算'],
    ['サーバーの移行は来月に延期されました', 'サーバ 移行 来月 延期'],
    ['来週のリリースについて話しましょう', '来週 リリース'],
    ['เซิร์ฟเวอร์จะย้ายเดือนหน้า', 'เซิร์ฟเวอร์ ย้าย เดือน หน้า'],
    ['ການປະຊຸມມື້ນີ້', 'ການປະຊຸມ ມື້ນີ້'],
    ['ការប្រជុំថ្ងៃនេះ', 'ការប្រជុំ ថ្ងៃនេះ'],
    ['ယနေ့အစည်းအဝေး', 'ယနေ့ အစည်းအဝေး'],
    ['서버 이전은 다음 달로 연기되었습니다.', '서버 이전 다음 달로 연기 .'],
    ['APIの仕様書を２回、ＡＰＩで', 'API 仕様 書 2 回 、API'],
    ['ｻｰﾊﾞｰの移行', 'サーバ 移行'],
    ['The budget, as planned: 5 %', 'The budget, as planned: 5 %'],
    ['', ''],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('that the dictionary does not know stay together where texts are compared', () => {
    expect(words('黃志強')).toBe('黃 志 強');
    expect(spacedTopics('黃志強').trim()).toBe('黃志強');
  });

  it('are counted, about', () => {
    expect([wordCount('the next quarter'), wordCount('服务器迁移项目'), wordCount('API連携')]).toEqual([
      3, 4, 2,
    ]);
  });

  it.each([
    ['Chinese', '服务器迁移项目推迟到下个月因为供应商还没有交货'],
    ['one character', '一'],
    ['katakana', 'カタカナ'],
    ['Thai', 'การย้ายเซิร์ฟเวอร์เลื่อนไปเดือนหน้า'],
    ['marks', 'ก้้้้้้้'],
    ['Khmer', 'ក្ត'],
    ['Korean', '한'],
  ])('are found in linear time in a megabyte without a space: %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(350_000 / unit.length));
    const before = process.cpuUsage();
    expect(spacedStems(text).length).toBeGreaterThan(0);
    // As one text, it takes minutes.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(15);
  });
});

describe('the stem of a word', () => {
  it.each([
    // Korean: particles, and verbs made of nouns.
    [['예산을', '예산은', '예산이', '예산에서', '예산으로는', '예산까지만', '예산'], '예산'],
    [['연기되었습니다', '연기된', '연기하고', '연기합시다', '연기'], '연기'],
    [['세금계산서는', '세금계산서'], '세금계산서'],
    [['회의', '회의를', '회의의'], '회의'],
    [['늦어진', '늦어졌기', '늦어집니다'], '늦어'],
    // Japanese: inflection, and kana that are spelled or left out.
    [['打ち合わせ', '打合せ', '打合わせ', '打合'], '打合'],
    [['短く', '短い', '短'], '短'],
    [['サーバー', 'サーバ'], 'サーバ'],
    [['キー'], 'キー'],
    [['ありがとう'], 'ありがとう'],
    [['预算'], '预算'],
    [['งบประมาณ'], 'งบประมาณ'],
  ])('of each of %j is %j', (forms, stem) => {
    expect(forms.map(denseStem)).toEqual(forms.map(() => stem));
  });
});

describe('grams', () => {
  it.each([
    ['预算', `'~预算'`],
    ['预算表', `'~预算' <1> '~算表'`],
    ['市场预算', `'~市场' <2> '~预算'`],
    ['市场预算表', `'~市场' <2> '~预算' <1> '~算表'`],
    ['车', `'~车':*`],
    ['งบ', `'~งบ':*`],
    ['ประชุม', `'~ประ' <3> '~ชุม'`],
    ['𠮷野家', `'~𠮷野' <1> '~野家'`],
  ])('that contain %j are %j', (letters, query) => {
    expect(gramQuery(letters)).toBe(query);
  });
});

describe('texts', () => {
  it('are divided where the script changes', () => {
    expect(scriptsOf('API連携のv2')).toEqual(['API', '連携の', 'v2']);
  });

  it('have letters of the usual width', () => {
    expect(composed('ＡＰＩ　ｻｰﾊﾞｰ㈱（１）')).toBe('API サーバー(株)(1)');
    // Others stay: the square is not a digit.
    expect(composed('m² ™ cafe\u0301')).toBe('m² ™ café');
  });
});
