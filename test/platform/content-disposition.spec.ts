import { describe, expect, it } from '@jest/globals';
import { contentDisposition } from '../../src/platform/http/replies/content-disposition.js';

describe('the header that names a file', () => {
  it.each([
    ['Weekly sync.mp4', `filename="Weekly sync.mp4"`],
    ["It's a (draft) & more.mp4", `filename="It's a (draft) & more.mp4"`],
    // Latin-1 too, which clients read in different ways.
    [
      'Übersicht für März.mp4',
      `filename="Ubersicht fur Marz.mp4"; filename*=UTF-8''%C3%9Cbersicht%20f%C3%BCr%20M%C3%A4rz.mp4`,
    ],
    ['Café.vtt', `filename="Cafe.vtt"; filename*=UTF-8''Caf%C3%A9.vtt`],
    ['mañana.srt', `filename="manana.srt"; filename*=UTF-8''ma%C3%B1ana.srt`],
    ['Straße – ½.txt', `filename="Stra_e _ 1_2.txt"; filename*=UTF-8''Stra%C3%9Fe%20%E2%80%93%20%C2%BD.txt`],
    ['会議 😀.mp4', `filename="__ _.mp4"; filename*=UTF-8''%E4%BC%9A%E8%AD%B0%20%F0%9F%98%80.mp4`],
    // Some clients decode what is not encoded, or take a backslash literally.
    ['100%25 sure.txt', `filename="100_25 sure.txt"; filename*=UTF-8''100%2525%20sure.txt`],
    ['100% sure.txt', `filename="100% sure.txt"`],
    ['Q3 "new".txt', `filename="Q3 _new_.txt"; filename*=UTF-8''Q3%20%22new%22.txt`],
    ["don't*().txt", `filename="don't*().txt"`],
    ["l'été*.txt", `filename="l'ete*.txt"; filename*=UTF-8''l%27%C3%A9t%C3%A9%2A.txt`],
  ])('says %s in ASCII, and where that is not enough in UTF-8', (name, parameters) => {
    expect(contentDisposition(name, 'attachment')).toBe(`attachment; ${parameters}`);
    expect(contentDisposition(name, 'inline')).toBe(`inline; ${parameters}`);
  });
});
