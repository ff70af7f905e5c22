import { dirname, join } from 'node:path/posix';
import { describeProviders, moduleOf } from '../doors.js';

const MODULE = /^(.*?\/|)(?:src\/modules|test\/examples)\/([^/]+)\//;
/** The room of an entity's module, which may be an inner one, and the entity's file. */
const ENTITIES = /(?:^|\/)(src\/modules\/([^/]+)\/(?:[^/]+\/)*entities\/.*)\.js$/;

/** Functions that give access to an entity's table. The entity is the first argument, or an element of it. */
const REPOSITORIES = [
  'forFeature',
  'getRepository',
  'getRepositoryToken',
  'getTreeRepository',
  'InjectRepository',
];
/** Methods that read rows through an `EntityManager` or a query builder. The entity is the first argument. */
const READS = [
  'average',
  'count',
  'countBy',
  'createQueryBuilder',
  'exists',
  'existsBy',
  'find',
  'findAndCount',
  'findAndCountBy',
  'findBy',
  'findOne',
  'findOneBy',
  'findOneByOrFail',
  'findOneOrFail',
  'from',
  'maximum',
  'minimum',
  'preload',
  'sum',
];

/** A module registers and injects only repositories of its own entities. */
export const ownRepositories = entityRule(
  REPOSITORIES,
  ({ call, entity, owner, services }) =>
    `${call}: ${entity} belongs to ${owner}, and using its repository here bypasses that module's checks. ` +
    `Use ${services} instead, or add a method there.`,
);

/**
 * A request reads the data of other modules through their services, which check access. Writes are not checked: a transaction
 * that a service has authorized often spans tables.
 */
export const guardedReads = entityRule(
  READS,
  ({ call, entity, owner, services }) =>
    `${call}: ${entity} belongs to ${owner}, and reading it here bypasses that module's checks. ` +
    `Use ${services} instead, or add a method there. Jobs and commands, which act for no caller, are exempted in .oxlintrc.json.`,
);

function entityRule(functions, messageOf) {
  const called = new Set(functions);
  return {
    create(context) {
      const file = context.filename.replaceAll('\\', '/');
      const [, root, module] = MODULE.exec(file) ?? [];
      if (module === undefined) return {};
      /** The folder of the module of each imported entity, by its local name. */
      const foreign = new Map();
      return {
        ImportDeclaration({ source, specifiers }) {
          const [, path, owner] = ENTITIES.exec(join(dirname(file), source.value)) ?? [];
          if (owner === undefined || owner === module) return;
          for (const { local } of specifiers) foreign.set(local.name, moduleOf(`${path}.ts`, root));
        },
        CallExpression(node) {
          const name = node.callee.property?.name ?? node.callee.name;
          if (!called.has(name)) return;
          for (const { name: entity } of entitiesOf(node)) {
            const owner = foreign.get(entity);
            if (owner === undefined) continue;
            const services = describeProviders(owner, root);
            context.report({
              node,
              message: messageOf({ call: `${name}(${entity})`, entity, owner, services }),
            });
          }
        },
      };
    },
  };
}

function entitiesOf({ arguments: [first] }) {
  if (!first) return [];
  return first.type === 'ArrayExpression' ? first.elements.filter(Boolean) : [first];
}
