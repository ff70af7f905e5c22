import * as av from 'node-av/constants';
import { avGetPixFmtName, avGetSampleFmtName, FilterGraph, Frame, type FilterContext } from 'node-av/lib';
import { check, present } from './libav-error.js';
import { plain, type TimeBase } from './media-files.js';

type OnFrame = (frame: Frame, timeBase: TimeBase) => void;

/** FFmpeg's filters with one output, and one input or several that are mixed; the format of what goes in is fixed. */
export class FilterChain implements Disposable {
  private readonly graph = new FilterGraph();
  private readonly output = new Frame();
  private readonly sources: readonly FilterContext[];
  private readonly sink: FilterContext;
  private readonly timeBase: TimeBase;

  /** `input` is the format, as options of a source. */
  constructor(
    input: string,
    filters: string,
    inputs: number,
    isVideo: boolean,
    private readonly onFrame: OnFrame,
  ) {
    const [source, sink] = isVideo ? ['buffer', 'buffersink@out'] : ['abuffer', 'abuffersink@out'];
    const places = Array.from({ length: inputs }, (_, place) => place);
    const begin = places.map((place) => `${source}@in${place}=${input}[in${place}]`).join(';');
    const labels = places.map((place) => `[in${place}]`).join('');
    this.output.alloc();
    this.graph.alloc();
    check(this.graph.parsePtr(`${begin};${labels}${filters},${sink}`), 'avfilter_graph_parse_ptr');
    check(this.graph.configSync(), 'avfilter_graph_config');
    this.sources = places.map((place) =>
      present(this.graph.getFilter(`${source}@in${place}`), 'filter source'),
    );
    this.sink = present(this.graph.getFilter(sink), 'filter sink');
    this.timeBase = plain(this.sink.buffersinkGetTimeBase());
  }

  /** The frame stays the caller's. */
  push(frame: Frame, input = 0): void {
    const flags = av.AV_BUFFERSRC_FLAG_PUSH | av.AV_BUFFERSRC_FLAG_KEEP_REF;
    const source = present(this.sources[input], 'filter source');
    check(source.buffersrcAddFrameSync(frame, flags as never), 'av_buffersrc_add_frame');
    this.pull();
  }

  end(): void {
    for (const source of this.sources) check(source.buffersrcAddFrameSync(null), 'av_buffersrc_add_frame');
    this.pull();
  }

  [Symbol.dispose](): void {
    this.graph.free();
    this.output.free();
  }

  private pull(): void {
    for (;;) {
      const result = this.sink.buffersinkGetFrameSync(this.output);
      if (result === av.AVERROR_EAGAIN || result === av.AVERROR_EOF) return;
      check(result, 'av_buffersink_get_frame');
      this.onFrame(this.output, this.timeBase);
      this.output.unref();
    }
  }
}

/**
 * Filters for frames that may change their format in the middle of a track, as they do where a browser's recording is
 * resized or audio goes from mono to stereo. Filters for the new format take over once those for the old one are empty.
 */
export class FormatChain implements Disposable {
  private chain: FilterChain | null = null;
  private input = '';

  constructor(
    private readonly filters: string,
    private readonly onFrame: OnFrame,
  ) {}

  push(frame: Frame, timeBase: TimeBase): void {
    const input = formatOf(frame, timeBase);
    if (input !== this.input) {
      this.end();
      this.chain = new FilterChain(input, this.filters, 1, frame.isVideo(), this.onFrame);
      this.input = input;
    }
    this.chain?.push(frame);
  }

  /** What follows is not a continuation. */
  end(): void {
    this.chain?.end();
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.chain?.[Symbol.dispose]();
    this.chain = null;
    this.input = '';
  }
}

/** The format of a frame and its time base, as options of a source of filters. */
const formatOf = (frame: Frame, { num, den }: TimeBase): string =>
  `time_base=${num}/${den}:${frame.isVideo() ? pictureFormat(frame) : soundFormat(frame)}`;

function pictureFormat({ width, height, format, sampleAspectRatio }: Frame): string {
  const pixels = present(avGetPixFmtName(format as av.AVPixelFormat), 'pixel format');
  const aspect = sampleAspectRatio.num > 0 ? `${sampleAspectRatio.num}/${sampleAspectRatio.den}` : '1/1';
  return `video_size=${width}x${height}:pix_fmt=${pixels}:pixel_aspect=${aspect}`;
}

function soundFormat({ sampleRate, format, channelLayout }: Frame): string {
  const samples = present(avGetSampleFmtName(format as av.AVSampleFormat), 'sample format');
  const { mask, nbChannels } = channelLayout;
  const layout = mask > 0n ? `0x${mask.toString(16)}` : `${nbChannels}c`;
  return `sample_rate=${sampleRate}:sample_fmt=${samples}:channel_layout=${layout}`;
}
