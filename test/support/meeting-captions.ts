/** `metadataContent` of a `callTranscript`, as Microsoft Graph documents it. */
export const TEAMS_METADATA = `WEBVTT

00:00:16.246 --> 00:00:17.726
{
  "startDateTime": "2023-02-07T21:02:31.0000000+00:00", "endDateTime": "2023-02-07T21:02:32.4800000+00:00", "speakerName": "Ada Byron",
  "spokenText": "Good <b>morning</b> & \\"welcome\\".", "spokenLanguage": "en-us"
}

00:00:18.000 --> 00:00:19.000
{"startDateTime":"2023-02-07T21:02:33+00:00","endDateTime":"2023-02-07T21:02:34+00:00","speakerName":"","spokenText":"Note: hi.","spokenLanguage":"en-us"}
`;

export const WEBEX = `WEBVTT

1 "Ada Byron" (1234567890)
00:00:01.000 --> 00:00:02.500
Good morning.

2 "" (0)
00:00:03.000 --> 00:00:04.000
Note: hi.

3 "Grace "Amazing" Hopper" (987654321)
00:00:05.000 --> 00:00:06.000
Bye.
`;

export const ZOOM = `[Ada Byron] 23:59:58
Good morning,
everybody.

[Grace] 00:00:03
Hi.

[Ada Byron] 00:00:02
Late.
`;

export const SBV = `0:00:01.000,0:00:02.500
Ada: Good morning.[br]Welcome.

0:00:03.000,0:00:04.000
Grace: Hi.
`;

/** What `whisper` prints. */
export const WHISPER_OUTPUT = `Detecting language using up to the first 30 seconds. Use \`--language\` to specify the language
Detected language: English
[00:00.000 --> 00:02.500]  Good morning.
[01:00:03.000 --> 01:00:04.250]  Hi there.
`;

export const WHISPER_TSV = 'start\tend\ttext\n1000\t2500\tGood morning.\n3000\t4000\tHi, "there".\n';

/** Two sessions of 2 s, each with its own header. */
export const JOINED = `WEBVTT
X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000

00:01.000 --> 00:02.000
one

WEBVTT
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1080000

00:01.000 --> 00:02.000
two
`;
