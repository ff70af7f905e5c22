const POLL_MS = 100;

/** Scripts of package.json that run until stopped. */
const STOPPABLE = /^(start|dev|test)/;

/** Ends this process when npm, its parent, is gone: killed with SIGKILL, npm forwards no signal. */
export function stopWithParent() {
  if (!STOPPABLE.test(process.env.npm_lifecycle_event ?? '')) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  watch.unref();
}
