const POLL_MS = 100;

/** Commands of package.json that run until they are stopped. */
const STOPPABLE = /^(start|dev|test)/;

/** Ends this process when npm, which started it, is gone: npm killed hard passes no signal on. */
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
