const HLS = [
  '-f',
  'hls',
  '-hls_time',
  '6',
  '-hls_playlist_type',
  'vod',
  '-hls_segment_type',
  'fmp4',
  '-hls_flags',
  'single_file',
];
const SOUND = ['-c:a', 'aac', '-b:a', '128k'];
const PICTURE = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'];
const KEY_FRAMES = ['-force_key_frames', 'expr:gte(t,n_forced*2)'];
const ARGUMENTS = {
  copy: ['-c', 'copy'],
  video: [...PICTURE, ...KEY_FRAMES, ...SOUND],
  sound: ['-vn', ...SOUND],
};

export const YARDSTICK = 'ffmpeg';

/** What is compared: FFmpeg alone, and the service with and without `FFMPEG_PATH`. `ask` is a request to `run.js`. */
export function sidesOf(ffmpeg) {
  return [
    {
      name: YARDSTICK,
      ask: ({ file, work }, folder) => ({
        kind: 'program',
        program: ffmpeg,
        args: ['-nostdin', '-v', 'error', '-i', file, ...ARGUMENTS[work], ...HLS, `${folder}/media.m3u8`],
      }),
    },
    { name: 'service', ask: ({ file }, folder) => ({ kind: 'packager', source: file, folder }) },
    {
      name: 'service, FFMPEG_PATH',
      ask: ({ file }, folder) => ({ kind: 'packager', ffmpegPath: ffmpeg, source: file, folder }),
    },
  ];
}
