/** How a command of the service begins, in messages that name one. */
export const CLI = 'npx mrs';
