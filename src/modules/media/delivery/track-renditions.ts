import type { EntityManager } from 'typeorm';
import type { Track } from '../entities/track.entity.js';
import { objectsOf } from '../public/media-objects.js';
import { findPlayedTracks } from '../public/heard-tracks.queries.js';
import type { Renditions } from './renditions.js';

const GROUP = 'voices';
const SOUND = /CODECS="[^"]*(mp4a|opus)/i;
/** The sound in the streams themselves: a rendition without a URI. */
const EVERYONE = 'Everyone';
const OTHER = 'DEFAULT=NO,AUTOSELECT=NO,URI=';

/** What a multivariant playlist says about those who can be heard alone; null if there is nobody. */
export async function findTrackRenditions(
  manager: EntityManager,
  recordingId: string,
): Promise<Renditions | null> {
  const tracks = await findPlayedTracks(manager, recordingId);
  const heard = tracks.filter(({ audioPlaylist }) => audioPlaylist !== null);
  if (heard.length === 0) return null;
  const names = new Set([EVERYONE]);
  const own = rendition(EVERYONE, 'DEFAULT=YES,AUTOSELECT=YES');
  const others = heard.map((track) => rendition(uniqueName(track.name, names), OTHER + uriOf(track)));
  return { group: `AUDIO="${GROUP}"`, beside: SOUND, media: [own, ...others] };
}

const rendition = (name: string, attributes: string): string =>
  `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${GROUP}",NAME="${name}",${attributes}`;

/** Relative to the playlist, which is in the folder of its version. */
const uriOf = ({ recordingId, packageKey, audioPlaylist }: Track): string =>
  `"../${packageKey?.slice(objectsOf(recordingId).length)}/${audioPlaylist}"`;

/** A playlist quotes names, without a way to escape quotes; those of a group differ (RFC 8216, 4.2 and 4.3.4.1.1). */
function uniqueName(name: string, taken: Set<string>): string {
  const safe = name.replaceAll('"', "'").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const plain = safe.trim() || 'Speaker';
  let unique = plain;
  for (let count = 2; taken.has(unique); count += 1) unique = `${plain} (${count})`;
  taken.add(unique);
  return unique;
}
