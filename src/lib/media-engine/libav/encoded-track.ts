import type { Frame, Stream } from 'node-av/lib';
import {
  mixFilters,
  type AudioEncoder,
  type Conversion,
  type EncodedTrack as Track,
  type SoundCount,
} from '../engine/media-tool.js';
import { TrackEncoder } from './codecs.js';
import { FilterChain, FormatChain } from './filter-chain.js';
import type { FileWriter, TimeBase } from './media-files.js';
import { AudioTimeline, PictureTimeline } from './timelines.js';

/** Seconds by which the streams of a mix may be apart in the file; one that is further behind is silent. */
const MAX_LAG = 10;
/** Samples that the encoder takes at a time. */
const AAC_FRAME = 1024;

/** A track that is decoded, filtered and encoded anew. */
export class EncodedTrack implements Disposable {
  private readonly encoder: TrackEncoder;
  private readonly audio: AudioEncoder | null;
  private readonly place: number;
  /** Chains by the place of the input, and by the index of the stream in it. */
  private readonly chains = new Map<number, Map<number, FormatChain>>();
  /** Timelines of audio, one for each stream that is mixed. */
  private readonly timelines: readonly AudioTimeline[];
  private readonly pictures: PictureTimeline | null;
  /** Mixes audio, and cuts it into frames for the encoder; null if neither is needed. */
  private readonly finish: FilterChain | null;
  private frames = 0;
  private decodedSeconds = 0;
  private conformedSamples = 0;
  private sentSamples = 0;
  private writtenSamples = 0;

  /** `source` is a stream that the track is made of, if the first input has one. */
  constructor(
    private readonly track: Track,
    source: Stream | null,
    private readonly writer: FileWriter,
    private readonly bounds: Required<Pick<Conversion, 'frames' | 'until' | 'together'>>,
  ) {
    const { encoder, sources } = track;
    this.audio = 'sampleRate' in encoder ? encoder : null;
    this.encoder = new TrackEncoder(encoder, source);
    this.place = writer.addTrack((to) => this.encoder.describe(to));
    const { audio } = this;
    this.pictures = audio ? null : new PictureTimeline((frame, timeBase) => this.send(frame, timeBase));
    const counts = bounds.together ? [sources.flat().length] : sources.map((streams) => streams.length);
    const mixed = audio ? Math.max(1, ...counts) : 0;
    this.finish = audio && this.soundFinish(audio, mixed);
    this.timelines = Array.from({ length: mixed }, (_, place) => {
      const onFrame = (frame: Frame): void => this.finishSound(frame, place);
      return new AudioTimeline(audio as AudioEncoder, bounds.until, onFrame);
    });
  }

  /** Nothing more is wanted. */
  get isComplete(): boolean {
    return this.frames >= this.bounds.frames;
  }

  begin(input: number): void {
    const { sources } = this.track;
    const { together } = this.bounds;
    const first = together ? sources.slice(0, input).flat().length : 0;
    const cut = together && (this.audio ? 'atrim=start=0' : 'trim=start=0');
    const chains = (sources[input] ?? []).map(({ stream, upright }, place) => {
      const filters = [upright, this.track.filters, cut].filter(Boolean).join(',');
      const onFrame = (frame: Frame, timeBase: TimeBase) => this.conform(frame, timeBase, first + place);
      return [stream, new FormatChain(filters, onFrame)] as const;
    });
    this.chains.set(input, new Map(chains));
    for (const timeline of this.timelines) timeline.begin();
  }

  /** Whether it is made of this stream of this input. */
  uses(input: number, stream: number): boolean {
    return this.chains.get(input)?.has(stream) ?? false;
  }

  push(input: number, stream: number, frame: Frame, timeBase: TimeBase): void {
    if (this.audio) this.decodedSeconds += frame.nbSamples / frame.sampleRate;
    this.chains.get(input)?.get(stream)?.push(frame, timeBase);
    if (this.timelines.length > 1)
      this.fillUntil((Number(frame.pts) * timeBase.num) / timeBase.den - MAX_LAG);
  }

  /** The input has no more frames. */
  endInput(input: number): void {
    for (const chain of this.chains.get(input)?.values() ?? []) chain.end();
    this.chains.delete(input);
  }

  end(): void {
    const { end, until } = this.track.span;
    if (until > end) {
      this.pictures?.hold(until);
      this.fillUntil(until);
    }
    this.finish?.end();
    this.encode(null);
  }

  /** Null for video. */
  count(): SoundCount | null {
    const { audio, timelines, decodedSeconds, conformedSamples, sentSamples, writtenSamples } = this;
    if (!audio) return null;
    const losses = [
      decodedSeconds * audio.sampleRate - conformedSamples,
      ...timelines.map(({ dropped }) => dropped),
      Math.max(...timelines.map(({ length }) => length)) - sentSamples,
      sentSamples - writtenSamples,
    ];
    const lost = losses.reduce((sum, samples) => sum + Math.max(0, samples), 0);
    return { decoded: decodedSeconds, lost: lost / audio.sampleRate };
  }

  [Symbol.dispose](): void {
    for (const chains of this.chains.values()) for (const chain of chains.values()) chain[Symbol.dispose]();
    for (const timeline of this.timelines) timeline[Symbol.dispose]();
    this.pictures?.[Symbol.dispose]();
    this.finish?.[Symbol.dispose]();
    this.encoder[Symbol.dispose]();
  }

  /** Silence until then, of streams that have nothing yet. */
  fillUntil(seconds: number): void {
    const samples = Math.floor(seconds * (this.audio?.sampleRate ?? 0));
    for (const timeline of this.timelines) timeline.fill(samples);
  }

  private conform(frame: Frame, timeBase: TimeBase, place: number): void {
    this.pictures?.place(frame, timeBase);
    if (this.audio) this.conformedSamples += frame.nbSamples;
    this.timelines[place]?.place(frame, timeBase);
  }

  private soundFinish(audio: AudioEncoder, mixed: number): FilterChain | null {
    const { codec, channels, sampleRate } = audio;
    const filters = [
      ...(mixed > 1 ? [mixFilters(mixed, audio)] : []),
      ...(codec === 'aac' ? [`asetnsamples=n=${AAC_FRAME}:p=0`] : []),
    ];
    if (filters.length === 0) return null;
    const [format, layout] = [codec === 'aac' ? 'fltp' : 's16', channels === 1 ? 'mono' : 'stereo'];
    const input = `time_base=1/${sampleRate}:sample_rate=${sampleRate}:sample_fmt=${format}:channel_layout=${layout}`;
    const onFrame = (frame: Frame, timeBase: TimeBase) => this.send(frame, timeBase);
    return new FilterChain(input, filters.join(','), mixed, false, onFrame);
  }

  private finishSound(frame: Frame, place: number): void {
    if (this.finish) this.finish.push(frame, place);
    else this.send(frame, { num: 1, den: frame.sampleRate });
  }

  private send(frame: Frame, timeBase: TimeBase): void {
    if (this.isComplete) return;
    this.frames += 1;
    if (this.audio) this.sentSamples += frame.nbSamples;
    this.encode({ frame, timeBase });
  }

  private encode(timed: { readonly frame: Frame; readonly timeBase: TimeBase } | null): void {
    this.encoder.encode(timed, (encoded) => {
      this.writtenSamples += Number(encoded.duration);
      this.writer.write(encoded, this.place, this.encoder.timeBase);
    });
  }
}
