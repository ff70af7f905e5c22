import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Guides } from '../../src/platform/openapi/guides/guides.js';

const guides = new Guides('/docs/guide');

/** The guide and the anchor of each link to a guide. */
const linksIn = (html: string) =>
  [...html.matchAll(/href="(?:\/docs\/guide(?:\/([\w-]+))?)?(?:#([^"]*))?"/g)].map(
    ([, name, anchor]) => [name, anchor] as const,
  );

describe('the guides', () => {
  it.each(guides.names)('%s has only links that lead somewhere', (own) => {
    const broken = linksIn(guides.get(own).html).filter(([name = own, anchor]) => {
      const { sections } = guides.get(name);
      return anchor !== undefined && !sections.some(({ id }) => id === decodeURIComponent(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('are all named by the first one', () => {
    const named = new Set(linksIn(guides.get('README').html).map(([name]) => name));
    expect(guides.names.filter((name) => name !== 'README' && !named.has(name))).toEqual([]);
  });

  it('have names of their own, also those for operators', () => {
    const files = ['docs', 'docs/operations'].flatMap((folder) => readdirSync(folder));
    const names = files.filter((file) => file.endsWith('.md')).map((file) => file.replace(/\.md$/, ''));
    expect(guides.names.filter((name) => names.includes(name)).sort()).toEqual(names.sort());
  });

  it('make text of links to files that are not served', () => {
    expect(guides.get('architecture').html).toContain(
      '<span title="decisions/0002-source-layout.md, in the repository of the service">decision</span>',
    );
  });

  it('have the anchors that GitHub makes, numbered where headings repeat', () => {
    const { sections } = guides.get('api-guide');
    expect(sections.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['times-numbers-names', 'what-a-caller-may-do', 'all-lists']),
    );
    const ids = guides.names.flatMap((name) => guides.get(name).sections.map(({ id }) => `${name}#${id}`));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('find a section by its text, its heading first', () => {
    const [first] = guides.search('if-match');
    expect(first).toMatchObject({ excerpt: expect.stringContaining('If-Match') });
    expect(guides.search('LEGAL_HOLD')[0]).toMatchObject({
      guide: 'Errors',
      heading: 'LEGAL_HOLD',
      address: '/docs/guide/errors#legal_hold',
    });
    expect(guides.search('the')).toHaveLength(30);
  });
});
