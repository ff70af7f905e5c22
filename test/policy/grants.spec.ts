import { describe, expect, it } from '@jest/globals';
import { grantableFolders, rightsFrom, type GrantRow } from '../../src/policy/grants.js';

const row = (
  value: string,
  role: GrantRow['role'],
  folders: string[] = [],
  organization = 'acme',
): GrantRow => ({
  claim: 'groups',
  value,
  organization,
  role,
  folders,
});
const GRANTS = [
  row('staff', 'VIEWER', ['lobby']),
  row('authors', 'EDITOR', ['lobby', 'drafts']),
  row('bosses', 'OWNER'),
  row('staff', 'ADMIN', ['vault'], 'globex'),
];

describe('rights from groups', () => {
  it.each([
    [[], null],
    [['strangers'], null],
    [['staff'], { role: 'VIEWER', folderIds: ['lobby'] }],
    [['authors'], { role: 'EDITOR', folderIds: ['lobby', 'drafts'] }],
    [['staff', 'authors'], { role: 'EDITOR', folderIds: ['lobby', 'drafts'] }],
    [['staff', 'bosses'], { role: 'OWNER', folderIds: ['lobby'] }],
    [['Staff'], null],
  ])('%j are the highest role and all folders: %j', (names: string[], rights) => {
    expect(rightsFrom(GRANTS, 'acme', ({ value }) => names.includes(value))).toEqual(rights);
  });

  it('are of one organization', () => {
    expect(rightsFrom(GRANTS, 'globex', () => true)).toEqual({ role: 'ADMIN', folderIds: ['vault'] });
    expect(rightsFrom(GRANTS, 'initech', () => true)).toBeNull();
    expect(grantableFolders(GRANTS, 'acme')).toEqual(['lobby', 'drafts']);
    expect(grantableFolders(GRANTS, 'initech')).toEqual([]);
  });
});
