import { describe, expect, it } from '@jest/globals';
import { EVERYTHING, reachedChanges, type Reach } from '../../src/policy/reach.js';

const [ACME, BETA, BOARD, SALES] = ['acme', 'beta', 'board', 'sales'] as const;
const ofAcme: Reach = { ...EVERYTHING, organizationIds: [ACME] };
const ofBoard: Reach = { ...ofAcme, folderIds: [BOARD] };
const refused: Reach = { ...EVERYTHING, refusedBy: [BETA] };

const cameFromBeta = {
  before: { organization_id: BETA },
  after: { organization_id: ACME, folder_id: BOARD },
};
const becamePersonal = {
  before: { organization_id: ACME, folder_id: SALES },
  after: { organization_id: null },
};
const betweenFolders = {
  before: { folder_id: SALES, folder_access: 'open' },
  after: { folder_id: BOARD },
};

describe('the changes that an API key reaches', () => {
  it.each([
    ['everything', EVERYTHING, cameFromBeta, cameFromBeta],
    ['everything', EVERYTHING, becamePersonal, becamePersonal],
    ['one organization', ofAcme, cameFromBeta, { before: {}, after: cameFromBeta.after }],
    ['one organization', ofAcme, becamePersonal, { before: becamePersonal.before, after: {} }],
    ['one organization', ofAcme, betweenFolders, betweenFolders],
    ['one folder', ofBoard, cameFromBeta, { before: {}, after: cameFromBeta.after }],
    ['one folder', ofBoard, becamePersonal, { before: { organization_id: ACME }, after: {} }],
    ['one folder', ofBoard, betweenFolders, { before: {}, after: betweenFolders.after }],
    ['accepting organizations', refused, cameFromBeta, { before: {}, after: cameFromBeta.after }],
    ['accepting organizations', refused, becamePersonal, becamePersonal],
  ])('of %s have no other places', (_, reach, changes, reached) => {
    expect(reachedChanges(reach, ACME, changes)).toEqual(reached);
  });

  it('have webhooks only for a key of whole organizations', () => {
    const changes = { before: { role: 'ADMIN' }, after: { role: 'EDITOR' }, disabled_webhooks: ['hook'] };
    expect(reachedChanges(ofAcme, ACME, changes)).toEqual(changes);
    const { before, after } = changes;
    expect(reachedChanges(ofBoard, ACME, changes)).toEqual({ before, after });
  });
});
