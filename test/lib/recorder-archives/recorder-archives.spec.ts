import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArchiveError } from '../../../src/lib/recorder-archives/archive.error.js';
import { detectFileType } from '../../../src/lib/file-types/file-types.js';
import { extractTrack, readArchive } from '../../../src/lib/recorder-archives/recorder-archives.js';
import readInThread from '../../../src/modules/tracks/processing/read-archive.task.js';
import { zip, type ZipEntry } from '../../support/docx.js';

const LIMITS = { tracks: 50, bytes: 1024 ** 2 };
let folder: string;
let path: string;
const never = new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'));
  path = join(folder, 'sent.zip');
});
afterAll(() => rm(folder, { recursive: true }));

const named = (...names: readonly string[]): ZipEntry[] => names.map((name) => ({ name, content: name }));
async function tracksIn(archive: readonly ZipEntry[] | Buffer, limits = LIMITS): Promise<unknown[][]> {
  await writeFile(path, Buffer.isBuffer(archive) ? archive : zip(archive));
  const tracks = await readArchive(path, limits);
  return tracks.map(({ entry, name, kind, offset }) => [entry, name, kind, offset]);
}

describe('the tracks in a ZIP archive', () => {
  it('of Zoom are the files of participants, not the mixes', async () => {
    const files = named(
      '2026-03-11 Weekly/Audio Record/audioBlakeSims21759316641.m4a',
      '2026-03-11 Weekly/Audio Record/audioZoëMcKay11759316641.m4a',
      '2026-03-11 Weekly/Audio Record/audio4930123456.m4a',
      '2026-03-11 Weekly/Audio Record/audioOnly98796876.m4a',
      '2026-03-11 Weekly/audio1759316641.m4a',
      '2026-03-11 Weekly/video1759316641.mp4',
      '2026-03-11 Weekly/playback.m3u',
      '2026-03-11 Weekly/chat.txt',
      '__MACOSX/Audio Record/._audioBlakeSims21759316641.m4a',
      '.DS_Store',
    );
    expect(await tracksIn(files)).toEqual([
      [files[0]!.name, 'Blake Sims', 'audio', null],
      [files[1]!.name, 'Zoë McKay', 'audio', null],
      [files[2]!.name, '', 'audio', null],
    ]);
    expect(
      await tracksIn(named('audioJohnSmith98796876.m4a', 'audio_only1234567.m4a', 'audio1234567.m4a')),
    ).toEqual([['audioJohnSmith98796876.m4a', 'John Smith', 'audio', null]]);
  });

  it('of Craig have the names of its list, and begin together', async () => {
    const info =
      'Recording Xk3\r\n\r\nGuild:\t\tTeam (1)\r\nChannel:\tGeneral (2)\r\nRequester:\tAda (ada_l) (3)\r\n' +
      'Start time:\t2026-03-11T09:00:00.500Z\r\n\r\nTracks:\r\n' +
      '\tAda (she/her) (ada_l) (80351110224678912)\r\n\tgrace#1234 (80351110224678913)\r\n\r\nNotes:\r\n\t0:01: Hi (5)\r\n';
    const files = [
      { name: 'info.txt', content: info },
      ...named('raw.dat', '1-ada_l.flac', '2-grace_1234.flac', '3-late.flac'),
    ];
    expect(await tracksIn(files)).toEqual([
      ['1-ada_l.flac', 'Ada (she/her)', 'audio', 0],
      ['2-grace_1234.flac', 'grace', 'audio', 0],
      ['3-late.flac', 'late', 'audio', 0],
    ]);
  });

  it('of LiveKit have the facts of its manifests', async () => {
    const manifest = (id: string, facts: object, file: string): ZipEntry => ({
      name: `room/${id}.json`,
      content: JSON.stringify({
        egress_id: id,
        room_name: 'room',
        ...facts,
        files: [{ filename: `s3/${file}` }],
      }),
    });
    const at = (seconds: number): number => (1_773_219_600 + seconds) * 1e9;
    const files = [
      ...named('room/a.ogg', 'room/b.mp4', 'room/c.mp4', 'room/everybody.mp4', 'room/other.ogg'),
      manifest(
        'EG_1',
        { started_at: at(2.5), publisher_identity: 'ada', track_kind: 'audio', track_source: 'microphone' },
        'a.ogg',
      ),
      manifest(
        'EG_2',
        { started_at: at(0), publisher_identity: 'ada', track_kind: 'video', track_source: 'camera' },
        'b.mp4',
      ),
      manifest(
        'EG_3',
        { publisher_identity: 'grace', track_kind: 'video', track_source: 'screen_share' },
        'c.mp4',
      ),
      manifest('EG_4', { started_at: at(0) }, 'everybody.mp4'),
    ];
    expect(await tracksIn(files)).toEqual([
      ['room/a.ogg', 'ada', 'audio', 2.5],
      ['room/b.mp4', 'ada', 'video', 0],
      ['room/c.mp4', 'grace', 'screen', null],
      ['room/other.ogg', 'other', 'audio', null],
    ]);
  });

  it('of BigBlueButton have the times and people of its events', async () => {
    const event = (timestamp: number, type: string, fields: string): string =>
      `<event timestamp="${timestamp}" module="VOICE" eventname="${type}">${fields}</event>`;
    const xml = `<?xml version="1.0" encoding="UTF-8"?><recording meeting_id="m" bbb_version="3.0.0"><metadata meetingName="x"/>
      ${event(8_000_000_000, 'ParticipantJoinEvent', '<userId>w_ada</userId><name>Ada &amp; co</name>')}
      ${event(8_000_001_000, 'ParticipantJoinEvent', '<userId>w_grace</userId><name>Grace</name>')}
      ${event(8_000_002_000, 'StartRecordingEvent', '<filename>/var/freeswitch/m-1.opus</filename><bridge>7</bridge><timestampUTC>1773219600000</timestampUTC>')}
      ${event(8_000_003_250, 'AudioTrackPublishedEvent', '<userId>w_ada</userId><filename>/rec/track.webm</filename>')}
      ${event(8_000_004_000, 'StartWebRTCShareEvent', '<filename>/var/kurento/m/w_grace-cam-1.webm</filename>')}
      ${event(8_000_005_000, 'StartWebRTCDesktopShareEvent', '<filename>/var/kurento/m/desk-1.webm</filename>')}
      ${event(8_000_009_000, 'StartWebRTCDesktopShareEvent', '<filename>/var/kurento/m/desk-1.webm</filename>')}
      </recording>`;
    const files = [
      { name: 'm/events.xml', content: xml },
      ...named(
        'm/audio/m-1.opus',
        'm/audio/track.webm',
        'm/video/m/w_grace-cam-1.webm',
        'm/deskshare/desk-1.webm',
      ),
    ];
    expect(await tracksIn(files)).toEqual([
      ['m/audio/m-1.opus', '', 'audio', 0],
      ['m/audio/track.webm', 'Ada & co', 'audio', 1.25],
      ['m/video/m/w_grace-cam-1.webm', 'Grace', 'video', 2],
      ['m/deskshare/desk-1.webm', '', 'screen', 3],
    ]);
  });

  it('of Jitsi are one file, with the tracks of everybody', async () => {
    expect(await tracksIn(named('standup/recording.mka', 'standup/metadata.json'))).toEqual([
      ['standup/recording.mka', '', 'audio', null],
    ]);
  });

  it.each([
    ['riverside_ada_lovelace_raw-audio_the show_0001.wav', 'ada lovelace', 'audio'],
    ['Audio only - Elisa L.m4a', 'Elisa L', 'audio'],
    ['01 - Ada Lovelace.mp3', 'Ada Lovelace', 'audio'],
    ['Jean-Luc_2026-03-11_09-30-00.flac', 'Jean-Luc', 'audio'],
    ['video-2_Grace-Hopper_20260311.mp4', 'Grace-Hopper', 'video'],
    ['screen-share-ada.mp4', 'ada', 'screen'],
    ['R2D2 (1).wav', 'R2D2', 'audio'],
    ['people\\Łukasz.wav', 'Łukasz', 'audio'],
    ['3.wav', '', 'audio'],
    [`${'-'.repeat(400)}x.wav`, 'x', 'audio'],
  ])('of others are named after their files: %s', async (file, name, kind) => {
    expect(await tracksIn(named(file))).toEqual([[file.replaceAll('\\', '/'), name, kind, null]]);
  });

  it('are looked for in what is known as one by its first bytes', async () => {
    expect(await detectFileType(zip(named('ada.wav')).subarray(0, 30), false)).toBe('application/zip');
  });

  it('are unpacked one at a time', async () => {
    const files = [{ name: 'ada.wav', content: 'a'.repeat(300_000) }, ...named('grace.wav')];
    await writeFile(path, zip(files));
    expect((await readArchive(path, LIMITS)).map(({ entry }) => entry)).toEqual(['ada.wav', 'grace.wav']);
    await extractTrack(path, 'ada.wav', join(folder, 'ada.wav'), never);
    expect((await readFile(join(folder, 'ada.wav'), 'utf8')) === files[0]!.content).toBe(true);
    await expect(extractTrack(path, 'ada.wav', join(folder, 'ada.wav'), never)).rejects.toThrow('EEXIST');
    await expect(extractTrack(path, 'eve.wav', join(folder, 'eve'), never)).rejects.toThrow(
      new ArchiveError('eve.wav', 'is not in the ZIP archive'),
    );
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(extractTrack(path, 'grace.wav', join(folder, 'grace.wav'), gone)).rejects.toThrow('aborted');
  });
});

