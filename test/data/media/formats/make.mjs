// Makes the media files in this folder: `node make.mjs`. Needs FFmpeg 5.1 or later with its usual encoders (Debian:
// `apt-get install ffmpeg`). Everything is synthetic: a test pattern, a sine, and bytes that this script writes itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'formats-'));
const path = (name) => join(here, name);
const draft = (name) => join(scratch, name);
const EXACT = '-threads 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1';

/** Seconds of a test pattern of 128 by 96 pixels, 5 (or `rate`) frames per second. */
const picture = (seconds = 2, rate = 5) => `-f lavfi -i testsrc=size=128x96:rate=${rate}:duration=${seconds}`;
const sound = (seconds = 2, rate = 16000) => `-f lavfi -i sine=frequency=440:sample_rate=${rate}:duration=${seconds}`;
const both = (seconds = 2, rate = 16000) => `${picture(seconds)} ${sound(seconds, rate)}`;

const H264 = '-c:v libx264 -preset veryfast -crf 44 -pix_fmt yuv420p -g 20';
const HEVC = '-c:v libx265 -preset ultrafast -crf 44 -pix_fmt yuv420p -x265-params log-level=none:info=0:pools=none:frame-threads=1';
const VP8 = '-c:v libvpx -b:v 25k';
const VP9 = '-c:v libvpx-vp9 -b:v 25k -cpu-used 8 -pix_fmt yuv420p';
const AV1 = '-c:v libaom-av1 -b:v 25k -cpu-used 8 -pix_fmt yuv420p';
const MPEG4 = '-c:v mpeg4 -q:v 20';
const AAC = '-c:a aac -b:a 24k';
const OPUS = '-c:a libopus -b:a 16k';
const MP3 = '-c:a libmp3lame -b:a 24k';
const VORBIS = '-c:a libvorbis -q:a 0';

