import { describe, expect, it } from '@jest/globals';
import { mayChangeMember } from '../../src/policy/management.js';
import { explainRole } from '../../src/policy/advice.js';
import { ROLE_CATALOG } from '../../src/policy/roles.js';
import { explainTranscription, howToAddMedia } from '../../src/policy/advice.js';

describe('a refusal', () => {
  it('by role names the roles that may', () => {
    expect(explainRole('VIEWER', 'create recordings', (role) => ROLE_CATALOG[role].creates)).toBe(
      'The role VIEWER cannot create recordings; that needs the role OWNER, ADMIN or EDITOR.',
    );
    const editor = { userId: 'a', role: 'EDITOR' } as const;
    const raising = (role: 'OWNER' | 'VIEWER') =>
      explainRole('ADMIN', 'do this', (other) =>
        mayChangeMember({ userId: null, role: other }, editor, { role, flags: false }),
      );
    expect([raising('OWNER'), raising('VIEWER')]).toEqual([
      'The role ADMIN cannot do this; that needs the role OWNER.',
      'The role ADMIN cannot do this; that needs the role OWNER or ADMIN.',
    ]);
  });

  it('by the status of the transcription starts no second one', () => {
    expect(explainTranscription('processing', 'Questions need')).toBe(
      'The recording is still being transcribed. Questions need a transcript; wait until it is completed.',
    );
  });

  it.each([
    ['UPLOADING', 'Send its file with PUT /api/v1/recordings/{id}/media, unless the service fetches it.'],
    ['PROCESSING', 'Wait until its media has been processed.'],
    ['COMPLETED', 'Open an upload with POST /api/v1/recordings/{id}/upload.'],
    ['ERROR', 'Open an upload with POST /api/v1/recordings/{id}/upload.'],
  ] as const)('for missing media in %s says how to add it', (status, next) => {
    expect(howToAddMedia(status)).toBe(next);
  });
});
