import { describe, expect, it } from '@jest/globals';
import { dueDateOf, dueIn } from '../../../src/lib/language/due-date.js';

/** A Wednesday. */
const MEETING = new Date('2026-02-25T14:30:00Z');

describe('the date on which something is due', () => {
  it.each([
    ['en', 'by Friday', '2026-02-27'],
    ['en', 'on Wednesday', '2026-03-04'],
    ['en', 'by this Friday', '2026-02-27'],
    ['en', 'by Thu', '2026-02-26'],
    ['en', 'next Monday', '2026-03-02'],
    ['en', 'Friday next week', '2026-03-06'],
    ['en', 'tomorrow morning', '2026-02-26'],
    ['en', 'later today', '2026-02-25'],
    ['en', 'the day after tomorrow', '2026-02-27'],
    ['en', 'by EOD Friday', '2026-02-27'],
    ['en', 'by the end of the day', '2026-02-25'],
    ['en', 'Friday at 5 pm', '2026-02-27'],
    ['en', 'on Friday, 17:00', '2026-02-27'],
    ['en', 'by the end of the week', '2026-02-27'],
    ['en', 'by the end of next week', '2026-03-06'],
    ['en', 'end of the month', '2026-02-28'],
    ['en', 'by the end of next month', '2026-03-31'],
    ['en', 'by the end of the quarter', '2026-03-31'],
    ['en', 'before the end of March', '2026-03-31'],
    ['en', 'by March 3', '2026-03-03'],
    ['en', 'March 3rd', '2026-03-03'],
    ['en', 'on the 3rd of March', '2026-03-03'],
    ['en', 'by Tuesday, March 3', '2026-03-03'],
    ['en', 'by January 15', null],
    ['en', 'by January 15, 2027', '2027-01-15'],
    ['en', '2026-03-05', '2026-03-05'],
    ['en', 'by the 15th', '2026-03-15'],
    ['en', 'in two weeks', '2026-03-11'],
    ['en', 'within 3 days', '2026-02-28'],
    ['en', 'in a month', '2026-03-25'],
    ['en', 'by 25/12/2026', '2026-12-25'],
    ['de', 'bis Freitag', '2026-02-27'],
    ['de', 'bis spätestens morgen früh', '2026-02-26'],
    ['de', 'übermorgen', '2026-02-27'],
    ['de', 'bis zum 3. März', '2026-03-03'],
    ['de', 'bis 05.03.2026', '2026-03-05'],
    ['de', 'bis Ende der Woche', '2026-02-27'],
    ['de', 'in zwei Wochen', '2026-03-11'],
    ['de-CH', 'am Montag', '2026-03-02'],
    ['fr', "d'ici vendredi", '2026-02-27'],
    ['fr', 'd’ici la fin de la semaine prochaine', '2026-03-06'],
    ['fr', 'demain matin', '2026-02-26'],
    ['fr', "aujourd'hui", '2026-02-25'],
    ['fr', 'avant le 3 mars', '2026-03-03'],
    ['fr', 'le 1er mars', '2026-03-01'],
    ['fr', 'dans deux semaines', '2026-03-11'],
    ['es', 'hasta el viernes', '2026-02-27'],
    ['es', 'mañana por la mañana', '2026-02-26'],
    ['es', 'antes del 3 de marzo', '2026-03-03'],
    ['es', 'a más tardar el lunes', '2026-03-02'],
    ['es', 'para fin de mes', '2026-02-28'],
    ['pt-BR', 'até sexta-feira', '2026-02-27'],
    ['pt', 'até amanhã', '2026-02-26'],
    ['pt', 'até o dia 3 de março', '2026-03-03'],
    ['pt', 'até o fim do mês', '2026-02-28'],
    ['it', 'entro venerdì', '2026-02-27'],
    ['it', 'entro domani', '2026-02-26'],
    ['it', 'entro il 3 marzo', '2026-03-03'],
    ['it', 'entro la fine della settimana', '2026-02-27'],
    ['nl', 'voor vrijdag', '2026-02-27'],
    ['nl', 'uiterlijk morgenochtend', '2026-02-26'],
    ['nl', 'op 3 maart', '2026-03-03'],
    ['nl', 'over twee weken', '2026-03-11'],
    ['nl', 'eind van de maand', '2026-02-28'],
    ['pl', 'do piątku', '2026-02-27'],
    ['pl', 'jutro', '2026-02-26'],
    ['pl', 'do 3 marca', '2026-03-03'],
    ['pl', 'do końca tygodnia', '2026-02-27'],
    ['pl', 'za dwa tygodnie', '2026-03-11'],
    ['ja', '金曜日までに', '2026-02-27'],
    ['ja', '来週の金曜日までに', '2026-03-06'],
    ['ja', '明日まで', '2026-02-26'],
    ['ja', '3月3日までに', '2026-03-03'],
    ['ja', '今月末', '2026-02-28'],
    ['ja', '2週間以内に', '2026-03-11'],
    ['ja', '15日までに', '2026-03-15'],
    ['ja', '2026年3月5日', '2026-03-05'],
    ['zh', '周五之前', '2026-02-27'],
    ['zh-TW', '下周五', '2026-03-06'],
    ['zh', '这个星期五', '2026-02-27'],
    ['zh', '明天下午', '2026-02-26'],
    ['zh', '3月3号之前', '2026-03-03'],
    ['zh', '三月十五日', '2026-03-15'],
    ['zh', '月底之前', '2026-02-28'],
    ['zh', '两周内', '2026-03-11'],
    [null, 'by Friday', '2026-02-27'],
  ])('%s: %s is %s', (language, due, date) => {
    expect(dueDateOf(due, language, MEETING)).toBe(date);
  });

  it.each([
    ['en', 'soon'],
    ['en', 'next sprint'],
    ['en', 'next Friday'],
    ['en', 'next week'],
    ['en', '03/04'],
    ['en', '03/04/2026'],
    ['en', 'as soon as possible'],
    ['en', 'after Friday'],
    ['en', 'every Friday'],
    ['en', 'a week from Friday'],
    ['en', 'Monday or Tuesday'],
    ['en', 'Monday, Tuesday'],
    ['en', 'by Monday, March 3'],
    ['en', 'February 30'],
    ['en', '2026-02-30'],
    ['en', '0026-03-05'],
    ['en', 'in March'],
    ['en', 'in a few days'],
    ['en', 'by the'],
    ['en', ''],
    ['en', 'by vendredi'],
    ['de', 'nächsten Freitag'],
    ['de', 'ab Freitag'],
    ['fr', 'vendredi prochain'],
    ['es', 'pronto'],
    ['ja', '週末までに'],
    ['zh', '周末'],
    ['sv', 'på fredag'],
    ['ko', '금요일까지'],
    ['not a language', 'by Friday'],
  ])('%s: %s is not guessed', (language, due) => {
    expect(dueDateOf(due, language, MEETING)).toBeNull();
  });

  it('is a day of the calendar whatever the day of the meeting', () => {
    const on = (day: string, due: string) => dueDateOf(due, 'en', new Date(`${day}T23:59:59Z`));
    expect(on('2026-02-28', 'end of the week')).toBeNull();
    expect(on('2026-01-31', 'in one month')).toBe('2026-02-28');
    expect(on('2026-12-30', 'by March 3')).toBe('2027-03-03');
    expect(on('2026-11-30', 'by the end of the year')).toBe('2026-12-31');
    expect(on('2026-12-31', 'tomorrow')).toBe('2027-01-01');
  });

  it('is found in linear time', () => {
    const before = process.cpuUsage();
    for (const [language, part] of [
      ['en', 'by the '],
      ['fr', "d'"],
      ['zh', '周'],
      ['ja', '1 '],
    ] as const) {
      expect(dueDateOf(part.repeat(5_000), language, MEETING)).toBeNull();
      expect(dueIn(part.repeat(5_000), language)).toBeNull();
    }
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });
});

