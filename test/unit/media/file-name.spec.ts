import { describe, expect, it } from '@jest/globals';
import { fileNameOf } from '../../../src/contract/file-name.js';
import { downloadName } from '../../../src/modules/media/public/file-headers.js';

describe('the name of a file', () => {
  it.each([
    ['Weekly sync', 'vtt', 'Weekly sync.vtt'],
    ['Budget 2.0', 'json', 'Budget 2.0.json'],
    ['notes.vtt', 'vtt', 'notes.vtt'],
    ['NOTES.VTT', 'vtt', 'NOTES.vtt'],
    ['notes.vtt ', 'vtt', 'notes.vtt'],
    ['notes.vtt', 'srt', 'notes.vtt.srt'],
    ['vtt', 'vtt', 'vtt.vtt'],
    ['.vtt', 'vtt', 'vtt.vtt'],
    ['notes.vtt.vtt', 'vtt', 'notes.vtt.vtt'],
    ['notes .vtt', 'vtt', 'notes.vtt'],
    ['a/b: c', 'txt', 'a b c.txt'],
    ['', 'txt', 'recording.txt'],
    [`${'x'.repeat(200)}.txt`, 'txt', `${'x'.repeat(120)}.txt`],
  ])('of %s as %s is %s', (title, extension, name) => {
    expect(fileNameOf(title, extension)).toBe(name);
  });

  it.each([
    ['call', 'video/mp4', 'call.mp4'],
    ['call.mp4', 'video/mp4', 'call.mp4'],
    ['call.MP4', 'video/mp4', 'call.mp4'],
    ['call.webm', 'video/mp4', 'call.webm.mp4'],
    ['Introduction to index.ts', 'video/mp4', 'Introduction to index.ts.mp4'],
    // Several extensions are usual.
    ['call.mov', 'video/quicktime', 'call.mov'],
    ['call', 'video/quicktime', 'call.mov'],
    ['call.m4a', 'audio/mp4', 'call.m4a'],
    ['call.opus', 'audio/ogg', 'call.opus'],
    ['call', 'audio/ogg', 'call.ogg'],
    ['call.mp3', 'audio/mpeg', 'call.mp3'],
    ['call.aac', 'audio/aac', 'call.aac'],
    ['call', 'audio/aac', 'call.aac'],
    // Nobody knows what this is: its title does not make it a program.
    ['setup.exe', 'application/octet-stream', 'setup.exe.bin'],
    ['call', 'audio/unheard-of', 'call.bin'],
  ])('of media %s, %s, is %s', (title, type, name) => {
    expect(downloadName(title, type)).toBe(name);
  });
});
