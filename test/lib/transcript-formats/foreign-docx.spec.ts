import { describe, expect, it } from '@jest/globals';
import { readTranscriptFile } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { READ_FORMATS } from '../../../src/lib/transcript-formats/read-formats.js';
import { UnsupportedTranscriptError } from '../../../src/lib/transcript-formats/transcript-file.error.js';
import { docxOf, paragraph, zip } from '../../support/docx.js';
import { OTTER, TEAMS_NEWER, TEAMS_OLDER } from '../../support/foreign-transcripts.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const read = (bytes: Buffer, contentType = DOCX) => readTranscriptFile(bytes, { contentType });
const segmentsOf = async (bytes: Buffer) =>
  (await read(bytes)).segments.map(({ start, end, speaker, text }) => [start, end, speaker, text]);
const document = (paragraphs: readonly (readonly string[])[]): Buffer =>
  docxOf(paragraphs.map((lines) => paragraph(...lines)).join(''));

describe('Word documents of Microsoft Teams', () => {
  const older = [
    [0, 1.51, 'Some Body', 'OK. Yeah.'],
    [2.09, 2.48, 'James Bond', 'Umm.\nShaken & <not> stirred.'],
  ];

  it('may have times, name and text on lines of a paragraph, with milliseconds that have no leading zeros', async () => {
    expect((await read(document(TEAMS_OLDER))).format).toBe('turns');
    expect(await segmentsOf(document(TEAMS_OLDER))).toEqual(older);
  });

  it('may have them in paragraphs of their own', async () => {
    expect(await segmentsOf(document(TEAMS_OLDER.flat().map((line) => [line])))).toEqual(older);
  });

  it('may have name and time before the text', async () => {
    expect((await read(document(TEAMS_NEWER))).format).toBe('turns');
    const newer = [
      [3, 7, 'Ada Byron', 'Good morning.'],
      [7, 8.8, 'Grace Hopper (Guest)', 'Hi.\nShall we begin at 9:30?'],
    ];
    expect(await segmentsOf(document(TEAMS_NEWER))).toEqual(newer);
    const tabs = TEAMS_NEWER.map((lines) =>
      lines.map((line) => line.replace('   ', ' </w:t><w:tab/><w:t> ')),
    );
    const xml = tabs.map((lines) => paragraph(...lines).replaceAll('&lt;', '<')).join('');
    expect(await segmentsOf(docxOf(xml))).toEqual(newer);
  });

  it('are known by their content, and must be what their type says', async () => {
    for (const type of ['application/octet-stream', 'text/plain', DOCX]) {
      expect((await read(document(TEAMS_OLDER), type)).segments).toHaveLength(2);
    }
    await expect(read(document(TEAMS_OLDER), 'text/vtt')).rejects.toThrow('line 1: is not WebVTT');
    await expect(read(Buffer.from('WEBVTT'), DOCX)).rejects.toThrow('line 1: is not a Word document');
  });
});

describe('Word documents', () => {
  it('may contain what other services write as text', async () => {
    expect((await read(document(OTTER.split('\n').map((line) => [line])))).format).toBe('turns');
  });

  it('contain only what is text', async () => {
    const deleted = '<w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r>';
    const xml = `${paragraph('Ada   0:03')}<w:p>${deleted}<w:r><w:t>Hi</w:t></w:r></w:p>`;
    expect(await segmentsOf(docxOf(xml))).toEqual([[3, 4, 'Ada', 'Hi']]);
  });

  it.each([
    ['prose', docxOf(paragraph('Once upon a time')), 'a Word document that is no transcript known'],
    ['a damaged archive', Buffer.from('PK\x03\x04 and so on'), 'a damaged ZIP archive is not read'],
    [
      'many files',
      zip(Array.from({ length: 1_001 }, (_, index) => ({ name: `${index}`, content: '' }))),
      'a ZIP archive of more than 1000 files is not read',
    ],
  ])('are not read if they are %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
    await expect(read(bytes)).rejects.toBeInstanceOf(UnsupportedTranscriptError);
  });

  it.each([
    ['is larger than it says', 10],
    ['says that it is too large', 65 * 1024 ** 2],
  ])('are rejected if the text %s', async (_, claimedSize) => {
    const content = `<w:document>${paragraph('Ada   0:03', 'Hi')}</w:document>`;
    await expect(read(zip([{ name: 'word/document.xml', content, claimedSize }]))).rejects.toThrow(
      'word/document.xml: ',
    );
  });

  it('are rejected if their XML is nested too deeply, declares entities or is not UTF-8', async () => {
    await expect(read(docxOf('<w:p>'.repeat(201)))).rejects.toThrow('has more than 200 levels of nesting');
    const content = Buffer.from('<w:t>Gr\xfc\xdfe</w:t>', 'latin1');
    await expect(read(zip([{ name: 'word/document.xml', content }]))).rejects.toThrow('is not text in utf-8');
    const entities =
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:document><w:p><w:t>Ada   0:03</w:t></w:p><w:p><w:t>&b; &amp; x</w:t></w:p></w:document>';
    const { segments } = await read(zip([{ name: 'word/document.xml', content: entities }]));
    expect(segments[0]?.text).toBe('&b; & x');
  });
});

describe('files of other kinds', () => {
  const READ = `send ${READ_FORMATS}`;

  it.each([
    ['a PDF document', '%PDF-1.7\n1 0 obj\n'],
    ['a web page (HTML)', '<!doctype html><html><body>Hi</body></html>'],
    ['an RTF document', '{\\rtf1\\ansi Hi}'],
  ])('are not read: %s', async (name, content) => {
    await expect(read(Buffer.from(content), 'application/octet-stream')).rejects.toThrow(
      `${name} is not read; ${READ}`,
    );
  });

  it('are text if they only begin like one', async () => {
    const { segments } = await read(Buffer.from('BM Smith  0:03\nHi\n'), 'text/plain');
    expect(segments).toMatchObject([{ speaker: 'BM Smith', text: 'Hi' }]);
  });
});
