import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../../factories/workspace.js';
import type { Client } from '../../../support/client.js';
import { searchAs } from '../../../support/found.js';
import { longestBlock } from '../../../support/main-thread.js';
import { startService, type TestService } from '../../../support/service.js';

const SEGMENT = 10_000;
/** Characters in an order that no dictionary knows, each pair once or so. */
const unknown = (count: number, seed = 1): string =>
  Array.from({ length: count }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7_919 * seed) % 20_000)),
  ).join('');

/** A transcript of so many letters, each of three bytes in UTF-8, without a space. */
export function denseBombs(letters: number): void {
  let service: TestService;
  let ada: Client;
  const meeting = recording('Ada', { title: 'Bomb' });
  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [meeting] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  describe('a long text without a space', () => {
    it.each([
      ['of characters that form no words', unknown(letters)],
      ['of Thai', 'การย้ายเซิร์ฟเวอร์เลื่อนไปเดือนหน้า'.repeat(letters / 35)],
    ])('%s is indexed off the main thread', async (_, text) => {
      const segments = Array.from({ length: letters / SEGMENT }, (__, index) => ({
        start: index,
        end: index + 1,
        speaker: '王伟',
        text: text.slice(index * SEGMENT, (index + 1) * SEGMENT) || 'x',
      }));
      const body = JSON.stringify({ segments });
      const block = await longestBlock(async () => {
        const headers = { 'content-type': 'application/json' };
        const sent = await ada.request('PUT', `/recordings/${meeting.id}/transcript`, { body, headers });
        expect(sent.status).toBe(200);
      });
      expect(block).toBeLessThan(500);
      // What the index has of it is found.
      const { data } = await searchAs(service, 'Ada', text.slice(0, 12));
      expect(data.map(({ title, matches }) => [title, matches.length > 0])).toEqual([['Bomb', true]]);
    });

    it('as notes and title is indexed', async () => {
      const { status } = await ada.patch(`/recordings/${meeting.id}`, {
        title: unknown(500, 3),
        notes: unknown(100_000, 3),
      });
      expect(status).toBe(200);
      expect((await searchAs(service, 'Ada', unknown(6, 3))).data).toHaveLength(1);
    });
  });

  describe('a query of the greatest length without a space', () => {
    it.each([
      ['of characters that form no words', unknown(1_000, 5)],
      ['of Thai', 'การย้ายเซิร์ฟเวอร์เลื่อนไปเดือนหน้า'.repeat(50).slice(0, 1_000)],
    ])('%s is answered or refused, also as a question', async (_, question) => {
      const q = question.slice(0, 200);
      const block = await longestBlock(async () => {
        expect([200, 400]).toContain(
          (await ada.get(`/recordings/search?${new URLSearchParams({ q })}`)).status,
        );
        expect((await ada.post('/questions', { question })).status).toBe(200);
        expect((await ada.post(`/recordings/${meeting.id}/questions`, { question })).status).toBe(200);
      });
      expect(block).toBeLessThan(500);
    });
  });
}
