import { posix } from 'node:path';
import { decodeXML } from 'entities';
import { z } from '../zod.js';
import { ArchiveError } from './archive.error.js';
import type { ArchivedTrack } from './recorder-archives.js';

/** What an archive says of a file with a track: `offset` by any clock, and perhaps not a number. */
type Said = Partial<Pick<ArchivedTrack, 'name' | 'kind' | 'offset'>>;
/** By path; null for a mix of tracks. */
export type Facts = ReadonlyMap<string, Said | null>;
/** The texts of an archive, with their paths, of at most `max` bytes each. */
type Texts = (path: RegExp, max: number) => Promise<readonly (readonly [path: string, text: string])[]>;
/** What an archive says of these files; undefined if it is not of this recorder. */
type Recorder = (media: readonly string[], texts: Texts) => Promise<Facts | undefined>;

const INFO_BYTES = 1024 ** 2;
const EVENTS_BYTES = 32 * 1024 ** 2;
const MAX_PEOPLE = 2_000;
const ZOOM_FOLDER = /(^|\/)Audio Record\//;

/** `Audio Record/audioJohnSmith98796876.m4a`. Mixes have no name, or the name `only`. */
const zoom: Recorder = async (media) => {
  const hasFolder = media.some((path) => ZOOM_FOLDER.test(path));
  if (!hasFolder && !media.every((path) => /(^|\/)audio[^/]*\d{6,}\.m4a$/i.test(path))) return;
  return new Map(
    media.map((path) => {
      const name = /(?:^|\/)audio([^/]*?)\d*\.m4a$/i.exec(path)?.[1];
      // In the folder, somebody on the phone may have only a number.
      const isMix = hasFolder ? !ZOOM_FOLDER.test(path) : name === '';
      if (isMix || /^_?only$/i.test(name ?? '')) return [path, null];
      // Zoom leaves out the spaces of names.
      return [path, { name: name?.replace(/(?<=\p{Ll})(?<!Mc)(?=\p{Lu})/gu, ' ') }];
    }),
  );
};

/** `1-ada.flac` is of the first one listed in `info.txt`. All begin when the recording does. */
const craig: Recorder = async (media, texts) => {
  const [[, info = ''] = []] = await texts(/(^|\/)info\.txt$/, INFO_BYTES);
  const [head = '', list] = info.split(/^Tracks:\r?\n/m);
  if (!head.startsWith('Recording ') || list === undefined) return;
  // `Ada (ada_l) (80351110224678912)`, `ada#1234 (80351110224678912)`
  const names = [...list.matchAll(/\t(.+?)(#\d{4})?( \([^()]*\))? \(\d+\)\r?(\n|$)/gy)].map(
    ([, name]) => name,
  );
  return new Map(
    media.map((file) => [file, { name: names[parseInt(posix.basename(file), 10) - 1], offset: 0 }]),
  );
};

const MANIFEST = z.object({
  /** Nanoseconds. */
  started_at: z.number().default(NaN),
  publisher_identity: z.string().default(''),
  track_kind: z.enum(['audio', 'video']).optional(),
  track_source: z.string().optional(),
  files: z.array(z.object({ filename: z.string() })).default([]),
});

/** A manifest beside the file of each egress, `EG_7VrYkdMpWyJz.json`. That of a room has no publisher. */
const liveKit: Recorder = async (_, texts) => {
  const manifests = await texts(/(^|\/)EG_\w+\.json$/, INFO_BYTES);
  const facts = new Map<string, Said | null>();
  for (const [path, text] of manifests) {
    const { started_at: ns, publisher_identity: name, files, ...track } = manifestIn(path, text);
    const kind = track.track_source === 'screen_share' ? 'screen' : track.track_kind;
    const said: Said | null = name === '' ? null : { name, kind, offset: ns / 1e9 };
    for (const { filename } of files)
      facts.set(posix.join(posix.dirname(path), posix.basename(filename)), said);
  }
  return manifests.length > 0 ? facts : undefined;
};

function manifestIn(path: string, text: string): z.infer<typeof MANIFEST> {
  try {
    return MANIFEST.parse(JSON.parse(text));
  } catch {
    throw new ArchiveError(path, 'is not a manifest as LiveKit writes it');
  }
}

/** Events that say when the recording of a file began. */
const STARTS = new Map<string, Said['kind']>([
  ['StartRecordingEvent', 'audio'],
  ['AudioTrackPublishedEvent', 'audio'],
  ['StartWebRTCShareEvent', 'video'],
  ['StartWebcamShareEvent', 'video'],
  ['StartWebRTCDesktopShareEvent', 'screen'],
  ['DeskshareStartedEvent', 'screen'],
]);

/** A raw recording, with `events.xml`. */
const bigBlueButton: Recorder = async (media, texts) => {
  const [[, xml] = []] = await texts(/(^|\/)events\.xml$/, EVENTS_BYTES);
  if (xml === undefined) return;
  const files = new Map(media.map((file) => [posix.parse(file).name, file]));
  const people = new Map<string, string>();
  const facts = new Map<string, Said>();
  for (const event of xml.split('</event>')) {
    const type = /\beventname="(\w+)"/.exec(event)?.[1] ?? '';
    const field = (tag: string): string =>
      decodeXML(new RegExp(`<${tag}>([^<]{0,1000})<`).exec(event)?.[1] ?? '');
    if (type === 'ParticipantJoinEvent' && people.size < MAX_PEOPLE)
      people.set(field('userId'), field('name'));
    if (!STARTS.has(type)) continue;
    const file = files.get(posix.parse(field('filename') || field('stream') || field('file')).name);
    if (file === undefined || facts.has(file)) continue;
    // Older versions say whose camera it is only in the name of the file.
    const person = field('userId') || [...people.keys()].find((id) => id !== '' && file.includes(id)) || '';
    const offset = Number(/\btimestamp="(\d+)"/.exec(event)?.[1] ?? NaN) / 1000;
    facts.set(file, { name: people.get(person) ?? '', kind: STARTS.get(type), offset });
  }
  return facts;
};

export const RECORDERS: readonly Recorder[] = [zoom, craig, liveKit, bigBlueButton];