/** Arguments of FFmpeg for each file. */
const ENCODED = {
  'h264-aac.mp4': `${both()} ${H264} ${AAC} -movflags +faststart`,
  'hevc-aac.mp4': `${both()} ${HEVC} -tag:v hvc1 ${AAC}`,
  'vp9-opus.mp4': `${both()} ${VP9} ${OPUS}`,
  'av1-opus.mp4': `${both()} ${AV1} ${OPUS}`,
  'mpeg4-mp3.mp4': `${both()} ${MPEG4} ${MP3}`,
  'h264-aac.mov': `${both()} ${H264} ${AAC}`,
  'prores-pcm.mov': `${picture(1, 5)} ${sound(1, 8000)} -c:v prores_ks -profile:v proxy -c:a pcm_s16le`,
  'mjpeg-pcm.mov': `${picture(1)} ${sound(1, 8000)} -c:v mjpeg -q:v 20 -pix_fmt yuvj420p -c:a pcm_u8`,
  'h263-aac.3gp': `${picture()} ${sound()} -c:v h263 -q:v 20 ${AAC}`,
  'h264-aac.mkv': `${both()} ${H264} ${AAC}`,
  'hevc-ac3.mkv': `${both(2, 32000)} ${HEVC} -c:a ac3 -b:a 32k`,
  'vp8-vorbis.webm': `${both()} ${VP8} ${VORBIS}`,
  'vp9-opus.webm': `${both()} ${VP9} ${OPUS}`,
  'av1-opus.webm': `${both()} ${AV1} ${OPUS}`,
  'mpeg4-mp3.avi': `${both()} ${MPEG4} -vtag XVID ${MP3}`,
  'h264-mp3.avi': `${both()} ${H264} -bf 0 ${MP3}`,
  'mjpeg-pcm.avi': `${picture(1)} ${sound(1, 8000)} -c:v mjpeg -q:v 20 -pix_fmt yuvj420p -c:a pcm_u8`,
  'flv1-mp3.flv': `${both(2, 22050)} -c:v flv -q:v 20 ${MP3}`,
  'h264-aac.flv': `${both(2, 22050)} ${H264} ${AAC}`,
  'wmv2-wmav2.wmv': `${both()} -c:v wmv2 -q:v 20 -c:a wmav2 -b:a 24k -packet_size 1024`,
  'mpeg1-mp2.mpg': `${picture(2, 25)} ${sound(2, 32000)} -c:v mpeg1video -b:v 40k -qmax 31 -g 100 -c:a mp2 -b:a 32k`,
  'mpeg2-ac3.vob': `${picture(2, 25)} ${sound(2, 32000)} -c:v mpeg2video -b:v 40k -qmax 31 -g 100 -c:a ac3 -b:a 32k -f vob`,
  'h264-aac.m2t': `${picture(2, 5)} ${sound()} ${H264} ${AAC} -f mpegts`,
  'mpeg2-mp2.m2t': `${picture(1, 25)} ${sound(1, 32000)} -c:v mpeg2video -b:v 40k -qmax 31 -g 100 -c:a mp2 -b:a 32k -f mpegts`,
  'h264-ac3.m2ts': `${picture(2, 5)} ${sound(2, 32000)} ${H264} -c:a ac3 -b:a 32k -f mpegts -mpegts_m2ts_mode 1`,
  'theora-vorbis.ogv': `${both()} -c:v libtheora -q:v 1 ${VORBIS}`,
  'mpeg2.mxf': `${picture(0.6, 25)} -c:v mpeg2video -b:v 60k -qmax 31 -g 100 -f mxf`,
  'mpeg4-vorbis.nut': `${both()} ${MPEG4} ${VORBIS}`,
  'rv20-ac3.rm': `${both(2, 32000)} -c:v rv20 -q:v 20 -c:a ac3 -b:a 32k`,
  'vp8.ivf': `${picture()} ${VP8}`,
  'h264.h264': `${picture(2, 25)} ${H264} -f h264`,
  'mpeg2.m2v': `${picture(2, 25)} -c:v mpeg2video -b:v 40k -qmax 31 -g 100 -f mpeg2video`,

  'pcm.wav': `${sound(1, 8000)} -c:a pcm_s16le`,
  'pcm-float.wav': `${sound(0.5, 8000)} -c:a pcm_f32le`,
  'mulaw.wav': `${sound(2, 8000)} -c:a pcm_mulaw`,
  'adpcm-ms.wav': `${sound(2, 8000)} -c:a adpcm_ms`,
  'adpcm-ima.wav': `${sound(2, 8000)} -c:a adpcm_ima_wav`,
  'gsm.wav': `${sound(2, 8000)} -c:a libgsm_ms`,
  'mp3.mp3': `${sound()} ${MP3}`,
  'aac.aac': `${sound()} ${AAC} -f adts`,
  'aac.m4a': `${sound()} ${AAC}`,
  'alac.m4a': `${sound(2, 8000)} -c:a alac`,
  'vorbis.ogg': `${sound()} ${VORBIS}`,
  'opus.opus': `${sound()} ${OPUS}`,
  'speex.spx': `${sound()} -c:a libspeex -b:a 16k`,
  'flac.oga': `${sound(2, 8000)} -c:a flac -f ogg`,
  'flac.flac': `${sound(2, 8000)} -c:a flac`,
  'pcm.aiff': `${sound(1, 8000)} -c:a pcm_s16be`,
  'ima4.caf': `${sound(2, 8000)} -c:a adpcm_ima_qt -frames:a 250`,
  'pcm.au': `${sound(1, 8000)} -c:a pcm_s16be`,
  'pcm.w64': `${sound(1, 8000)} -c:a pcm_s16le`,
  'wmav2.wma': `${sound()} -c:a wmav2 -b:a 24k -packet_size 1024`,
  'ac3.ac3': `${sound(2, 32000)} -c:a ac3 -b:a 32k`,
  'eac3.eac3': `${sound(2, 32000)} -c:a eac3 -b:a 32k`,
  'dts.dts': `${sound(1, 8000)} -strict experimental -c:a dca -ac 2 -ar 8000 -b:a 64k`,
  'wavpack.wv': `${sound(2, 8000)} -c:a wavpack`,
  'tta.tta': `${sound(2, 8000)} -c:a tta`,
  'opus.mka': `${sound()} ${OPUS}`,

  'short-100ms.mp4': `${picture(0.1, 20)} ${sound(0.1)} ${H264} ${AAC}`,
  'short-200ms.webm': `${picture(0.2, 20)} ${sound(0.2)} ${VP8} ${OPUS}`,
  'short-300ms.wav': `${sound(0.3)} -c:a pcm_s16le`,

  'animation.gif': `${picture(1)}`,
  'animation.apng': `${picture(1, 2)} -f apng`,
  'picture.webp': `${picture(0.1)} -frames:v 1 -c:v libwebp`,
};

