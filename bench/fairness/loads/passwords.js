/** Every new password is hashed, which is deliberately slow, and so is checking an entered one. */
export const PASSWORDS = [
  {
    id: '6',
    title: 'share passwords set over 60 connections',
    connections: 60,
    measures: ['password'],
    prepare: ({ heavy }) => {
      /** The link that each connection created last. */
      const links = new Map();
      const path = `/recordings/${heavy.written}`;
      return async (client, connection, n) => {
        const password = `password ${connection}-${n}`;
        const link = links.get(connection);
        if (link !== undefined) {
          const changed = await client.api('PATCH', `${path}/share-links/${link}`, { password });
          // Without this operation, requesting a link again changes its password.
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
