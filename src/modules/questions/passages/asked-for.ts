import { isDense, scriptsOf } from '../../../lib/language/dense-scripts.js';

/** What `asked-for.ts` has for other languages, in Chinese, Japanese, Korean and Thai. */

/** What kind of answer a question asks for. */
type AnswerKind = 'number' | 'time' | 'person' | 'reason';

const DENSE_ASKS: Readonly<Record<AnswerKind, RegExp>> = {
  number:
    /多少|[几幾][个個天次年周週人台名件倍]|多[长長久大高]|いくら|いくつ|何[人件日回円年時台名個割パ]|ど(?:れ|の)(?:くらい|ぐらい|だけ)|얼마|몇|며칠|กี่|เท่าไ/u,
  time: /什[么麼][时時]候|[何几幾][时時]|[几幾][点點号號月日]|哪[天年]|いつ|何[時日月曜]|언제|며칠|몇 ?[시일월]|เมื่อไ|วันไหน|กี่โมง/u,
  person: /[谁誰]|哪[位些]人?|邊個|だれ|どなた|누가|누구|누굴|ใคร/u,
  reason: /[为為]什[么麼]|[为為]何|原因|點解|なぜ|どうして|理由|왜|이유|ทำไม|เพราะอะไร|สาเหตุ|เหตุผล/u,
};

const HAN_NUMBER = '[零一二三四五六七八九十百千万萬億亿两兩半]+';
const KOREAN_NUMBER = '[일이삼사오육칠팔구십백천만억한두세네]+';

/** What an answer of each kind contains. */
const DENSE_HOLDS: Readonly<Record<AnswerKind, RegExp>> = {
  number: new RegExp(
    `百分之|${HAN_NUMBER}(?:[个個人名台次件天日周週年月点點倍元円块塊成割分%％枚社箇か]|パーセント)|${KOREAN_NUMBER} ?(?:퍼센트|명|개|건|원|일|월|시|분|번|달|주|년|배)|หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|หมื่น|แสน|ล้าน|เปอร์เซ็นต์`,
    'u',
  ),
  time: new RegExp(
    `[今明昨][天日年]|[上下今来來本][个個]?[周週月]|星期|[周週][一二三四五六日末]|月[底初末]|年[底内內末]|曜日|${HAN_NUMBER}[月日号號年时時点點]|오늘|내일|다음 ?[주달]|이번 ?[주달]|요일|월말|내년|${KOREAN_NUMBER} ?[월일시]|วันนี้|พรุ่งนี้|สัปดาห์|เดือน|ปีหน้า|สิ้นปี|วัน(?:จันทร์|อังคาร|พุธ|พฤหัส|ศุกร์|เสาร์|อาทิตย์)`,
    'u',
  ),
  person: /我(?:来|來|负责|負責|会|會|去)|负责|負責|私[がは]|担当|제가|내가|담당|맡|ผม|ดิฉัน|ฉัน|รับผิดชอบ/u,
  reason: /因[为為]|由[于於]|所以|原因|ため|ので|から|理由|때문|이유|위해|니까|เพราะ|เนื่องจาก|เพื่อ|จึง/u,
};

/** The end of a question, which often has no question mark. */
const DENSE_QUESTION =
  /(?:です|ます|ました|でしょう|せん)か[。.]?$|[吗嗎呢][。.]?$|(?:니까|나요|까요|가요)[.。]?$|(?:ไหม|หรือเปล่า|หรือยัง)(?:ครับ|คะ|ค่ะ)?$/u;

/** A question that asks for what a meeting came to. */
const DENSE_OUTCOMES = {
  decisions: /决定|決定|決议|決議|决议|결정|합의|決ま|決め|ตัดสินใจ|ตกลง/gu,
  actionItems: /待办|待辦|行动项|任务|任務|宿題|タスク|やること|할 ?일|과제|งานที่ต้อง/gu,
} as const;

const ASKS: Readonly<Record<AnswerKind, RegExp>> = {
  number:
    /\bhow (?:many|much|long|often|large|big|high|low|fast|slow|far|old|deep)\b|\b(?:what|which) (?:is the |was the )?(?:number|percentage|percent|share|size|limit|price|cost|amount|rate|version)\b|\bwie ?viel|\bwieviel|\bwie (?:lange|oft|groß|hoch|teuer)\b|\bcombien\b|\bcuánt[oa]s?\b/i,
  time: /\bwhen\b|\b(?:what|which|by what) (?:time|date|day|week|month|year|quarter)\b|\bhow soon\b|\bwann\b|\bquand\b|\bcuándo\b/i,
  person: /\bwho(?:m|se)?\b|\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui\b|\bquién(?:es)?\b/i,
  reason:
    /\bwhy\b|\bhow come\b|\bwhat (?:is|was) the reason\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpourquoi\b|\bpor qué\b/i,
};

