import { words } from '../texts.js';

const CHARACTERS = 1_000;
const QUESTION_COUNT = 50;

export const QUESTIONS = [
  {
    id: '5',
    title: 'POST .../questions of 1,000 characters',
    prepare: ({ heavy }) => {
      const draw = words(5);
      const texts = Array.from({ length: QUESTION_COUNT }, () => draw(400).slice(0, CHARACTERS).trim());
      return (client, connection, n) =>
        client.api('POST', `/recordings/${heavy.long}/questions`, {
          question: texts[(7 * connection + n) % QUESTION_COUNT],
        });
    },
  },
];
