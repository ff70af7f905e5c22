const NEST = /^@nestjs\/common(\/|$)/;
const PLATFORM = /[\\/]src[\\/]platform[\\/]/;
const EXCEPTION = /Exception$/;
const CODES = {
  BadRequestException: 'VALIDATION_ERROR',
  ConflictException: 'CONFLICT',
  ForbiddenException: 'FORBIDDEN',
  InternalServerErrorException: 'INTERNAL_ERROR',
  NotFoundException: 'NOT_FOUND',
  PayloadTooLargeException: 'PAYLOAD_TOO_LARGE',
  ServiceUnavailableException: 'SERVICE_UNAVAILABLE',
  UnauthorizedException: 'UNAUTHORIZED',
};

/** No Nest HTTP exceptions: clients would receive neither their message nor a code of the catalog. */
export const domainErrors = {
  create(context) {
    const namespaces = new Set();
    const isPlatform = PLATFORM.test(context.filename);
    const report = (node, name) => context.report({ node, message: messageOf(name, isPlatform) });
    return {
      ImportDeclaration({ source, specifiers, importKind }) {
        if (!NEST.test(source.value) || importKind === 'type') return;
        for (const specifier of specifiers) {
          if (specifier.type === 'ImportNamespaceSpecifier') namespaces.add(specifier.local.name);
          if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') continue;
          if (EXCEPTION.test(specifier.imported.name)) report(specifier, specifier.imported.name);
        }
      },
      MemberExpression(node) {
        if (namespaces.has(node.object.name) && EXCEPTION.test(node.property.name))
          report(node, node.property.name);
      },
    };
  },
};

function messageOf(name, isPlatform) {
  const [error, file, codes] = isPlatform
    ? ['PlatformError', 'src/platform/errors/platform-error.ts', 'the same file']
    : ['DomainError', 'src/contract/domain-error.ts', 'src/contract/error-catalog.ts'];
  return (
    `Instead of ${name}, throw new ${error}('${CODES[name] ?? 'CODE'}') from ${file}. ` +
    `Codes with their status and message are in ${codes}; add one if none fits.`
  );
}
