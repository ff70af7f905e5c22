/** A sound that a transcript describes in brackets is this short, and no sentence: `(upbeat music)`, `[BLANK_AUDIO]`. */
const sound = (ends: string): string =>
  `(?![^${ends}]*\\b(?:I|we|you|they|is|are|was|will)\\b)[^${ends}?!;\\p{N}]{1,40}`;
const NOTES = '♩♪♫♬🎵🎶';
const SOUNDS = [
  `\\[${sound('\\[\\]')}\\]`,
  `【${sound('【】')}】`,
  `\\(${sound('()')}\\)`,
  `（${sound('（）')}）`,
  `\\*${sound('*')}\\*`,
  `[${NOTES}][^${NOTES}]{1,300}[${NOTES}]`,
].join('|');
const SOUND = new RegExp(SOUNDS, 'giu');
const LEADING = new RegExp(`^(?:[\\s>–—-]|${SOUNDS})*(?=[^\\s>–—-])`, 'iu');
/** Marks of a recognizer, which stand anywhere: `[SPEAKER_TURN]`. */
const MARKS = new RegExp(`\\[(?:[\\p{Lu}_ ]{2,40}|_\\w{1,20}_)\\]|[${NOTES}]`, 'gu');
/** The words of a song that goes on in the next caption. */
const SUNG = new RegExp(`^[^\\p{L}\\p{N}]*[${NOTES}]|[${NOTES}]\\s*$`, 'u');

/** What models of speech have learned from subtitles and write where nobody speaks, as in `plain`. */
const CREDITS = [
  '(?:closed )?(?:subtitles|captions|captioning|subtitling|subtitled|captioned|transcribed|translated|transcription|translation|subs)(?: created| provided| made| done)? by (?!the end|end|next|this|mon|tue|wed|thu|fri|sat|sun|noon|eo[dw]|\\p{N}|default|hand|law|now|then|tomorrow|tonight|using|our|your|my|an? |each|every|all |q\\d)\\S+(?: \\S+){0,4}',
  '(?:subtitles|captions|transcripts?|untertitel(?:ung)?|sous titres|subtítulos|subtítols|legendas|sottotitoli|ondertitel\\p{L}*|napisy|undertexter|undertekster|tekstet|titulky|feliratok?|субтитры|субтитри|altyazı\\p{L}*|字幕) .*amara org.*',
  'untertitel(?:ung)? (?:von \\S+ \\S+|im auftrag des? .*|(?:des )?(?:zdf|br|swr|wdr|ard|orf|ndr|mdr|funk) ?.{0,30})',
  '(?:copyright )?(?:swr|wdr|zdf|br|ndr|mdr|orf) (?:19|20)\\d\\d',
  'sous titr(?:es?|age)(?: (?:réalisés?|faits?|par|fr|st|mfp|société|radio).*)?',
  '(?:subtítulos|subtitulado|legendas?|legendado|sottotitoli|sottotitolato) (?:(?:realizados?|creados?|hechos?|feitas?|criadas?|creati|e revisione) )*(?:por|pela|pelo|a cura di|dalla|di|adriana) (?!defecto|favor|padrão).*',
  '(?:ondertiteld|ondertitels?(?: ingediend)?|ondertiteling) (?:door|nederland) .*',
  '(?:napisy|tłumaczenie)(?: stworzone| wykonał\\p{L}*)?(?: i \\p{L}+)? (?:przez|by) .*',
  '(?:undertexter|undertekster|textning|text(?:at|ad)|tekstet|teksting|tekstning|danske tekster) (?:av|af|från) .*|svensktextning nu|.*btistudios com',
  '(?:titulky (?:vytvořil|přeložil)|feliratok|preklad|prevod) .*',
  '(?:субтитры|субтитри) (?:делал|сделал|создавал|создал|подогнал|добавил|зробив|підготував)\\p{L}* .*|редактор субтитров.*',
  'altyazı (?:m k|by .*|ekleyen .*)',
  '.{0,6}字幕 ?(?:by|由|提供|製作|制作|志愿者|志願者|組|组|amara).*|字幕',
  '(?:한글 ?)?자막 ?(?:by|제공|제작).*|mbc 뉴스 \\S{2,6}입니다',
  'ترجمة (?:نانسي|و).*|תורגם על ידי .*',
];
/** ...and how videos end. Said by somebody after all, it says nothing about a meeting. */
const CLOSINGS = [
  '(?:ok(?:ay)? |so )?(?:thank you|thanks)(?: all| everyone| guys)?(?: so much| very much| a lot)? for (?:watching|viewing)(?: (?:this|my|our|the|and|until|today|to|video|videos|channel|end|everyone|guys|bye|see|you|next|time|in|one))*',
  '(?:please |don t forget to |be sure to |make sure to )*(?:like |share |comment |hit the like button |and )*subscribe(?: (?:to|my|our|the|this|channel|for|more|videos|and|like|share|hit|ring|notification|bell|button))*',
  '(?:i ll |we ll )?see you (?:all |guys )?in (?:the|my|our) next (?:video|one|episode)',
  '(?:vielen |herzlichen )?dank(?:e)?(?: schön)? (?:fürs|für s|für das) (?:zuschauen|zusehen|ansehen)(?: und .{0,40})?',
  'merci (?:beaucoup )?d avoir regardé(?: .{0,30})?|(?:n oubliez pas de vous abonner|abonnez vous)(?: .{0,40})?',
  '(?:muchas )?gracias por (?:ver|mirar|vernos)(?: .{0,30})?|(?:no olvides )?suscr[ií]b(?:ete|irte|anse|irse)(?: .{0,40})?',
  '(?:muito )?obrigad[oa]s? por assistir(?:em)?(?: .{0,30})?|inscrevam? se(?: .{0,40})?',
  'grazie (?:mille )?per (?:aver guardato|la visione)(?: .{0,30})?|iscriv(?:iti|etevi) al .{0,30}',
  '(?:bedankt|dank je wel|dank u wel) voor het kijken(?: .{0,30})?',
  '(?:dziękuję|dziękujemy|dzięki) za (?:oglądanie|obejrzenie)(?: .{0,30})?',
  '(?:спасибо|дякую|дякуємо) за (?:просмотр|перегляд|субтитры)(?: .{0,30})?|подписывайтесь на .{0,30}|продолжение следует',
  '(?:izlediğiniz|i̇zlediğiniz) için teşekkür(?: ederim| ederiz|ler)|abone ol.{0,40}',
  '(?:tack|tak|takk) (?:för att|fordi|for at) (?:du|ni|i|dere) (?:tittade?|har tittat|så|så med|ser|så på)(?: .{0,20})?',
  '(?:děkuji|děkujeme) za (?:sledování|zhlédnutí)|köszön(?:öm|jük) hogy megnézt\\p{L}+(?: .{0,20})?|vă mulțumi(?:m|ț) pentru vizionare.{0,20}',
  '(?:最後まで)?ご(?:視聴|覧)(?:いただき|頂き)?(?:まして|誠に)? ?(?:本当に)?ありがとうございま(?:した|す)|(?:チャンネル登録|高評価).{0,30}',
  '(?:谢谢|感谢|謝謝|感謝)(?:您|你|大家|各位)?(?:的)?(?:收看|观看|觀看|收听|收聽).{0,12}|请不吝点赞.{0,40}|請不吝點讚.{0,40}|(?:请|請)?(?:点赞|點讚|订阅|訂閱)(?:我|我的|我们|本)?(?:的)?(?:频道|頻道)?',
  '(?:오늘도 )?(?:끝까지 )?시청해 ?주셔서 (?:대단히 )?감사합니다|(?:구독|좋아요).{0,30}(?:부탁|눌러).{0,20}',
  '(?:شكرا|شكرًا) (?:لكم )?(?:على|ل)? ?(?:ال)?مشاهدة.{0,20}|(?:لا تنسوا )?(?:ال)?اشترا?كوا? في القناة|תודה (?:רבה )?(?:על הצפייה|שצפיתם)',
  'cảm ơn (?:các bạn|mọi người) đã (?:xem|theo dõi).{0,40}|hãy (?:subscribe|đăng ký).{0,60}|terima kasih (?:telah|sudah|karena) menonton.{0,20}|ขอบคุณที่(?:รับชม|ติดตาม).{0,10}',
];
const LEARNED = new RegExp(`^(?:${[...CREDITS, ...CLOSINGS].join('|')})$`, 'u');
/** What was learned from subtitles is short. */
const LONGEST = 120;

