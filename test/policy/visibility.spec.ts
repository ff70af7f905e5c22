import { describe, expect, it } from '@jest/globals';
import { ROLES, canSee, mayChange, type Placement } from '../../src/policy/roles.js';
import { FOLDER, ORGANIZATION, SOMEBODY_ELSE, VIEWER } from './facts.js';

/** A restricted folder that does not list the viewer. An inactive folder is treated as none. */
const FOLDERS = {
  none: null,
  open: { id: FOLDER, open: true },
  closed: { id: FOLDER, open: false },
} as const;
type FolderKind = keyof typeof FOLDERS;

function placement(own: boolean, folder: FolderKind): Placement {
  return {
    ownerId: own ? VIEWER : SOMEBODY_ELSE,
    organizationId: ORGANIZATION,
    folder: FOLDERS[folder],
  };
}

describe('a personal recording is visible to', () => {
  const personal: Placement = { ownerId: VIEWER, organizationId: null, folder: null };

  it('its owner', () => {
    expect(canSee(VIEWER, personal, null)).toBe(true);
  });

  it('nobody else', () => {
    expect(canSee(SOMEBODY_ELSE, personal, null)).toBe(false);
  });

  it('nobody if its owner was deleted', () => {
    expect(canSee(VIEWER, { ...personal, ownerId: null }, null)).toBe(false);
  });
});

describe("an organization's recording is visible to", () => {
  it.each(['none', 'open', 'closed'] as const)('not its owner after leaving (folder: %s)', (folder) => {
    expect(canSee(VIEWER, placement(true, folder), null)).toBe(false);
  });

  it('members whose role sees everything, even if its owner was deleted', () => {
    const ownerless = { ...placement(false, 'none'), ownerId: null };
    const flags = { viewAllRecordings: false, viewFolderRecordings: false };
    const seeing = ROLES.filter((role) => canSee(VIEWER, ownerless, { role, ...flags }));
    expect(seeing).toEqual(['OWNER', 'ADMIN']);
  });

  // viewAll, viewFolder, own, folder: [OWNER, ADMIN, EDITOR, VIEWER]
  const seesAll = [true, true, true, true];
  const onlyChiefs = [true, true, false, false];
  it.each([
    [false, false, false, 'none', onlyChiefs],
    [false, false, false, 'open', onlyChiefs],
    [false, false, false, 'closed', onlyChiefs],
    [false, false, true, 'none', seesAll],
    [false, false, true, 'open', seesAll],
    [false, false, true, 'closed', seesAll],
    [false, true, false, 'none', onlyChiefs],
    [false, true, false, 'open', seesAll],
    [false, true, false, 'closed', onlyChiefs],
    [false, true, true, 'none', seesAll],
    [false, true, true, 'open', seesAll],
    [false, true, true, 'closed', seesAll],
    [true, false, false, 'none', seesAll],
    [true, false, false, 'open', seesAll],
    [true, false, false, 'closed', seesAll],
    [true, false, true, 'none', seesAll],
    [true, false, true, 'open', seesAll],
    [true, false, true, 'closed', seesAll],
    [true, true, false, 'none', seesAll],
    [true, true, false, 'open', seesAll],
    [true, true, false, 'closed', seesAll],
    [true, true, true, 'none', seesAll],
    [true, true, true, 'open', seesAll],
    [true, true, true, 'closed', seesAll],
  ] as const)('viewAll %s, viewFolder %s, own %s, folder %s: OWNER, ADMIN, EDITOR, VIEWER %j', (...row) => {
    const [viewAllRecordings, viewFolderRecordings, own, folder, expected] = row;
    const seeing = ROLES.map((role) =>
      canSee(VIEWER, placement(own, folder), { role, viewAllRecordings, viewFolderRecordings }),
    );
    expect(seeing).toEqual(expected);
  });
});

describe('a recording may be changed by', () => {
  it('only its owner if it is personal', () => {
    const personal: Placement = { ownerId: VIEWER, organizationId: null, folder: null };
    expect(mayChange(VIEWER, personal, null)).toBe(true);
    expect(mayChange(SOMEBODY_ELSE, personal, null)).toBe(false);
    expect(mayChange(VIEWER, { ...personal, ownerId: null }, null)).toBe(false);
  });

  it.each([
    ['OWNER', true, true],
    ['ADMIN', true, true],
    ['EDITOR', true, false],
    ['VIEWER', false, false],
  ] as const)("%s of its organization: own recordings %s, others' %s", (role, own, anothers) => {
    for (const viewAllRecordings of [false, true]) {
      for (const viewFolderRecordings of [false, true]) {
        const member = { role, viewAllRecordings, viewFolderRecordings };
        for (const folder of ['none', 'open', 'closed'] as const) {
          expect(mayChange(VIEWER, placement(true, folder), member)).toBe(own);
          expect(mayChange(VIEWER, placement(false, folder), member)).toBe(anothers);
        }
      }
    }
  });

  it('not its owner after leaving the organization', () => {
    expect(mayChange(VIEWER, placement(true, 'none'), null)).toBe(false);
  });
});
