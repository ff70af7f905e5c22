/** Cleanup that must run in any case: processes, the database, folders. Last registered, first run. */
const endings = [];
let all;

/** Registers `work` for the end; returns a function that runs it earlier. It runs only once. */
export function onEnd(work) {
  let done;
  const end = () => {
    endings.splice(endings.indexOf(end), endings.includes(end) ? 1 : 0);
    return (done ??= Promise.resolve().then(work));
  };
  endings.push(end);
  return end;
}

/** Every caller waits for the whole cleanup. */
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
