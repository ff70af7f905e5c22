/** Every password that is set is hashed, which is meant to be slow, as is the check of one that is entered. */
export const PASSWORDS = [
  {
    id: '6',
    title: 'share passwords set over 60 connections',
    connections: 60,
    measures: ['password'],
    prepare: ({ heavy }) => {
      /** The link that each connection made last. */
      const links = new Map();
      const path = `/recordings/${heavy.written}`;
      return async (client, connection, n) => {
        const password = `password ${connection}-${n}`;
        const link = links.get(connection);
        if (link !== undefined) {
          const changed = await client.api('PATCH', `${path}/share-links/${link}`, { password });
          // Without this operation, a link gets another password by being asked for again.
          if (changed.status === 404) links.delete(connection);
          else return changed;
        }
        const made = await client.api('POST', `${path}/share-link`, { permission: 'view', password });
        if (made.data) links.set(connection, made.data.id);
        return made;
      };
    },
  },
];