describe('when something is due', () => {
  it.each([
    ['en', 'Please review the draft by May 5.', 'by May 5'],
    ['de', 'Bitte prüft den Entwurf bis zum 5. Mai.', 'bis zum 5. Mai'],
    ['de', 'Ich schicke euch den Entwurf bis Ende der Woche.', 'bis Ende der Woche'],
    ['fr', "J'envoie le compte rendu d'ici vendredi à toute l'équipe.", "d'ici vendredi"],
    ['es', 'Yo preparo el informe para el viernes.', 'para el viernes'],
    ['pl', 'Przygotuję raport do końca tygodnia.', 'do końca tygodnia'],
    ['ja', '金曜日までに資料を送ります。', '金曜日までに'],
    ['zh', '我会在周五之前把报告发给大家。', '周五之前'],
    ['ja', '来週の会議の資料を更新しておきます。', '来週'],
    ['nl', 'Bram maakt volgende week een folder.', 'volgende week'],
    ['fr', 'Le projet prend deux semaines.', null],
    ['es', 'Lo hablamos por la mañana.', null],
    ['fr', 'Il y a trois rapports.', null],
    ['sv', 'Jag skickar den på fredag.', null],
  ])('%s: %s', (language, text, due) => {
    expect(dueIn(text, language)).toBe(due);
  });
});