const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic';
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundreds?|thousands?|millions?|billions?|half|dozens?|percent|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|hundert|tausend|prozent|deux|trois|quatre|cinq|dix|cent|mille|dos|tres|cuatro|cinco|diez|cien|mil';

/** What an answer of each kind contains. */
const HOLDS: Readonly<Record<AnswerKind, RegExp>> = {
  number: new RegExp(`\\d|\\b(?:${NUMBER_WORDS})\\b`, 'i'),
  time: new RegExp(
    `\\d|\\b(?:${MONTHS})[a-zé]*\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\b(?:today|tomorrow|tonight|weeks?|months?|years?|quarter|heute|morgen|wochen?|monate?n?|jahre?n?|demain|semaines?|mois|mañana|semanas?|meses)\\b`,
    'i',
  ),
  // A full name, a name that does something, or somebody who says so.
  person:
    /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (?:is|was|will|has|can|does|did|ist|hat|wird|macht)\b|(?<=[\p{L},] )\p{Lu}\p{Ll}+(?:['’]s)? (?:is|was|will|has|had|can|would|did|does|and|from|who|found|wird|ist|hat|macht|und|von|est|va|et|es|va|y)\b|\bI(?:['’](?:m|ll|ve|d)| am| will| can| found)\b|\bich (?:werde|bin|kann|habe)\b/u,
  reason:
    /\b(?:because|since|so that|due to|reason|in order to|otherwise|therefore|that's why|weil|denn|damit|wegen|sonst|parce que|car|afin|porque|para que)\b/i,
};

/** Whether a text contains what the question asks for; null for questions of no particular kind. */
export function evidenceFor(question: string): ((text: string) => boolean) | null {
  const kinds = (Object.keys(ASKS) as AnswerKind[]).filter(
    (kind) => ASKS[kind].test(question) || DENSE_ASKS[kind].test(question),
  );
  if (kinds.length === 0) return null;
  return (text) => kinds.some((kind) => HOLDS[kind].test(text) || DENSE_HOLDS[kind].test(text));
}

const OUTCOMES = {
  decisions:
    /\b(?:decid\w*|decisions?|agreed?|agreements?|resolutions?|conclu\w+)\b|\bentsch(?:ied|eid|loss)\w*|\bbeschl(?:uss|üsse|ossen|ieß)\w*|\b(?:ver)?einbar\w*|\bdécid\w*|\bdécision\w*|\bdecision\w*|\bacord\w+|\bacuerdos?\b/giu,
  actionItems:
    /\b(?:action|open) (?:items?|points?)\b|\bto-?dos?\b|\btasks?\b|\bnext steps?\b|\bfollow-?ups?\b|\bassign\w*|\b(?:has|have|had|needs?|is|are|supposed|going) to do\b|\baufgaben?\b|\bnächsten? schritte?n?\b|\btâches?\b|\bprochaines étapes\b|\btareas?\b|\bpróximos pasos\b/giu,
} as const;

/** What a meeting came to. */
export type Outcome = keyof typeof OUTCOMES;

/** Which of what a meeting came to a question asks for, and the words with which it does. */
export function outcomesAskedFor(question: string): { readonly kinds: Outcome[]; readonly words: string[] } {
  const found = (Object.keys(OUTCOMES) as Outcome[]).flatMap((kind) =>
    [...question.matchAll(OUTCOMES[kind]), ...question.matchAll(DENSE_OUTCOMES[kind])].map(([words]) => ({
      kind,
      words,
    })),
  );
  return { kinds: [...new Set(found.map(({ kind }) => kind))], words: found.map(({ words }) => words) };
}

/** Whether a text consists of questions: it asks and does not answer. */
export function onlyAsks(text: string): boolean {
  if (!text.includes('?') && !isDense(text)) return false;
  const sentences = text.split(/(?<=[.?!…])\s+|(?<=[。？！])/).filter((sentence) => /\p{L}/u.test(sentence));
  const asked = sentences.filter((sentence) => QUESTION.test(sentence.trim()));
  // "So, yeah. How many nodes does it simulate?" asks, too.
  return lengthOf(asked) >= MOSTLY * lengthOf(sentences);
}
const QUESTION = new RegExp(`[?？]["'”’)」』]*$|${DENSE_QUESTION.source}`, 'u');
const MOSTLY = 0.6;
const lengthOf = (texts: readonly string[]): number => texts.join('').length;

/** The names, identifiers and numbers in a question, besides its first word. */
export function namesIn(question: string): string[] {
  const words = question
    .split(/[^\p{L}\p{N}\p{M}_-]+/u)
    .flatMap(scriptsOf)
    .filter((word) => !isDense(word));
  return words.filter((word, index) => /\p{N}/u.test(word) || (index > 0 && /^\p{Lu}/u.test(word)));
}

/** Whether a question contains the name of a speaker in a dense script, in which it need not be a word of its own. */
export function isNamed(label: string, question: string): boolean {
  return isDense(label) && question.includes(label);
}
