import { describe, expect, it } from '@jest/globals';
import { noiseIn, speechOf } from '../../../src/lib/language/noise.js';

const said = (...texts: string[]) => texts.map((text) => ({ text, speaker: 'Ada' }));

describe('segments that are no speech', () => {
  it.each([
    '[BLANK_AUDIO]',
    '[SPEAKER_TURN]',
    '[Music] [Applause]',
    '(upbeat music)',
    '(speaking in foreign language)',
    '【音楽】',
    '*laughs*',
    '- [Music]',
    '♪ We are the champions ♪',
    '♪ and we will keep on',
    '...',
    'Subtitles by the Amara.org community',
    'Transcribed by Jane Doe',
    'Thank you for watching!',
    'Thanks for watching. Please subscribe to my channel.',
    'Untertitel der Amara.org-Community',
    'Untertitelung des ZDF, 2020',
    'Vielen Dank fürs Zuschauen!',
    "Sous-titres réalisés par la communauté d'Amara.org",
    'Sous-titrage Société Radio-Canada',
    '¡Gracias por ver el video!',
    'Obrigado por assistir!',
    'Sottotitoli e revisione a cura di QTSS',
    'Bedankt voor het kijken!',
    'Dziękuję za oglądanie!',
    'Субтитры сделал DimaTorzok',
    'Продолжение следует...',
    'İzlediğiniz için teşekkür ederim.',
    'ご視聴ありがとうございました。',
    '字幕by索兰娅',
    '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
    '시청해주셔서 감사합니다.',
    'اشتركوا في القناة',
    'Thank you. Thank you. Thank you. Thank you. Thank you.',
    'so so so so so so',
  ])('are %s', (text) => {
    expect(noiseIn(said(text))).toEqual([true]);
  });

  it.each([
    'Good morning.',
    '[SPEAKER_TURN] Good morning.',
    '(laughs) We ship on Friday.',
    '(We ship on Friday)',
    '[we ship on Friday]',
    'The API (version two) is ready.',
    'Subtitles by Friday, please.',
    'Captions by default are off.',
    'We sell subtitles by the hour, and they sell well.',
    'Thank you.',
    'Thank you. Thank you. Thank you.',
    'We are watching the numbers.',
    'Please subscribe to the security mailing list by Friday, Tom.',
    'Untertitel von der letzten Sitzung fehlen noch.',
    '字幕の修正は金曜日までにお願いします',
    '谢谢',
  ])('are not %s', (text) => {
    expect(noiseIn(said(text))).toEqual([false]);
  });

  it('are five or more of the same sentence of a speaker in a row', () => {
    const loop = (count: number) => Array.from({ length: count }, () => 'We should talk.');
    expect(noiseIn(said(...loop(4), 'Yes.'))).toEqual([false, false, false, false, false]);
    expect(noiseIn(said(...loop(5), 'Yes.'))).toEqual([true, true, true, true, true, false]);
    const vote = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'].map((speaker) => ({ speaker, text: 'Aye.' }));
    expect(noiseIn(vote)).not.toContain(true);
  });

  it('are found in linear time, whatever they are', () => {
    for (const part of ['(', '[', '*', '♪', '♪ a', '(a ', 'thank you ', 'a. ', '字幕', '[[(*', 'like and ']) {
      const [short, long] = [2_000, 10_000].map((length) => {
        const hostile = said(part.repeat(length / part.length));
        const begun = process.cpuUsage();
        for (let round = 0; round < 3; round += 1) speechOf(hostile);
        return process.cpuUsage(begun).user / 1_000;
      });
      expect([part, long! < 12 * short! + 100]).toEqual([part, true]);
    }
  });
});

describe('speech', () => {
  it('is what remains, without marks', () => {
    const segments = said('[SPEAKER_TURN] Good morning.', '[BLANK_AUDIO]', '(laughs) Hi [NOISE] there.');
    expect(speechOf(segments).map(({ text }) => text)).toEqual(['Good morning.', 'Hi  there.']);
  });
});
