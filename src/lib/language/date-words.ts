/** Han numerals from 1 to 31, of which the first twelve also name months. */
const TENS = ['', '十', '二十', '三十'];
const ONES = ['', '一', '[二两]', '三', '四', '五', '六', '七', '八', '九'];
const HAN = Array.from({ length: 31 }, (_, at) => TENS[Math.floor((at + 1) / 10)]! + ONES[(at + 1) % 10]!);
/** 周五, in which the word for week is one of its own if another is before it: 下周五. */
const CHINESE_DAYS = [...'一二三四五六', '[日天]'].map(
  (day) => `(?:(?<![下这本个])(?:周|星期|礼拜)|(?<=周|星期|礼拜))${day}`,
);
const HAN_MONTHS = HAN.slice(0, 12).map((numeral, at) => `(?:${at + 1}|${numeral})月`);

/**
 * How dates are said, by language: seven lines each. Weekdays from Monday; months; today, tomorrow, the day after; this,
 * next, end, end of the working day; numbers from one; day, week, month, quarter, year; what else may stand beside
 * them and changes nothing. A blank separates alternatives of different meaning, `_` stands for a space within one.
 */
export const DATE_WORDS: Readonly<Record<string, string>> = {
  en: String.raw`mon(?:day)? tue(?:s|sday)? wed(?:nesday)? thu(?:rs|rsday)? fri(?:day)? sat(?:urday)? sun(?:day)?
    jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?
    today|tonight tomorrow day_after_tomorrow
    this|coming|upcoming next end eod|cob|close_of_business|end_of_(?:the_)?(?:business_|working_)?day
    an?|one two three four five six seven eight nine ten eleven twelve
    days? weeks? months? quarters? years?
    by|before|until|till|on|in|within|at|the|of|from_now|latest|later|no_later_than|due|morning|noon|afternoon|evening|night|please`,
  de: String.raw`montags? dienstags? mittwochs? donnerstags? freitags? (?:samstag|sonnabend)s? sonntags?
    januar februar märz april mai juni juli august september oktober november dezember
    heute (?<!(?:am|guten|jeden|diesen)_)morgen übermorgen
    diese[nmrs]?|kommende[nmrs]? nächste[nmrs]? ende feierabend
    eine?[rmn]? zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
    tag(?:en?)? wochen? monat(?:s|en?)? quartals? jahr(?:e[sn]?)?
    bis|am|zu[mr]|im|in|innerhalb|von|vor|de[rsmn]|die|um|spätestens|früh|mittags?|nachmittags?|vormittags?|abends?|morgen`,
  fr: String.raw`lundi mardi mercredi jeudi vendredi samedi dimanche
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    aujourd'hui|ce_soir demain après-demain
    ce|cette prochaine?|suivante?|qui_vient|à_venir fin fin_de_(?:la_)?journée
    une? deux trois quatre cinq six sept huit neuf dix onze douze
    jours? semaines? mois trimestres? an(?:s|née)?
    d'|ici|avant|pour|jusqu'|à|au|le|la|l'|de|du|dans|en|sous|au_plus_tard|matin|midi|soir|après-midi`,
  es: String.raw`lunes martes miércoles jueves viernes sábado domingo
    enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre
    hoy|esta_noche (?<!(?:la|esta)_)mañana pasado_mañana
    est[ea] próxim[oa]|que_viene|siguiente fin(?:al|ales)? final_del_día
    una? dos tres cuatro cinco seis siete ocho nueve diez once doce
    días|día(?!_\d) semanas? mes(?:es)? trimestres? años?
    hasta|antes|para|a|más_tardar|el|la|del?|en|dentro|por|día|mañana|tarde|noche|mediodía`,
  pt: String.raw`segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado domingo
    janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
    hoje amanhã depois_de_amanhã
    n?est[ea]|dest[ea] próxim[oa]|que_vem|seguinte fi(?:m|nal) fim_do_dia
    uma? dois|duas três quatro cinco seis sete oito nove dez onze doze
    dias|dia(?!_\d) semanas? m[êe]s(?:es)? trimestres? anos?
    até|antes|para|a|o|à|ao|n[ao]|em|dentro|de|d[ao]|daqui|dia|manhã|tarde|noite`,
  it: String.raw`lunedì martedì mercoledì giovedì venerdì sabato domenica
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    oggi|stasera domani dopodomani
    quest[oa] prossim[oa]|che_viene|seguente fine fine_(?:della_)?giornata
    un[oa]? due tre quattro cinque sei sette otto nove dieci undici dodici
    giorn[oi] settiman[ae] mes[ei] trimestr[ei] ann[oi]
    entro|per|prima|di|del|della|dell'|il|la|lo|l'|tra|fra|in|al?|mattina|pomeriggio|sera|mezzogiorno`,
  nl: String.raw`maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    januari februari maart april mei juni juli augustus september oktober november december
    vandaag|vanavond morgen(?:ochtend|middag|avond)? overmorgen
    deze|dit|komende? volgende?|aanstaande einde? eind_van_de_dag
    een|één twee drie vier vijf zes zeven acht negen tien elf twaalf
    dag(?:en)? week|weken maand(?:en)? kwartaal jaar
    voor|vóór|tegen|uiterlijk|op|in|over|binnen|tot|de|het|van|aan|ochtend|middag|avond`,
  pl: String.raw`poniedział(?:ek|ku) wtor(?:ek|ku) śro(?:da|dę|dy|dzie) czwart(?:ek|ku) piąt(?:ek|ku) sobo(?:ta|tę|ty|cie) niedziel[aęi]
    stycz(?:eń|nia|niu) lut(?:y|ego|ym) mar(?:zec|ca|cu) kwie(?:cień|tnia|tniu) maj[au]? czerw(?:iec|ca|cu) lip(?:iec|ca|cu) sierp(?:ień|nia|niu) wrze(?:sień|śnia|śniu) październik[au]? listopad(?:a|zie)? gru(?:dzień|dnia|dniu)
    dzisiaj|dziś jutr[oa] pojutrze
    ten|t[ąęo]|tym|tej|tego|bieżąc\p{L}+ przyszł\p{L}+|następn\p{L}+ ko(?:niec|ńca|ńcem|ńcu) koniec_dnia|końca_dnia
    jeden|jedn[ąo] dwa|dwóch|dwie trzy|trzech cztery|czterech pięć|pięciu sześć|sześciu siedem|siedmiu osiem|ośmiu
    dni|dnia|dzień tygo(?:dzień|dnia|dniu|dnie|dni) miesiąc[ae]?|miesiącu|miesięcy kwartału? rok|roku|lat
    do|przed|na|we?|za|ciągu|najpóźniej|z|rano|wieczorem|południa|południem`,
  ja: String.raw`月曜日? 火曜日? 水曜日? 木曜日? 金曜日? 土曜日? 日曜日?
    ${HAN_MONTHS.join(' ')}
    今日|本日|きょう 明日|あした 明後日|あさって
    今|本 来|翌|次 末 終業|営業終了
    ${HAN.join(' ')}
    日間? 週間?(?!末) [かヶカケ]?月 四半期 年
    までに?|の|に|中|以内|後|午前|午後|朝|昼|夕方`,
  zh: String.raw`${CHINESE_DAYS.join(' ')}
    ${HAN_MONTHS.join(' ')}
    今天|今晚|今日 明天|明日 后天
    这个?|本|今 下(?!午)个? 底|末 下班
    ${HAN.join(' ')}
    天 个?(?:周(?!末)|星期|礼拜) 个?月 个?季度 年
    之?前|以前|之?内|以内|之?后|的|在|到|号|日|上午|中午|下午|晚上`,
};
