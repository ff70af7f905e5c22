import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { required } from '../../../contract/domain-error.js';
import { isUuid } from '../../../platform/ids.js';
import { Track } from '../entities/track.entity.js';
import { objectsOf } from '../public/media-objects.js';
import { findPlayedTracks, type PlayedTrack } from '../public/played-tracks.queries.js';
import type { Renditions } from './renditions.js';

/** Finds what is delivered of tracks: only what they have now. */
@Injectable()
export class TrackDeliveryService {
  constructor(private readonly dataSource: DataSource) {}

  /** The file of a processed track as it was uploaded; 404 `NOT_FOUND` if there is none. */
  async requireFile(recordingId: string, id: string) {
    const track = isUuid(id) ? await this.dataSource.manager.findOneBy(Track, { id, recordingId }) : null;
    const { name, sourceKey, sourceType, sourceSha256 } = required(track, 'NOT_FOUND');
    return { name, key: required(sourceKey, 'NOT_FOUND'), type: sourceType, sha256: sourceSha256 };
  }

  /** Splits the path of a file in the package of a track, as its URL has it, into the key of the package and the rest. */
  async requirePackage(recordingId: string, path: string): Promise<[packageKey: string, file: string]> {
    const parts = path.split('/');
    const packageKey = objectsOf(recordingId) + parts.slice(0, 3).join('/');
    required(await this.dataSource.manager.findOneBy(Track, { recordingId, packageKey }), 'NOT_FOUND');
    return [packageKey, parts.slice(3).join('/')];
  }

  /** What a multivariant playlist says about those who can be heard alone; null if there is nobody. */
  async renditions(recordingId: string): Promise<Renditions | null> {
    const tracks = await findPlayedTracks(this.dataSource.manager, recordingId);
    const heard = tracks.filter(({ audioPlaylist }) => audioPlaylist !== null);
    if (heard.length === 0) return null;
    const names = new Set([EVERYONE]);
    const own = rendition(EVERYONE, 'DEFAULT=YES,AUTOSELECT=YES');
    const media = heard.map((track) =>
      rendition(uniqueName(track.name, names), `${OTHER},URI="${uriOf(track)}"`),
    );
    return { group: `AUDIO="${GROUP}"`, beside: SOUND, media: [own, ...media] };
  }
}

const GROUP = 'voices';
const SOUND = /CODECS="[^"]*(mp4a|opus)/i;
/** The sound in the streams themselves: a rendition without a URI. */
const EVERYONE = 'Everyone';
const OTHER = 'DEFAULT=NO,AUTOSELECT=NO';

const rendition = (name: string, attributes: string): string =>
  `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${GROUP}",NAME="${name}",${attributes}`;

/** Relative to the playlist, which is in the folder of its version. */
const uriOf = ({ packageKey, audioPlaylist }: PlayedTrack): string =>
  `../${packageKey?.split('/').slice(2).join('/')}/${audioPlaylist}`;

/** A playlist quotes names, without a way to escape quotes; those of a group differ (RFC 8216, 4.2 and 4.3.4.1.1). */
function uniqueName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replaceAll('"', "'")
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim() || 'Speaker';
  let unique = plain;
  for (let count = 2; taken.has(unique); count += 1) unique = `${plain} (${count})`;
  taken.add(unique);
  return unique;
}
