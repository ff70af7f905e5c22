import { expect } from '@jest/globals';

/** What follows from the rights of an owner with all features, where neither media nor words have arrived. */
const CAPABILITIES = {
  canDownload: false,
  canShare: true,
  canViewTranscription: true,
  canStartTranscription: false,
  canRegenerateTranscription: false,
  canRenameSpeaker: false,
  canViewSummary: true,
  canGenerateSummary: false,
  canAskQuestions: false,
};

const NOT_READY = { reason: 'not_ready', plan: null };

interface Differences {
  readonly capabilities?: Partial<typeof CAPABILITIES>;
  readonly [field: string]: unknown;
}

/** The whole reply of `GET /recordings/:id` for a personal recording without content, but for these differences. */
export function recordingDetail({ capabilities, ...differences }: Differences): object {
  const all = { ...CAPABILITIES, ...capabilities };
  const missing = Object.entries(all).filter(([, isGiven]) => !isGiven);
  return {
    statusReason: null,
    duration: null,
    owner: { id: expect.any(String), name: 'Ada' },
    notes: '',
    revision: 1,
    startedAt: null,
    endedAt: null,
    progress: 1,
    media: 'none',
    videoUrl: null,
    hlsUrl: null,
    captionsUrl: null,
    downloadUrl: null,
    downloadUrlExpiresAt: null,
    thumbnailUrl: null,
    newMedia: null,
    organizationId: null,
    folderId: null,
    externalId: null,
    metadata: {},
    retentionEndsAt: null,
    retentionRule: null,
    transcription: {
      status: 'not_started',
      progress: 0,
      statusReason: null,
      language: null,
      speakers: [],
      segmentsCount: 0,
      duration: 0,
      speakerStatistics: null,
    },
    summary: {
      status: 'not_started',
      statusReason: null,
      content: null,
      topics: [],
      decisions: [],
      actionItems: [],
    },
    isLocked: false,
    capabilities: all,
    capabilityReasons: Object.fromEntries(missing.map(([capability]) => [capability, NOT_READY])),
    ...differences,
  };
}
