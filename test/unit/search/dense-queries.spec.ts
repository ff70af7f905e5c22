import { describe, expect, it } from '@jest/globals';
import { denseMarks } from '../../../src/modules/search/snippets/dense-marks.js';
import {
  isQuestion,
  looseWords,
  parseSearchQuery,
  questionQuery,
  typed,
} from '../../../src/modules/search/query/search-query.js';
import { evidenceFor, namesIn, onlyAsks } from '../../../src/modules/questions/passages/asked-for.js';

/** The units of a query, with those that need not occur in parentheses. */
const units = (text: string): string[] =>
  parseSearchQuery(text)
    .flat()
    .map((unit) => (unit.optional ? `(${typed([[unit]])})` : typed([[unit]])));

describe('a query in a dense script', () => {
  it.each([
    ['预算', ['预算']],
    ['市场预算', ['市场', '预算', '("市场预算")']],
    // What the dictionary divides.
    ['服务器迁移', ['服务器', '迁移', '("服务器迁移")']],
    ['王伟', ['王伟']],
    // Stop words count only alone.
    ['关于预算的讨论', ['预算', '讨论', '("预算的讨论")']],
    ['谁', ['谁']],
    ['谁负责备份？', ['负责', '备份', '("负责备份")']],
    ['納品の遅れ', ['納品', '遅れ', '("納品の遅れ")']],
    ['API連携の仕様書', ['API', '連携', '仕様書', '("連携の仕様書")']],
    ['ＡＰＩ　連携', ['API', '連携']],
    ['ｻｰﾊﾞｰ', ['サーバー']],
    ['サーバー移行 予算 OR 採用', ['サーバー', '移行', '("サーバー移行")', '予算', '採用']],
    ['예산을 늘리기로', ['예산을', '늘리기로']],
    ['3분기 예산', ['3', '분기', '예산']],
    ['ย้ายเซิร์ฟเวอร์', ['ย้าย', 'เซิร์ฟเวอร์', '("ย้ายเซิร์ฟเวอร์")']],
    // At their word.
    ['"市场预算"', ['"市场预算"']],
    ['「来期の予算」', ['"来期の予算"']],
    ['预算 -市场预算', ['预算', '-"市场预算"']],
    ['회의 -예산을', ['회의', '-"예산"']],
    ['예산 -"예산을"', ['예산', '-"예산을"']],
    ['预算，市场！', ['预算', '市场']],
    ['市场预*', ['市场预*']],
    ['在宅勤務は週何日', ['在宅', '勤務', '(週)', '(日)', '("在宅勤務は週何日")', '("在宅勤務")']],
  ])('%s is read as %j', (text, expected) => {
    expect(units(text)).toEqual(expected);
  });

  it('gives the words of its phrases', () => {
    expect(looseWords(parseSearchQuery('"API市场的预算"'))).toEqual(['API', '市场', '预算']);
  });

  it('asks for its words, if it is a question', () => {
    const [asked = []] = questionQuery('王伟什么时候说过服务器迁移？', 20);
    expect(asked.map(({ text }) => text)).toEqual(['王伟', '服务器', '迁移']);
  });

  it.each([
    ['谁负责备份', true],
    ['服务器迁移', false],
    ['いつまでですか', true],
    ['二か月の予算', false],
    ['서버 이전은 언제', true],
    ['ใครรับผิดชอบ', true],
  ])('%s is a question: %s', (text, asks) => {
    expect(isQuestion(text)).toBe(asks);
  });

  it.each([
    ['预算', ['市场预算表', '预 算'], ['市场<预算>表', '<预 算>']],
    ['引越し', ['引っ越しと引越業者'], ['<引っ越し>と<引越>業者']],
    ['サーバー', ['サーバ、サーバー、ｻｰﾊﾞｰ'], ['<サーバ>、<サーバー>、<ｻｰﾊﾞｰ>']],
    ['서버이전', ['서버 이전은'], ['<서버 이전>은']],
  ])('%s marks %j as %j', (query, texts, expected) => {
    // PostgreSQL reads these as JavaScript does, except that it takes the longest alternative.
    const { query: pattern } = denseMarks(parseSearchQuery(query));
    const longest = (text: string): string => text.replace(new RegExp(pattern ?? '', 'gu'), '<$&>');
    expect(texts.map(longest)).toEqual(expected);
  });

  it('marks nothing that is excluded, nor in other scripts', () => {
    expect(denseMarks(parseSearchQuery('budget -预算'))).toEqual({ query: null, loose: null });
  });
});

describe('a question in a dense script', () => {
  it.each([
    ['预算增加了多少？', '增加百分之十。', '增加很多。'],
    ['いつまでですか', '来月の十五日です。', '分かりません。'],
    ['누가 맡나요?', '제가 하겠습니다.', '예산입니다.'],
    ['ทำไมถึงเลื่อน', 'เพราะของยังไม่มา', 'ย้ายแล้ว'],
  ])('%s is answered by %s, not by %s', (question, answer, other) => {
    const holds = evidenceFor(question);
    expect([holds?.(answer), holds?.(other)]).toEqual([true, false]);
  });

  it.each([
    ['超支的原因写在报告里了吗？', true],
    ['原因は分かりますか。', true],
    ['이유가 뭔가요?', true],
    ['ลดราคาตามไหมคะ', true],
    ['服务器迁移要推迟。', false],
    ['それはまずいですね。いつから失敗しているんですか。', true],
    ['移行は延期です。納品が遅れていて、来月になります。いいですか。', false],
  ])('%s only asks: %s', (text, asks) => {
    expect(onlyAsks(text)).toBe(asks);
  });

  it('has names in other scripts', () => {
    expect(namesIn('谁在2026年升级Kubernetes？')).toEqual(['2026', 'Kubernetes']);
  });
});
