import {
  AV_BUFFERSRC_FLAG_KEEP_REF,
  AV_BUFFERSRC_FLAG_PUSH,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVPixelFormat,
  type AVSampleFormat,
} from 'node-av/constants';
import {
  avGetPixFmtName,
  avGetSampleFmtName,
  FilterGraph,
  type FilterContext,
  type Frame,
} from 'node-av/lib';
import { check, present } from './libav-error.js';
import type { TimeBase } from './media-input.js';

/**
 * A chain of FFmpeg's filters. Like FFmpeg's program, it is built anew when the frames change their format in the middle
 * of a track, as they do where a browser's recording is resized or audio goes from mono to stereo.
 */
export class FilterChain implements Disposable {
  private graph: FilterGraph | null = null;
  private source: FilterContext | null = null;
  private sink: FilterContext | null = null;
  private input = '';

  constructor(private readonly filters: string) {}

  /** The time base of what comes out; there is none before the first frame. */
  get outputTimeBase(): TimeBase {
    return present(this.sink, 'filters').buffersinkGetTimeBase();
  }

  /** `timeBase` is that of the frame. */
  push(frame: Frame, timeBase: TimeBase): void {
    const input = frame.isVideo() ? pictureInput(frame, timeBase) : soundInput(frame, timeBase);
    if (input !== this.input) this.build(input, frame.isVideo());
    const flags = AV_BUFFERSRC_FLAG_PUSH | AV_BUFFERSRC_FLAG_KEEP_REF;
    check(
      present(this.source, 'filters').buffersrcAddFrameSync(frame, flags as never),
      'av_buffersrc_add_frame',
    );
  }

  /** No frames follow. */
  end(): void {
    if (this.source) check(this.source.buffersrcAddFrameSync(null), 'av_buffersrc_add_frame');
  }

  /** Takes the next frame out; false when more has to be pushed first. */
  pull(frame: Frame): boolean {
    if (!this.sink) return false;
    const result = this.sink.buffersinkGetFrameSync(frame);
    if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return false;
    check(result, 'av_buffersink_get_frame');
    return true;
  }

  [Symbol.dispose](): void {
    this.graph?.free();
    this.graph = null;
  }

  private build(input: string, isVideo: boolean): void {
    this.graph?.free();
    const graph = new FilterGraph();
    graph.alloc();
    this.graph = graph;
    const sink = isVideo ? 'buffersink@out' : 'abuffersink@out';
    check(graph.parsePtr(`${input},${this.filters},${sink}`), 'avfilter_graph_parse_ptr');
    check(graph.configSync(), 'avfilter_graph_config');
    this.input = input;
    this.source = present(graph.getFilter(isVideo ? 'buffer@in' : 'abuffer@in'), 'filter source');
    this.sink = present(graph.getFilter(sink), 'filter sink');
  }
}

function pictureInput({ width, height, format, sampleAspectRatio }: Frame, { num, den }: TimeBase): string {
  const pixels = present(avGetPixFmtName(format as AVPixelFormat), 'pixel format');
  const aspect = sampleAspectRatio.num > 0 ? `${sampleAspectRatio.num}/${sampleAspectRatio.den}` : '1/1';
  return `buffer@in=video_size=${width}x${height}:pix_fmt=${pixels}:time_base=${num}/${den}:pixel_aspect=${aspect}`;
}

function soundInput({ sampleRate, format, channelLayout }: Frame, { num, den }: TimeBase): string {
  const samples = present(avGetSampleFmtName(format as AVSampleFormat), 'sample format');
  const { mask, nbChannels } = channelLayout;
  const layout = mask > 0n ? `0x${mask.toString(16)}` : `${nbChannels}c`;
  return `abuffer@in=time_base=${num}/${den}:sample_rate=${sampleRate}:sample_fmt=${samples}:channel_layout=${layout}`;
}
