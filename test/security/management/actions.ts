import { oneof, type Arbitrary } from 'fast-check';
import { addFolder, changeFolder } from './folder-actions.js';
import { accept, changeInvitation, invite } from './invitation-actions.js';
import { answerOffer, changeMember, offer, removeMember } from './member-actions.js';
import {
  changeFeatures,
  changePlan,
  create,
  deleteOrganization,
  permitTaking,
} from './organization-actions.js';
import type { Action } from './prepared.js';
import { deleteMany, move, moveMany } from './recording-actions.js';
import { deleteUser } from './user-actions.js';

/** Any management of organizations, users and where recordings belong. What ends something is rare. */
export const action: Arbitrary<Action> = oneof(
  { weight: 6, arbitrary: changeMember },
  { weight: 4, arbitrary: removeMember },
  { weight: 4, arbitrary: invite },
  { weight: 2, arbitrary: changeInvitation },
  { weight: 8, arbitrary: accept },
  { weight: 2, arbitrary: offer },
  { weight: 5, arbitrary: answerOffer },
  { weight: 2, arbitrary: addFolder },
  { weight: 6, arbitrary: changeFolder },
  { weight: 1, arbitrary: create },
  { weight: 1, arbitrary: changeFeatures },
  { weight: 2, arbitrary: permitTaking },
  { weight: 1, arbitrary: changePlan },
  { weight: 1, arbitrary: deleteOrganization },
  { weight: 5, arbitrary: move },
  { weight: 3, arbitrary: moveMany },
  { weight: 1, arbitrary: deleteMany },
  { weight: 2, arbitrary: deleteUser },
);
