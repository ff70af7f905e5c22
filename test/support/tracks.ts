import type { DataSource } from 'typeorm';
import { id } from '../factories/workspace.js';

/** Inserts a processed track without its objects; returns its id, and the key that they are below. */
export async function insertTrack(
  dataSource: DataSource,
  { recordingId, name }: { readonly recordingId: string; readonly name: string },
): Promise<{ trackId: string; packageKey: string }> {
  const trackId = id();
  const packageKey = `recordings/${recordingId}/tracks/${trackId}/${id()}`;
  await dataSource.query(
    `INSERT INTO tracks (id, recording_id, name, kind, origin, "offset", alignment, duration, source_key, source_type,
       source_sha256, package_key, audio_playlist, created_at)
     VALUES ($1, $2, $3, 'audio', 'upload', 0, 'given', 1, $4 || '-source', 'audio/wav', 'abc', $4, 'hls/audio.m3u8', clock_timestamp())`,
    [trackId, recordingId, name, packageKey],
  );
  return { trackId, packageKey };
}
