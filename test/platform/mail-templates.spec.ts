import { describe, expect, it } from '@jest/globals';
import type { MailLanguage } from '../../src/platform/config/mail-settings.js';
import { MailTemplates } from '../../src/platform/mail/mail-templates.js';

const templates = new MailTemplates();
const URL_OF_IT = new URL('https://m.example.com/join/inv_0aZ9?a=1&b=2');
const INVITATION = {
  organization: 'Acme',
  inviter: 'Grace Hopper',
  role: 'EDITOR',
  url: URL_OF_IT,
  expiresAt: new Date('2026-12-01T09:30:00Z'),
};
const TRANSFER = {
  organization: 'Acme',
  offeredBy: 'Grace Hopper',
  url: new URL('https://m.example.com/organizations/1/transfer/accept'),
  expiresAt: new Date('2026-12-01T09:30:00Z'),
};
const invitation = (names: object, language: MailLanguage = 'en') =>
  templates.render('invitation', language, { ...INVITATION, ...names });

describe('emails', () => {
  it('invite in English', () => {
    const { subject, text } = invitation({});
    expect(subject).toBe('Grace Hopper invited you to join “Acme”');
    expect(text).toBe(`Hello,

Grace Hopper has invited you to join the organization “Acme” as an editor.

Accept the invitation:
https://m.example.com/join/inv_0aZ9?a=1&b=2

This link is for you only. It can be used once and expires on 1 December 2026 at 09:30 UTC.

If you were not expecting this invitation, you can ignore this email. Nothing happens unless you accept.
`);
  });

  it('invite in German', () => {
    const { subject, text } = invitation({ role: 'VIEWER' }, 'de');
    expect(subject).toBe('Grace Hopper hat Sie zu „Acme“ eingeladen');
    expect(text).toContain('der Organisation „Acme“ beizutreten. Ihre Rolle: Betrachter/in.\n');
    expect(text).toContain('ist bis zum 1. Dezember 2026 um 09:30 Uhr (UTC) gültig.\n');
  });

  it.each([
    [
      'en',
      'Grace Hopper wants to transfer “Acme” to you',
      'The offer is valid until 1 December 2026 at 09:30 UTC.',
    ],
    [
      'de',
      'Grace Hopper möchte Ihnen „Acme“ übertragen',
      'Das Angebot gilt bis zum 1. Dezember 2026 um 09:30 Uhr (UTC).',
    ],
  ] as const)('offer an organization (%s), with the request that accepts it', (language, title, until) => {
    const { subject, text, html } = templates.render('ownership-transfer', language, TRANSFER);
    expect(subject).toBe(title);
    expect(text).toContain('\n\n    POST https://m.example.com/organizations/1/transfer/accept\n\n');
    expect(text).toContain(`\n${until}\n`);
    expect(html).toContain('POST https://m.example.com/organizations/1/transfer/accept');
    // It takes a request with an API key; a browser would only show an error.
    expect(html).not.toContain('<a ');
  });

  it.each([
    ['en', 1, 'Grace Hopper moved one of your recordings to “Acme”'],
    ['en', 3, 'Grace Hopper moved 3 of your recordings to “Acme”'],
    ['de', 1, 'Grace Hopper hat eine Ihrer Aufnahmen nach „Acme“ verschoben'],
    ['de', 3, 'Grace Hopper hat 3 Ihrer Aufnahmen nach „Acme“ verschoben'],
  ] as const)(
    'say that recordings were moved (%s, %i), and how to see which',
    (language, recordings, title) => {
      const url = new URL('https://m.example.com/api/v1/events?types=recording.moved&organization_id=1');
      const view = { movedBy: 'Grace Hopper', organization: 'Acme', url, recordings };
      const { subject, text, html } = templates.render('recordings-moved', language, view);
      expect(subject).toBe(title);
      expect(text).toContain(`\n\n    GET ${url.href}\n\n`);
      expect(html).toContain(`GET ${url.href.replace('&', '&amp;')}`);
      expect(html).not.toContain('<a ');
    },
  );

  it.each(['en', 'de'] as const)(
    'say the same in HTML (%s), with the link as a button and as text',
    (language) => {
      const { subject, text, html } = invitation({}, language);
      const shown = html
        .replace(/<head>.*<\/head>/s, '')
        .replace(/<[^>]*>/g, '')
        .replaceAll('&amp;', '&')
        .replace(/\s+/g, ' ');
      const lines = text.split('\n').filter((line) => line !== '');
      for (const line of lines) expect(shown).toContain(line.replace(/:$/, ''));
      expect(html).toContain(`<html lang="${language}">`);
      expect(shown).toContain(subject);
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      const escaped = 'https://m.example.com/join/inv_0aZ9?a=1&amp;b=2';
      expect(links).toEqual([escaped, escaped]);
    },
  );
});

describe('a hostile name in an email', () => {
  it.each([
    [
      'of several lines',
      'Acme\r\n\r\n[Free money](https://evil.test)\u2028Bcc: x',
      'Acme [Free money](https: //evil. test) Bcc: x',
    ],
    ['with a link', 'https://evil.test/x?y', 'https: //evil. test/x?y'],
    ['with dots that browsers also take', 'evil。test evil．test', 'evil。 test evil． test'],
    ['that reverses the text', 'Acme \u202egnp.exe\u2066', 'Acme gnp. exe'],
    ['with invisible characters', 'Ac\u200bme\u2060\u00ad\ufeff\u{e0041}', 'Acme'],
    ['with control characters', 'Ac\0me\u001b[31m\u0085', 'Ac me [31m'],
    ['of nothing', '\u3164\u200b', '-'],
    ['that looks like a block of the template', '-- [Acme](x)', 'Acme](x)'],
    [
      'of ordinary kind',
      'Müller & Söhne GmbH – J. R. Tolkien Ltd. 👩‍👩‍👧',
      'Müller & Söhne GmbH – J. R. Tolkien Ltd. 👩‍👩‍👧',
    ],
  ])('%s stays a few words', (_, organization, shown) => {
    const { subject, text } = invitation({ organization });
    expect(subject).toBe(`Grace Hopper invited you to join “${shown}”`);
    expect(text.split('\n')).toHaveLength(invitation({}).text.split('\n').length);
    expect(text).toContain(`join the organization “${shown}” as an editor.`);
    expect(text.match(/:\/\//g)).toEqual(['://']);
  });

  it('is cut after 80 characters', () => {
    const { subject } = invitation({ inviter: '👍'.repeat(200) });
    expect(subject).toBe(`${'👍'.repeat(79)}… invited you to join “Acme”`);
  });

  it('is escaped in HTML', () => {
    const { html } = invitation({
      organization: '</title><img src=x onerror="x()">',
      inviter: '<a href="https://e.test">',
    });
    expect(html).toContain('&lt;/title&gt;&lt;img src=x onerror=&quot;x()&quot;&gt;');
    expect(html).not.toContain('<img');
    expect(html.match(/<a /g)).toHaveLength(2);
  });
});