/** Files that no encoder writes: damaged, joined, or with bytes before the media. */
const ASSEMBLED = {
  'mono-then-stereo.mp3': () =>
    Buffer.concat([
      encode('mono.mp3', `${sound(1)} ${MP3} -ac 1 -write_xing 0 -id3v2_version 0`),
      encode('stereo.mp3', `${sound(2)} -c:a libmp3lame -b:a 32k -ac 2 -write_xing 0 -id3v2_version 0`),
    ]),
  'leading-zeros.mp3': () => Buffer.concat([Buffer.alloc(6_000), readFileSync(path('mp3.mp3'))]),
  // A cover image puts the first frame behind the bytes that are inspected.
  'large-cover.mp3': () => {
    writeFileSync(draft('cover.jpg'), encode('cover.jpg', `${picture(0.1)} -frames:v 1 -c:v mjpeg -q:v 2 -vf scale=320:240`));
    const args = `${sound(1)} -i ${draft('cover.jpg')} -map 0 -map 1 ${MP3} -c:v copy -disposition:v attached_pic`;
    return encode('cover.mp3', args);
  },
  'metadata-on-several-pages.ogg': () => smallHeaderPages(encode('tags.ogg', `${sound()} ${VORBIS} -metadata comment=${'notes-'.repeat(2_500)}`)),
  'chained.ogg': () =>
    Buffer.concat([
      encode('first.ogg', `${sound(1.3)} ${VORBIS} -serial_offset 100`),
      encode('second.ogg', `${sound(1.7)} ${VORBIS} -serial_offset 200`),
    ]),
  'truncated.mp4': () => cut(encode('long.mp4', `${both(8)} ${H264} ${AAC} -movflags +faststart`), 0.45),
  'truncated.mkv': () => cut(encode('long.mkv', `${both(6)} ${H264} ${AAC}`), 0.5),
  'truncated.wav': () => cut(encode('long.wav', `${sound(2, 8000)} -c:a pcm_s16le`), 0.5),
  'truncated.mp3': () => cut(encode('long.mp3', `${sound(3)} ${MP3}`), 0.5),
  'truncated.avi': () => cut(encode('long.avi', `${both(5)} ${MPEG4} ${MP3}`), 0.5),
  // 100 frames of 20 ms, at 4.75 kbit/s.
  'amr.amr': () => Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: 100 }, amrFrame)]),
  'unknown-codec.mp4': () => Buffer.from(readFileSync(path('h264-aac.mp4')).toString('latin1').replaceAll('avc1', 'zz01'), 'latin1'),
};

for (const [name, args] of Object.entries(ENCODED)) ffmpeg(args, path(name));
for (const [name, make] of Object.entries(ASSEMBLED)) writeFileSync(path(name), make());
rmSync(scratch, { recursive: true });

function ffmpeg(args, target) {
  execFileSync('ffmpeg', [...`-v error -y ${args} ${EXACT}`.split(' '), target], { stdio: 'inherit' });
}

function encode(name, args) {
  ffmpeg(args.replace('-metadata', '-map_metadata -1 -metadata'), draft(name));
  return readFileSync(draft(name));
}

function cut(data, part) {
  return data.subarray(0, Math.floor(data.length * part));
}

function amrFrame(_, index) {
  return Buffer.from([0x04, ...Array.from({ length: 12 }, (_byte, at) => (index * 31 + at * 67) & 0xff)]);
}

/** Divides the packets of the second page (comments and tables of Vorbis) into pages of at most 1,020 bytes. */
function smallHeaderPages(data) {
  const pages = pagesOf(data);
  const [first, ...others] = pages;
  const headers = others.filter(({ granule }) => granule === 0n);
  const lengths = headers.flatMap(({ lacing }) => [...lacing]);
  let body = Buffer.concat(headers.map((page) => page.body));
  const made = [];
  for (let at = 0; at < lengths.length; at += 4) {
    const lacing = lengths.slice(at, at + 4);
    const size = lacing.reduce((sum, length) => sum + length, 0);
    // A page on which no packet ends has no position.
    const granule = lacing.some((length) => length < 255) ? 0n : -1n;
    const continues = at > 0 && lengths[at - 1] === 255;
    made.push({ flags: continues ? 1 : 0, granule, serial: first.serial, lacing, body: body.subarray(0, size) });
    body = body.subarray(size);
  }
  const rest = others.slice(headers.length);
  return Buffer.concat([first, ...made, ...rest].map((page, number) => pageBytes(page, number)));
}

function pagesOf(data) {
  const pages = [];
  for (let at = 0; at < data.length;) {
    const count = data[at + 26];
    const lacing = [...data.subarray(at + 27, at + 27 + count)];
    const size = lacing.reduce((sum, length) => sum + length, 0);
    const start = at + 27 + count;
    pages.push({ flags: data[at + 5], granule: data.readBigInt64LE(at + 6), serial: data.readUInt32LE(at + 14), lacing, body: data.subarray(start, start + size) });
    at = start + size;
  }
  return pages;
}

function pageBytes({ flags, granule, serial, lacing, body }, number) {
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(granule, 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(number, 18);
  head[26] = lacing.length;
  const page = Buffer.concat([head, Buffer.from(lacing), body]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
}

/** CRC-32 of Ogg: polynomial 04c11db7, not reflected. */
function checksum(page) {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0);
  }
  return sum >>> 0;
}
