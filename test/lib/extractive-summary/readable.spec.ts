import { describe, expect, it } from '@jest/globals';
import { cuesOf } from '../../../src/lib/extractive-summary/extractive-cues.js';
import { readable } from '../../../src/lib/extractive-summary/extractive-points.js';

describe('text that is shown', () => {
  it.each([
    ['We will, um, deploy it on Monday.', 'We will deploy it on Monday.'],
    ['The fix is, like, really small, you know, and it works.', 'The fix is really small, and it works.'],
    ['The API is kind of slow.', 'The API is slow.'],
    ['We can, we can merge the the branch.', 'We can merge the branch.'],
    ['I think we… I think we should wait for the audit.', 'I think we should wait for the audit.'],
    ['Let’s… before we start, two points are open.', 'Before we start, two points are open.'],
    ['We have to, fetch the blocks of, the archive.', 'We have to fetch the blocks of the archive.'],
    ['We test with those. compatibility tests.', 'We test with those compatibility tests.'],
    ["We're gonna raise the limit.", "We're going to raise the limit."],
    ['They need It for the launch.', 'They need it for the launch.'],
    ['We seem to be fin- finalizing it.', 'We seem to be finalizing it.'],
  ])('has no fillers, stutters or false starts: %s', (said, shown) => {
    expect(readable(said, cuesOf('en'))).toBe(shown);
  });

  it.each([
    'This kind of test is what I like, of course.',
    'I know that that test had had a bug.',
    'The limit is 60, 60 million, not 6.',
    "We don't… we ship it without the flag.",
    'Ben, can you review it by Friday?',
    'It works, e.g. with Geth, Besu etc. and so on.',
    'The short- and long-term plans are in the Key Manager.',
    'The hill on Tanner Street may be closed until May.',
  ])('keeps what has a meaning: %s', (said) => {
    expect(readable(said, cuesOf('en'))).toBe(said);
  });

  it('is German for German', () => {
    const shown = readable('Wir, äh, wir müssen die, die die Daten haben, ähm, fragen.', cuesOf('de'));
    expect(shown).toBe('Wir müssen die, die die Daten haben, fragen.');
  });

  it.each(['fr', 'ja', null])('leaves languages without cues as they are: %j', (language) => {
    for (const said of ['Nous nous, um, nous levons.', '私は、ええと、確認します。']) {
      expect(readable(said, cuesOf(language))).toBe(said);
    }
  });

  it.each(['Um.', '…', 'um, uh, um'])('is never empty: %s', (said) => {
    expect(readable(said, cuesOf('en'))).not.toBe('');
  });
});
