/** Bytes at the start of a file that `file-type` does not know or takes for something else. */
export interface Signature {
  readonly type: string;
  /** Latin-1 text by offset; all must match. */
  readonly at: Readonly<Record<number, string>>;
}

/** Boxes with which a QuickTime file or a fragment of an MP4 may begin; their size comes first. */
const BOXES = ['pnot', 'skip', 'styp', 'moof', 'sidx', 'emsg'];
/** First NAL unit of an elementary stream, after its start code. */
const H264_NAL_UNITS = ['\x09', '\x27', '\x47', '\x67'];
const H265_NAL_UNITS = ['\x40\x01', '\x42\x01', '\x46\x01'];
const afterStartCode = (units: readonly string[]): string[] =>
  ['\0\0\x01', '\0\0\0\x01'].flatMap((code) => units.map((unit) => code + unit));

/** By type: how files begin, as text or by offset. */
const BEGINNINGS: Readonly<Record<string, readonly (string | Signature['at'])[]>> = {
  'audio/wav': ['RF64', 'BW64', 'RIFX'].map((start) => ({ 0: start, 8: 'WAVE' })),
  'audio/x-w64': ['riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0'],
  'audio/x-caf': ['caff\0'],
  'audio/basic': ['.snd'],
  'audio/x-tta': ['TTA1'],
  'audio/x-tak': ['tBaK'],
  'audio/aac': ['ADIF'],
  'audio/x-pn-realaudio': ['.ra\xfd'],
  'audio/vnd.dolby.mlp': [{ 4: '\xf8\x72\x6f\xba' }, { 4: '\xf8\x72\x6f\xbb' }],
  'audio/vnd.dts': ['\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8\0', '\xff\x1f\0\xe8'],
  'audio/vnd.dts.hd': ['DTSHDHDR'],
  'video/x-ivf': ['DKIF'],
  'video/x-nut': ['nut/multimedia container\0'],
  'video/x-dv': ['\x1f\x07\0\x3f', '\x1f\x07\0\xbf'],
  'video/mp4v-es': ['\0\0\x01\xb0', '\0\0\x01\x20', '\0\0\x01\0\0\0\x01\x20'],
  'video/h264': afterStartCode(H264_NAL_UNITS),
  'video/h265': afterStartCode(H265_NAL_UNITS),
  // A temporal delimiter, then a sequence header.
  'video/av1': ['\x12\0\x0a'],
  'video/quicktime': BOXES.map((box) => ({ 4: box })),
  'application/x-mpegurl': ['#EXTM3U'],
};

export const SIGNATURES: readonly Signature[] = Object.entries(BEGINNINGS).flatMap(([type, beginnings]) =>
  beginnings.map((at) => ({ type, at: typeof at === 'string' ? { 0: at } : at })),
);

const SYNC = 0x47;
/** Plain; with a time code before each packet (M2TS); with error correction after it. */
const PACKET_SIZES = [188, 192, 204] as const;
const PACKETS = 5;

/** Packet size of an MPEG-TS, and where the first one begins; null if packets do not follow each other here. */
export function transportPackets(bytes: Uint8Array): { size: number; start: number } | null {
  for (const size of PACKET_SIZES)
    for (let start = 0; start < size; start++) {
      const follow = Array.from({ length: PACKETS }, (_, packet) => bytes[start + packet * size]);
      if (follow.every((byte) => byte === SYNC)) return { size, start };
    }
  return null;
}
