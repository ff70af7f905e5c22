/** What must be undone whatever happens: processes, the database, folders. The last begun ends first. */
const endings = [];
let all;

/** Remembers `work` for the end; returns it to be called sooner. It runs once. */
export function onEnd(work) {
  let done;
  const end = () => {
    endings.splice(endings.indexOf(end), endings.includes(end) ? 1 : 0);
    return (done ??= Promise.resolve().then(work));
  };
  endings.push(end);
  return end;
}

/** Whoever asks for it, waits for all of it. */
export function endAll() {
  return (all ??= endEach());
}

async function endEach() {
  while (endings.length > 0) {
    await endings
      .at(-1)()
      .catch((error) => process.stderr.write(`${error.message}\n`));
  }
}
