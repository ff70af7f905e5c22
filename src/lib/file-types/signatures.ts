/** Bytes at the start of a file that `file-type` does not know or takes for something else. */
export interface Signature {
  readonly type: string;
  /** Latin-1 text by offset; all must match. */
  readonly at: Readonly<Record<number, string>>;
}

const sign = (type: string, start: string, more: Signature['at'] = {}): Signature => ({
  type,
  at: { 0: start, ...more },
});

/** Boxes with which a QuickTime file or a fragment of an MP4 may begin; their size comes first. */
const BOXES = ['pnot', 'skip', 'styp', 'moof', 'sidx', 'emsg'];
/** First NAL unit of an elementary stream, after its start code. */
const H264_NAL_UNITS = ['\x09', '\x27', '\x47', '\x67'];
const H265_NAL_UNITS = ['\x40\x01', '\x42\x01', '\x46\x01'];
const START_CODES = ['\0\0\x01', '\0\0\0\x01'];
const startsWith = (type: string, units: string[]): Signature[] =>
  START_CODES.flatMap((code) => units.map((unit) => sign(type, code + unit)));

export const SIGNATURES: readonly Signature[] = [
  sign('audio/aiff', 'FORM', { 8: 'AIFF' }),
  sign('audio/aiff', 'FORM', { 8: 'AIFC' }),
  sign('audio/wav', 'RF64', { 8: 'WAVE' }),
  sign('audio/wav', 'BW64', { 8: 'WAVE' }),
  sign('audio/wav', 'RIFX', { 8: 'WAVE' }),
  sign('audio/x-w64', 'riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0'),
  sign('audio/x-caf', 'caff\0'),
  sign('audio/basic', '.snd'),
  sign('audio/x-tta', 'TTA1'),
  sign('audio/x-tak', 'tBaK'),
  sign('audio/aac', 'ADIF'),
  sign('audio/x-pn-realaudio', '.ra\xfd'),
  sign('audio/vnd.dolby.dd-raw', '\x0b\x77'),
  sign('audio/vnd.dolby.mlp', '', { 4: '\xf8\x72\x6f\xba' }),
  sign('audio/vnd.dolby.mlp', '', { 4: '\xf8\x72\x6f\xbb' }),
  sign('audio/vnd.dts', '\x7f\xfe\x80\x01'),
  sign('audio/vnd.dts', '\xfe\x7f\x01\x80'),
  sign('audio/vnd.dts', '\x1f\xff\xe8\0'),
  sign('audio/vnd.dts', '\xff\x1f\0\xe8'),
  sign('audio/vnd.dts.hd', 'DTSHDHDR'),
  sign('video/x-ivf', 'DKIF'),
  sign('video/x-nut', 'nut/multimedia container\0'),
  sign('video/x-dv', '\x1f\x07\0\x3f'),
  sign('video/x-dv', '\x1f\x07\0\xbf'),
  sign('video/mp4v-es', '\0\0\x01\xb0'),
  sign('video/mp4v-es', '\0\0\x01\x20'),
  sign('video/mp4v-es', '\0\0\x01\0\0\0\x01\x20'),
  ...startsWith('video/h264', H264_NAL_UNITS),
  ...startsWith('video/h265', H265_NAL_UNITS),
  // A temporal delimiter, then a sequence header.
  sign('video/av1', '\x12\0\x0a'),
  ...BOXES.map((box) => sign('video/quicktime', '', { 4: box })),
  sign('application/x-mpegurl', '#EXTM3U'),
];
