import { describe, expect, it } from '@jest/globals';
import { withoutKey } from '../../src/policy/caller.js';
import { decideAccess, WHOLE_INSTALLATION, type AccessFacts } from '../../src/policy/recording-access.js';
import { RECORDING_STATUSES } from '../../src/policy/recording-status.js';
import { ALL_ON, NOW, organizationFacts, terms, VIEWER } from './facts.js';

const AWAITED = {
  status: 'PROCESSING',
  hasMedia: false,
  transcriptionStatus: 'not_started',
  toTranscribe: true,
} as const;

/** The statuses of transcription and summary. */
function statuses(facts: Partial<AccessFacts>, installation = {}): string[] {
  const all = organizationFacts({ ...AWAITED, ...facts });
  const access = decideAccess(withoutKey(VIEWER), all, NOW, { ...WHOLE_INSTALLATION, ...installation });
  return [access.transcription, access.missingSummary];
}

describe('a transcription that is to begin by itself', () => {
  it('is queued, with its summary, until the media can be played', () => {
    const waiting = RECORDING_STATUSES.filter((status) => statuses({ status })[0] === 'queued');
    expect(waiting).toEqual([
      'STARTING',
      'CONNECTING',
      'WAIT_APPROVAL',
      'RECORDING',
      'UPLOADING',
      'PROCESSING',
      'TRANSCODING',
    ]);
    for (const status of waiting) expect(statuses({ status })).toEqual(['queued', 'queued']);
    expect(statuses({ status: 'ERROR' })).toEqual(['not_started', 'not_started']);
  });

  it.each([
    ['nothing can transcribe', {}, { noTranscriber: 'no speech runtime' }, ['not_started', 'not_started']],
    [
      'transcription is off',
      terms({ features: { ...ALL_ON, transcription: false } }),
      {},
      ['not_started', 'not_started'],
    ],
    [
      'summaries are off',
      terms({ features: { ...ALL_ON, summaries: false } }),
      {},
      ['queued', 'not_started'],
    ],
    ['summaries are made on request', {}, { autoSummarize: false }, ['queued', 'not_started']],
    ['it was not asked for', { toTranscribe: false }, {}, ['not_started', 'not_started']],
    ['it has begun', { transcriptionStatus: 'processing' }, {}, ['processing', 'queued']],
    ['it has failed', { transcriptionStatus: 'failed' }, {}, ['failed', 'not_started']],
  ] as const)('says so of both as far as it is true: %s', (_, facts, installation, expected) => {
    expect(statuses(facts as Partial<AccessFacts>, installation)).toEqual(expected);
  });
});