/** With a field of the directory changed, of the first file: 16 bits at an offset. */
function changed(archive: Buffer, ...changes: readonly (readonly [offset: number, value: number])[]): Buffer {
  const entry = archive.indexOf('PK\x01\x02');
  for (const [offset, value] of changes) archive.writeUInt16LE(value, entry + offset);
  return archive;
}
const TAKEN = 'send one from Zoom, Craig, LiveKit, BigBlueButton or Jitsi';
const manifest = (content: string, claimedSize?: number): ZipEntry[] => [
  ...named('a.ogg'),
  { name: 'EG_1.json', content, ...(claimedSize !== undefined && { claimedSize }) },
];
const two = (): Buffer => zip(named('ada.wav', 'eve.wav'));
const withEnd = (archive: Buffer, offset: number, value: number): Buffer => {
  archive.writeUInt16LE(value, archive.length - 22 + offset);
  return archive;
};

describe('a ZIP archive is not taken', () => {
  it.each<[string, readonly ZipEntry[] | Buffer, string]>([
    [
      'if it is none',
      Buffer.from('RIFF....WAVE'),
      'the ZIP archive: cannot be read: End of central directory record signature not found',
    ],
    [
      'if it is truncated',
      two().subarray(0, 150),
      'the ZIP archive: cannot be read: End of central directory record signature not found',
    ],
    [
      'without media',
      named('notes.txt', 'a.png', 'b.json'),
      `the ZIP archive: has no audio or video; ${TAKEN}`,
    ],
    ['with an archive in it', named('notes.txt', 'lib 0.zip'), `lib 0.zip: is itself an archive; ${TAKEN}`],
    ['with only a mix', named('audio1234567.m4a'), `audio1234567.m4a: is the mix of all; ${TAKEN}`],
    [
      'with a large track',
      [{ name: 'a.wav', content: '', claimedSize: 1024 ** 2 + 1 }],
      'a.wav: is larger than 1 MiB',
    ],
    [
      'with many tracks',
      named(...Array.from({ length: 51 }, (_, index) => `${index}.wav`)),
      '50.wav: is one more than the 50 tracks that are accepted',
    ],
    ['with many files', withEnd(two(), 10, 65_535), 'the ZIP archive: has more than 10,000 files'],
    [
      'with more files said than there are',
      withEnd(two(), 10, 3),
      'the ZIP archive: cannot be read: unexpected EOF',
    ],
    ['with a name twice', named('ada.wav', 'ada.wav'), 'ada.wav: is in the ZIP archive twice'],
    [
      'with files that overlap',
      changed(two(), [20, 60]),
      'ada.wav: overlaps with another file, or is incomplete',
    ],
    [
      'with a relative path',
      named('a/../../etc/ada.wav'),
      'cannot be read: invalid relative path: a/../../etc/ada.wav',
    ],
    [
      'with an absolute path',
      named('ada.wav', '/etc/ada.wav'),
      'cannot be read: absolute path: /etc/ada.wav',
    ],
    ['with a link', changed(two(), [40, 0o120777]), 'ada.wav: is a symbolic link'],
    [
      'with control characters',
      named('ä\u001b[31mda.wav'),
      'ä [31mda.wav: has control characters in its name',
    ],
    ['with a long name', named(`${'a'.repeat(10_000)}.wav`), 'aaa…: has a path of more than 500 characters'],
    [
      'with much said of it',
      named('a', 'b', 'c', 'd').flatMap(({ name }) =>
        Array.from({ length: 40 }, (_, i) => ({ name: name.repeat(60_000) + i, content: '' })),
      ),
      'cannot be read: names of over 8 MiB',
    ],
    ['encrypted', changed(two(), [8, 1]), 'ada.wav: is encrypted; send a ZIP archive without a password'],
    ['strongly encrypted', changed(two(), [8, 0x41]), 'cannot be read: strong encryption'],
    [
      'compressed otherwise',
      changed(two(), [10, 9]),
      'ada.wav: is compressed by another method than "deflate"',
    ],
    ['with a large manifest', manifest('', 1_000_000_000), 'EG_1.json: is larger than 1 MiB'],
    [
      'with a manifest larger than it says',
      manifest(' '.repeat(100_000), 10),
      'EG_1.json: cannot be read: too many bytes in the stream',
    ],
    [
      'with a deep manifest',
      manifest('['.repeat(1024 ** 2)),
      'EG_1.json: is not a manifest as LiveKit writes it',
    ],
    [
      'with another manifest',
      manifest('{"files":[{"filename":1}]}'),
      'EG_1.json: is not a manifest as LiveKit writes it',
    ],
  ])('%s', async (_, archive, message) => {
    const reading = tracksIn(archive);
    await expect(reading).rejects.toBeInstanceOf(ArchiveError);
    const [start = '', end = ''] = message.split('aaa…');
    await expect(reading).rejects.toThrow(end === '' ? start : end);
    await expect(readInThread({ path, limits: LIMITS })).resolves.toEqual({
      mistake: await reading.catch((error: ArchiveError) => error.message),
    });
  });

  it('if a track has more bytes than it says, of which no more are written', async () => {
    await writeFile(path, zip([{ name: 'ada.wav', content: 'a'.repeat(5_000_000), claimedSize: 100_000 }]));
    const to = join(folder, 'bomb.wav');
    await expect(extractTrack(path, 'ada.wav', to, never)).rejects.toThrow(
      'ada.wav: cannot be read: too many bytes',
    );
    expect((await readFile(to)).length).toBeLessThanOrEqual(100_000);
  });

  it('but errors of the disk are no fault of it', async () => {
    await expect(readInThread({ path: join(folder, 'none.zip'), limits: LIMITS })).rejects.toThrow('ENOENT');
  });
});
