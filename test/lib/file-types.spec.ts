import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { detectFileType, isMediaType } from '../../src/lib/file-types/file-types.js';
import { HEAD_SIZE } from '../../src/lib/file-types/text-type.js';
import { nameOfType } from '../../src/lib/file-types/type-names.js';
import { formatPath, REFUSED, TAKEN } from '../support/formats.js';

const headOf = (file: string): Buffer => readFileSync(formatPath(file)).subarray(0, HEAD_SIZE);
const bytes = (text: string): Buffer => Buffer.from(text.padEnd(HEAD_SIZE, '\0'), 'latin1');
const words = (text: string): Buffer =>
  Buffer.from(`${text}${'\nWe met and talked.'.repeat(300)}`).subarray(0, HEAD_SIZE);
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text.repeat(100)}`, 'utf16le');

describe('the type of a file', () => {
  it.each(TAKEN.map(({ file, type }) => [file, type] as const))('of %s is %s', async (file, type) => {
    expect(await detectFileType(headOf(file), true)).toBe(type);
    expect(type === null || isMediaType(type)).toBe(true);
  });

  it.each(REFUSED.map(({ file, type }) => [file, type]))('of %s is %s', async (file, type) => {
    expect(await detectFileType(headOf(file), true)).toBe(type);
  });

  it('is never something other than media while audio or video arrives piece by piece', async () => {
    const mistakes: string[] = [];
    for (const { file } of TAKEN) {
      const head = headOf(file);
      for (let length = 1; length < head.length; length += length < 64 ? 1 : 333) {
        const type = await detectFileType(head.subarray(0, length), false);
        if (type !== null && !isMediaType(type)) mistakes.push(`${file}, ${length} bytes: ${type}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it.each([
    ['RF64 of a long recording', 'RF64\xff\xff\xff\xffWAVEds64', 'audio/wav'],
    ['Monkey’s Audio', 'MAC \x96\x0f', 'audio/ape'],
    ['TAK', 'tBaK', 'audio/x-tak'],
    ['RealAudio', '.ra\xfd\0\x04', 'audio/x-pn-realaudio'],
    ['TrueHD', '\0\0\0\0\xf8\x72\x6f\xba', 'audio/vnd.dolby.mlp'],
    ['HEVC', '\0\0\0\x01\x40\x01\x0c', 'video/h265'],
    ['AV1', '\x12\0\x0a\x0b', 'video/av1'],
    ['MPEG-4 video', '\0\0\x01\0\0\0\x01\x20', 'video/mp4v-es'],
    ['a fragment of an MP4', '\0\0\0\x18styp', 'video/quicktime'],
    ['an old QuickTime file', '\0\0\0\x14pnot', 'video/quicktime'],
    ['MPEG-TS from the middle of a packet', `abc${`G${'\xff'.repeat(187)}`.repeat(5)}`, 'video/mp2t'],
    ['MP3 after zeros', `${'\0'.repeat(1_000)}\xff\xfb\x90\x64`, 'audio/mpeg'],
  ])('is detected for %s', async (_name, start, type) => {
    expect(await detectFileType(bytes(start), true)).toBe(type);
    expect(isMediaType(type)).toBe(true);
  });

  it.each([
    ['PDF', bytes('%PDF-1.7'), 'a PDF document'],
    ['old Word', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'a Microsoft Office document'],
    ['JPEG', bytes('\xff\xd8\xff\xe0'), 'a JPEG image'],
    ['HEIC', bytes('\0\0\0\x18ftypheic'), 'a HEIC image'],
    ['a program', bytes('MZ\x90'), 'a program'],
    ['MIDI', bytes('MThd\0\0\0\x06'), 'a MIDI file'],
    ['a font', bytes('OTTO\0'), 'a font of type font/otf'],
    ['text', words('Minutes'), 'a text file'],
    ['text that begins like QuickTime', words('The free'), 'a text file'],
    ['text in UTF-16', utf16('Minutes of the meeting\n'), 'a text file'],
    ['HTML', words('<!-- saved --><!DOCTYPE html><html>'), 'a web page (HTML)'],
    ['SVG', words('<?xml version="1.0"?><svg viewBox="">'), 'an SVG image'],
    ['XML', words('<?xml version="1.0"?><meeting>'), 'an XML document'],
    ['JSON', words('{ "title": "Sync"'), 'a JSON document'],
    ['WebVTT', words('WEBVTT\n'), 'a WebVTT subtitle file'],
    ['SRT', words('1\r\n00:00:01,000 --> 00:00:02,000\r\nHello'), 'an SRT subtitle file'],
    ['an HLS playlist', words('#EXTM3U\n#EXT-X-VERSION:7'), 'a playlist (M3U)'],
  ])('that is not media has a name: %s', async (_, head, name) => {
    const type = await detectFileType(head, true);
    expect(nameOfType(type ?? 'unknown')).toBe(name);
    expect(isMediaType(type ?? 'unknown')).toBe(false);
  });

  it.each([
    ['random bytes', Buffer.from(Array.from({ length: HEAD_SIZE }, (_, at) => (at * at * 31 + 17) & 0xff))],
    ['zeros', Buffer.alloc(HEAD_SIZE)],
    ['nothing', Buffer.alloc(0)],
  ])('is unknown for %s', async (_, head) => {
    expect(await detectFileType(head, true)).toBeNull();
  });
});