/** A recognizer that loses track repeats a sentence, no longer than this, at least this often in a row. */
const LOOP = 5;
const LOOPED = new RegExp(`^(.{1,60}?)(?: \\1){${LOOP - 1},}$`, 'u');
const SENTENCES = /(?<=[.?!…])\s+|(?<=[。？！])/u;

interface Said {
  readonly text: string;
  readonly speaker: string;
}

/** Which segments are not speech: sounds, what models learned from subtitles, and repetitions. Takes linear time. */
export function noiseIn(segments: readonly Said[]): boolean[] {
  const noise = segments.map(() => true);
  let loop: { said: string; speaker: string; from: number[] } = { said: '', speaker: '', from: [] };
  const end = (): void => {
    if (loop.from.length < LOOP) for (const index of loop.from) noise[index] = false;
  };
  segments.forEach(({ text, speaker }, index) => {
    for (const said of sentencesOf(text)) {
      if (said !== loop.said || speaker !== loop.speaker) {
        end();
        loop = { said, speaker, from: [] };
      }
      loop.from.push(index);
    }
  });
  end();
  return noise;
}

/** The segments that are speech, without marks of sounds before it. */
export function speechOf<T extends Said>(segments: readonly T[]): T[] {
  const noise = noiseIn(segments);
  return segments.flatMap((segment, index) =>
    noise[index] ? [] : { ...segment, text: segment.text.replace(LEADING, '').replace(MARKS, '') },
  );
}

/** The sentences of a text that somebody may have said, for comparison. */
function sentencesOf(text: string): string[] {
  const spoken = text.replace(SOUND, ' ');
  const whole = plain(spoken);
  if (whole === '' || SUNG.test(spoken) || isLearned(whole) || LOOPED.test(whole)) return [];
  return spoken
    .split(SENTENCES)
    .map(plain)
    .filter((said) => said !== '' && !isLearned(said));
}

const isLearned = (said: string): boolean => said.length <= LONGEST && LEARNED.test(said);

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
