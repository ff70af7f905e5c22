import { oneRecording, readOne } from './access.js';
import { capabilitiesOf, iso, isPlayable, mediaOf, reasonsAgainst } from './terms.js';

export const DETAIL = {
  name: 'detail',
  text: oneRecording(
    `r.id, r.status, r.status_reason, r.title, r.notes, ${iso('r.updated_at')} AS updated_at, r.revision,
     ${iso('r.started_at')} AS started_at, ${iso('r.ended_at')} AS ended_at, r.duration, r.progress,
     r.organization_id, r.folder_id, r.external_id, r.metadata, r.owner_id, u.name AS owner_name, r.media_key, r.package_key, r.without_media,
     t.status AS t_status, t.progress AS t_progress, t.status_reason AS t_reason, t.language, t.speakers, t.segments_count,
     t.duration AS t_duration, t.speaker_statistics,
     s.status AS s_status, s.status_reason AS s_reason, s.content, s.topics, s.decisions,
     (SELECT json_agg(json_build_object('id', a.id, 'text', a.text, 'owner', a.owner, 'due', a.due, 'dueDate', a.due_date,
        'start', a.start, 'segmentIds', a.segment_ids, 'confidence', a.confidence, 'done', a.done) ORDER BY a.position)
      FROM action_items a WHERE a.recording_id = s.recording_id) AS action_items`,
    `LEFT JOIN transcripts t ON t.recording_id = r.id LEFT JOIN summaries s ON s.recording_id = r.id`,
  ),
};

/** `GET /recordings/:id`. `transcribes`: whether the installation can. */
export async function getDetail({ pool, addresses, transcribes }, caller, id) {
  const { row, terms } = await readOne(pool, DETAIL, id, caller);
  const expires = addresses.expiry();
  const media = isPlayable(row.status) && !terms.locked && row.media_key !== null;
  const against = reasonsAgainst({ ...row, has_media: row.media_key !== null }, terms, transcribes);
  const { capabilities, capabilityReasons } = capabilitiesOf(against, Object.keys(against));
  const video = (disposition) => addresses.video(row, disposition, caller.keyId, expires);
  return JSON.stringify({
    data: {
      id: row.id,
      status: row.status,
      statusReason: row.status_reason,
      title: row.title,
      notes: terms.locked ? null : row.notes,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      revision: row.revision,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      duration: row.duration,
      owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name },
      externalId: row.external_id,
      metadata: row.metadata,
      organizationId: row.organization_id,
      folderId: row.folder_id,
      // The bench has no retention rules.
      retentionEndsAt: null,
      retentionRule: null,
      progress: row.progress,
      media: mediaOf(row.status, row.media_key !== null),
      videoUrl: media ? video('inline') : null,
      hlsUrl:
        media && row.package_key !== null
          ? addresses.playlist(row.id, row.package_key, caller.keyId, expires)
          : null,
      captionsUrl:
        media && capabilities.canViewTranscription && row.t_status === 'completed' && row.segments_count > 0
          ? addresses.captions(row.id, caller.keyId, expires)
          : null,
      downloadUrl: media && capabilities.canDownload ? video('attachment') : null,
      downloadUrlExpiresAt: media ? new Date(expires * 1000).toISOString() : null,
      thumbnailUrl: row.package_key === null ? null : addresses.thumbnail(row.id, caller.keyId, expires),
      newMedia: null,
      transcription: transcriptionOf(row, terms),
      summary: summaryOf(row, terms),
      isLocked: terms.locked,
      capabilities,
      capabilityReasons,
    },
  });
}

function transcriptionOf(row, { has }) {
  const status = row.t_status ?? 'not_started';
  if (!has('transcription')) {
    return {
      status,
      progress: 0,
      statusReason: null,
      language: null,
      speakers: [],
      segmentsCount: 0,
      duration: 0,
      speakerStatistics: null,
    };
  }
  return {
    status,
    progress: status === 'completed' ? 1 : (row.t_progress ?? 0),
    statusReason: row.t_reason,
    language: row.language,
    speakers: row.speakers ?? [],
    segmentsCount: row.segments_count ?? 0,
    duration: row.t_duration ?? 0,
    speakerStatistics: row.speaker_statistics,
  };
}

function summaryOf(row, { has }) {
  const status = row.s_status ?? 'not_started';
  if (row.s_status === null || !has('summaries')) {
    return { status, statusReason: null, content: null, topics: [], decisions: [], actionItems: [] };
  }
  const completed = status === 'completed';
  return {
    status,
    statusReason: row.s_reason,
    content: completed ? row.content : null,
    topics: completed ? row.topics.map(topicOf) : [],
    decisions: completed ? row.decisions.map(citedOf) : [],
    actionItems: completed ? (row.action_items ?? []) : [],
  };
}

/** Stored decisions may lack their time and confidence. */
function citedOf({ text, start, segmentIds, confidence }) {
  return { text, start: start ?? null, segmentIds, confidence: confidence ?? null };
}

/** Stored topics may lack their times. */
function topicOf({ title, start, keyPoints }) {
  const points = keyPoints.map(({ point, start: at, details }) => ({ point, start: at ?? null, details }));
  return { title, start: start ?? null, keyPoints: points };
}
