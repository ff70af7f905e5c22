/** A service whose files have members that no other writes. */
export interface JsonService {
  readonly name: string;
  readonly title: string;
  /** Of the path of a member of the items of its transcript. */
  readonly mark: RegExp;
  /** What its numbers have to be, in seconds. */
  readonly unit?: number;
}

/** The first with a mark names the format; all are read alike. */
const SERVICES: readonly JsonService[] = [
  { name: 'whisper-cpp', title: 'whisper.cpp', mark: /^transcription\[\]\.offsets\./ },
  { name: 'whisper-chunks', title: 'Hugging Face', mark: /^(?:chunks|speakers)?\[\]\.timestamp\.0$/ },
  { name: 'deepgram', title: 'Deepgram', mark: /^results\.(?:channels|utterances)\[\]/ },
  {
    name: 'assemblyai',
    title: 'AssemblyAI',
    mark: /^(?:utterances|sentences|paragraphs|words)\[\]\.text$/,
    unit: 1e-3,
  },
  { name: 'aws-transcribe', title: 'Amazon Transcribe', mark: /^results\.(?:items|audio_segments)\[\]/ },
  { name: 'azure', title: 'Azure Speech', mark: /^(?:recognizedPhrases|phrases)\[\]\.offset/ },
  {
    name: 'elevenlabs',
    title: 'ElevenLabs',
    mark: /^(?:words|data\.transcription\.words|transcripts\[\]\.words)\[\]\.type$|^segments\[\]\.start_time$/,
  },
  { name: 'fathom', title: 'Fathom', mark: /^(?:(?:data\.)?transcript)?\[\]\.speaker\.display_?name$/i },
  { name: 'fireflies-api', title: 'Fireflies', mark: /(?:sentences|^)\[\]\.(?:speaker_name|raw_text)$/ },
  {
    name: 'google-speech',
    title: 'Google Speech-to-Text',
    mark: /results\[\]\.alternatives(?:\[\]\.words|\.0\.transcript)/,
  },
  { name: 'speechmatics', title: 'Speechmatics', mark: /^results\[\]\.alternatives\.0\.content$/ },
];

/** What a message lists. */
export const JSON_FORMATS: readonly Omit<JsonService, 'mark'>[] = [
  { name: 'json', title: 'this API, Whisper, WhisperX' },
  ...SERVICES,
  { name: 'json', title: 'any list of texts with times' },
];

/** The name of the format of a list, by the path of its members and the unit of its numbers. */
export function formatOf(path: string, members: readonly string[], scale: number): string {
  const paths = members.map((member) => `${path}[].${member}`);
  const service = SERVICES.find(
    ({ mark, unit = scale }) => unit === scale && paths.some((one) => mark.test(one)),
  );
  return service?.name ?? 'json';
}
