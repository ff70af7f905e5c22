/** What `asked-for.ts` has for other languages, in Chinese, Japanese, Korean and Thai. */

/** What kind of answer a question asks for. */
export type AnswerKind = 'number' | 'time' | 'person' | 'reason';

export const DENSE_ASKS: Readonly<Record<AnswerKind, RegExp>> = {
  number:
    /多少|[几幾][个個天次年周週人台名件倍]|多[长長久大高]|いくら|いくつ|何[人件日回円年時台名個割パ]|ど(?:れ|の)(?:くらい|ぐらい|だけ)|얼마|몇|며칠|กี่|เท่าไ/u,
  time: /什[么麼][时時]候|[何几幾][时時]|[几幾][点點号號月日]|哪[天年]|いつ|何[時日月曜]|언제|며칠|몇 ?[시일월]|เมื่อไ|วันไหน|กี่โมง/u,
  person: /[谁誰]|哪[位些]人?|邊個|だれ|どなた|누가|누구|누굴|ใคร/u,
  reason: /[为為]什[么麼]|[为為]何|原因|點解|なぜ|どうして|理由|왜|이유|ทำไม|เพราะอะไร|สาเหตุ|เหตุผล/u,
};

const HAN_NUMBER = '[零一二三四五六七八九十百千万萬億亿两兩半]+';
const KOREAN_NUMBER = '[일이삼사오육칠팔구십백천만억한두세네]+';

/** What an answer of each kind contains. */
export const DENSE_HOLDS: Readonly<Record<AnswerKind, RegExp>> = {
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
export const DENSE_QUESTION =
  /(?:です|ます|ました|でしょう|せん)か[。.]?$|[吗嗎呢][。.]?$|(?:니까|나요|까요|가요)[.。]?$|(?:ไหม|หรือเปล่า|หรือยัง)(?:ครับ|คะ|ค่ะ)?$/u;

/** A question that asks for what a meeting came to. */
export const DENSE_OUTCOMES = {
  decisions: /决定|決定|決议|決議|决议|결정|합의|決ま|決め|ตัดสินใจ|ตกลง/gu,
  actionItems: /待办|待辦|行动项|任务|任務|宿題|タスク|やること|할 ?일|과제|งานที่ต้อง/gu,
} as const;
