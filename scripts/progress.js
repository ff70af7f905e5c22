const TERMINAL_EVERY_MS = 500;
const PLAIN_EVERY_MS = 10_000;

/**
 * Reports a long operation on standard error, with its progress and elapsed time: in a terminal as one updating line, elsewhere as
 * a line every ten seconds.
 */
export class Progress {
  constructor(title, progress) {
    this.begun = Date.now();
    const isTerminal = process.stderr.isTTY === true;
    const [before, after] = isTerminal ? ['\r\x1b[K', ''] : ['', '\n'];
    process.stderr.write(`${title}...\n`);
    const show = () => process.stderr.write(`${before}  ${this.elapsed()}  ${progress()}${after}`);
    this.timer = setInterval(show, isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS);
    this.erase = () => process.stderr.write(before);
  }

  stop() {
    clearInterval(this.timer);
    this.erase();
  }

  end(done) {
    process.stderr.write(`${done} in ${this.elapsed()}.\n`);
  }

  /** Minutes and seconds, such as `1:05`. */
  elapsed() {
    const seconds = Math.round((Date.now() - this.begun) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}
