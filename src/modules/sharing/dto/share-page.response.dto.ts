import type { Summary } from '../../summaries/entities/summary.entity.js';
import type { OpenRecording } from '../../recordings/recording-access.service.js';
import type { RecordingContent } from '../../recordings/recordings.service.js';
import type { TranscriptPageContent } from '../../transcripts/transcripts.service.js';
import type { SharePermission } from '../entities/share-link.entity.js';

/** What a recipient of a share link gets. */
export interface SharePage {
  readonly title: string;
  readonly createdAt: string;
  readonly permission: SharePermission;
  readonly videoUrl: string | null;
  readonly hlsUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly downloadUrl: string | null;
  readonly downloadUrlExpiresAt: string | null;
  readonly summary: Pick<Summary, 'content' | 'topics'> | null;
  readonly transcript: Pick<TranscriptPageContent, 'language' | 'speakers' | 'segments'> | null;
}

export interface SharedContent extends RecordingContent {
  readonly recording: OpenRecording;
  readonly permission: SharePermission;
  readonly transcript: TranscriptPageContent | null;
}

export function presentSharePage({
  recording,
  permission,
  media,
  thumbnail,
  summary,
  transcript,
}: SharedContent): SharePage {
  const { row, access } = recording;
  return {
    title: row.title,
    createdAt: row.created_at.toISOString(),
    permission,
    videoUrl: media.video,
    hlsUrl: media.hls,
    thumbnailUrl: thumbnail,
    downloadUrl: permission === 'download' ? media.download : null,
    downloadUrlExpiresAt: media.expiresAt?.toISOString() ?? null,
    summary:
      summary?.status === 'completed' && access.capabilities.canViewSummary
        ? { content: summary.content, topics: summary.topics }
        : null,
    transcript: transcript && {
      language: transcript.language,
      speakers: transcript.speakers,
      segments: transcript.segments,
    },
  };
}
