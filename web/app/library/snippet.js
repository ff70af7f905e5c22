/** @type {Readonly<Record<string, string>>} */
const CHARACTERS = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The parts of a passage that was found, which the API gives as HTML whose only element is `mark`: every second part is marked. @param {string} snippet */
export const partsOf = (snippet) =>
  snippet
    .split(/<\/?mark>/)
    .map((part) => part.replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => CHARACTERS[name] ?? ''));
