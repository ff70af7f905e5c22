import type { ReplyExamples } from '../platform/openapi/reply-examples.js';
import { EXAMPLE_IDS } from './example-ids.js';

const NOT_READY = { reason: 'not_ready', plan: null };

/** A recording whose media has not been packaged yet. */
const WITHOUT_MEDIA = {
  statusReason: null,
  thumbnailUrl: null,
  duration: null,
  organizationId: null,
  folderId: null,
  notes: '',
  revision: 1,
  startedAt: null,
  endedAt: null,
  videoUrl: null,
  hlsUrl: null,
  captionsUrl: null,
  downloadUrl: null,
  downloadUrlExpiresAt: null,
  media: 'pending',
  transcription: {
    status: 'not_started',
    progress: 0,
    language: null,
    speakers: [],
    segmentsCount: 0,
    duration: 0,
    speakerStatistics: null,
  },
  summary: { status: 'not_started', content: null, topics: [] },
  capabilities: {
    canDownload: false,
    canRegenerateTranscription: false,
    canRenameSpeaker: false,
    canAskQuestions: false,
  },
  capabilityReasons: {
    canDownload: NOT_READY,
    canStartTranscription: NOT_READY,
    canRegenerateTranscription: NOT_READY,
    canRenameSpeaker: NOT_READY,
    canGenerateSummary: NOT_READY,
    canAskQuestions: NOT_READY,
  },
};

const WAITING_DELIVERY = {
  status: 'pending',
  attempt_count: 0,
  response_status: null,
  next_attempt_at: '2026-01-31T09:30:00.000Z',
  ended_at: null,
};

const NO_QUOTA_USED = {
  stored_bytes: { used: 0 },
  recordings: { used: 0 },
  uploads_per_day: { used: 0 },
};

const COMPLETED_EVENT = {
  data: {
    actor: { kind: 'service', id: null, service_account: null },
    changes: { status: undefined, before: { status: 'MIGRATING' }, after: { status: 'COMPLETED' } },
  },
};

const LOGGED = {
  id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
  at: '2026-01-31T09:30:00.000Z',
  type: 'member.updated',
  actor: { kind: 'user', id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90', name: 'Ada Lovelace' },
  api_key: { id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90', prefix: 'mrs_4kQ9dZ2w' },
  request_id: '5f0c6c1e-7a53-4c0e-9d0f-0a4d2e1b7c11',
  address: '203.0.113.7',
  organization_id: EXAMPLE_IDS.organization,
  recording_id: null,
  target_id: EXAMPLE_IDS.member,
  user_id: EXAMPLE_IDS.member,
  email: 'grace@acme.test',
  changes: { before: { role: 'EDITOR' }, after: { role: 'ADMIN' } },
};

/** Where a reply is not what the examples of its fields are together. */
export const REPLY_EXAMPLES: ReplyExamples = {
  differences: {
    createRecording: { data: { ...WITHOUT_MEDIA, status: 'UPLOADING', progress: 0 } },
    openUpload: { data: { newMedia: { status: 'uploading', progress: 0, statusReason: null } } },
    uploadMedia: { data: { ...WITHOUT_MEDIA, revision: 2, status: 'PROCESSING', progress: 0.5 } },
    changeRecordings: {
      data: {
        succeeded: 1,
        failed: 1,
        results: [{ error: null }, { id: '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90', success: false }],
      },
    },
    searchRecordings: { pagination: { total: 1, has_more: false }, did_you_mean: null },
    listEvents: { data: [COMPLETED_EVENT] },
    streamEvents: COMPLETED_EVENT,
    restoreRevision: { data: { cause: 'restore' } },
    restoreSummaryRevision: { data: { cause: 'restore' } },
    'createShareLink 200': { data: { label: null, expires_at: null } },
    createOrganization: {
      data: { member_count: 1, quotas: NO_QUOTA_USED, subscription: { ends_at: null }, transfer: null },
    },
    acceptTransfer: { data: { transfer: null } },
    listOrganizations: { data: [{ role: 'ADMIN' }] },
    updateMember: { data: { role: 'EDITOR' } },
    testWebhook: {
      data: {
        ...WAITING_DELIVERY,
        type: 'webhook.test',
        test: true,
        organization_id: null,
        recording_id: null,
      },
    },
    replayWebhookDelivery: { data: { ...WAITING_DELIVERY, attempt_count: 10, response_status: 503 } },
  },
  files: {
    'text/vtt': `WEBVTT
Language: en

00:00:12.400 --> 00:00:15.900
<v Ada>Good morning, shall we start?</v>
`,
    'application/x-subrip': `1
00:00:12,400 --> 00:00:15,900
Ada: Good morning, shall we start?
`,
    'text/plain': `[00:00:12] Ada: Good morning, shall we start?
`,
    'text/markdown': `# Weekly sync

2026-01-31 · 00:30:34 · Ada, Grace

**Ada** \\[00:00:12\\] Good morning, shall we start?
`,
    'getSummary text/markdown': `# Weekly sync

## Decisions

- Launch on 12 March
`,
    'application/x-ndjson': `${JSON.stringify(LOGGED)}\n`,
  },
};
