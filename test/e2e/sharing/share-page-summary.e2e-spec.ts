import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { longestBlock } from '../../support/main-thread.js';
import { startService, type TestService } from '../../support/service.js';

const CONTENT = '## Decided\n\nShip *on Friday* (0:30).';
const HTML = '<h3>Decided</h3>\n<p>Ship <em>on Friday</em> (<a href="#t=0:30">0:30</a>).</p>';
/** One definition, used as often as there is room: it made 470 MB of HTML. */
const BOMB = `[a]: ${'b'.repeat(25_000)}\n\n${'[a] '.repeat(18_748)}`;

describe('the summary on a share page', () => {
  let service: TestService;
  let ada: Client;
  const made = recording('Ada', { summary: { content: CONTENT, topics: [] } });
  const sent = recording('Ada');

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')], recordings: [made, sent] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const send = (body: object): Promise<Reply> =>
    ada.request('PUT', `/recordings/${sent.id}/summary`, { body });
  async function page(of: { id: string }): Promise<string> {
    const { body } = await ada.post(`/recordings/${of.id}/share-link`);
    return (await service.api.get(`//s/${body.data.share_token}`)).body;
  }

  it('is rendered Markdown, imported or sent', async () => {
    expect(await page(made)).toContain(HTML);
    expect((await send({ content: CONTENT })).status).toBe(200);
    expect(await page(sent)).toContain(HTML);
    await send({ content: 'Something *else*' });
    expect(await page(sent)).toContain('Something <em>else</em>');
  });

  it('has its decisions and action items, also without a text; which are done is said in words', async () => {
    const decisions = [{ text: 'Ship <b>it</b>', start: 30 }];
    const actionItems = [
      { text: 'Write the notes', owner: 'Grace', due: 'by Friday', start: 90 },
      { text: 'Ask the bank', done: true },
    ];
    expect((await send({ content: null, decisions, actionItems })).status).toBe(200);
    const shown = (await page(sent)).replaceAll(/\s*<[^>]*>\s*/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toContain('Summary Decisions Ship &lt;b&gt;it&lt;/b&gt;');
    expect(shown).toContain('Action items Grace: Write the notes (by Friday)');
    expect(shown).toContain('Done: Ask the bank');
    const { body: link } = await ada.post(`/recordings/${sent.id}/share-link`);
    const { summary } = (await service.api.get(`/shares/${link.data.share_token}`)).body.data;
    expect(summary).toMatchObject({ content: null, decisions, actionItems });
    expect((await send({ content: 'We talked.', actionItems: [] })).status).toBe(200);
    expect(await page(sent)).not.toMatch(/Decisions|Action items/);
  });

  it('leaves out what people would hardly have noted, which the API has', async () => {
    const decisions = [
      { text: 'Sell the boat', confidence: 0.4 },
      { text: 'Paint the boat', confidence: 0.39 },
      { text: 'Name the boat', confidence: null },
    ];
    const actionItems = [
      { text: 'Clean the deck', confidence: 0.3 },
      { text: 'Buy a rope', confidence: 0.8 },
      { text: 'Ask the harbor' },
    ];
    await send({ content: null, decisions, actionItems });
    const shown = (body: string) => body.match(/(?:Sell|Paint|Name|Clean|Buy|Ask) (?:the|a) \w+/g);
    expect(shown(await page(sent))).toEqual([
      'Sell the boat',
      'Name the boat',
      'Buy a rope',
      'Ask the harbor',
    ]);
    const { body: link } = await ada.post(`/recordings/${sent.id}/share-link`);
    const { summary } = (await service.api.get(`/shares/${link.data.share_token}`)).body.data;
    expect(summary).toMatchObject({ decisions, actionItems });

    const [weak] = (await ada.get(`/recordings/${sent.id}/summary`)).body.data.actionItems;
    await ada.patch(`/recordings/${sent.id}/action-items/${weak.id}`, { text: 'Clean the cabin' });
    expect(shown(await page(sent))).toContain('Clean the cabin');

    await send({ content: null, decisions: [decisions[1]], actionItems: [actionItems[0]] });
    expect(await page(sent)).not.toMatch(/Summary|Decisions|Action items/);
  });

  it('is bounded, whatever the Markdown would become', async () => {
    const block = await longestBlock(async () => {
      expect((await send({ content: BOMB })).status).toBe(200);
      for (let view = 0; view < 5; view += 1) expect((await page(sent)).length).toBeLessThan(200_000);
    });
    // Rendering it took 18 s.
    expect(block).toBeLessThan(1_000);
  });

  it('is the Markdown as text where HTML would be too large', async () => {
    const links = '[a](b) '.repeat(14_000);
    expect((await send({ content: `<b>${links}` })).status).toBe(200);
    const body = await page(sent);
    expect(body).toContain('&lt;b&gt;[a](b) [a](b)');
    expect(body.length).toBeLessThan(200_000);
  });
});
