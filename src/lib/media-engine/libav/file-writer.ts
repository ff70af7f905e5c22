import { join } from 'node:path';
import { Dictionary, FormatContext, type Packet, type Stream } from 'node-av/lib';
import type { OutputFile } from '../engine/media-tool.js';
import { check } from './libav-error.js';
import { plain, type TimeBase } from './media-input.js';

/** Writes a media file: first all tracks are described, then it begins, then packets follow in any order of tracks. */
export class FileWriter implements Disposable {
  private readonly context = new FormatContext();
  private readonly streams: Stream[] = [];
  private timeBases: readonly TimeBase[] = [];
  private open = false;

  constructor(
    folder: string,
    private readonly output: OutputFile,
  ) {
    const path = `file:${join(folder, output.name)}`;
    check(this.context.allocOutputContext2(null, output.format, path), 'avformat_alloc_output_context2');
  }

  /** Returns the number of the track. */
  addTrack(describe: (stream: Stream) => void): number {
    const stream = this.context.newStream();
    describe(stream);
    return this.streams.push(stream) - 1;
  }

  begin(): void {
    check(this.context.openOutputSync(), 'avio_open');
    this.open = true;
    using options = Dictionary.fromObject(this.output.options);
    check(this.context.writeHeaderSync(options), 'avformat_write_header');
    // The muxer may have chosen other time bases.
    this.timeBases = this.streams.map(({ timeBase }) => plain(timeBase));
  }

  /** Takes the packet, whose times are in this base. */
  write(packet: Packet, track: number, from: TimeBase): void {
    packet.streamIndex = track;
    packet.rescaleTs(from, this.timeBases[track] ?? from);
    check(this.context.interleavedWriteFrameSync(packet), 'av_interleaved_write_frame');
  }

  end(): void {
    check(this.context.writeTrailerSync(), 'av_write_trailer');
    this.open = false;
    this.context.closeOutputSync();
  }

  [Symbol.dispose](): void {
    if (this.open) this.context.closeOutputSync();
    this.context.freeContext();
  }
}
