/** The file of an operation as the only part of a form; the part may have any name. For `takes` of `Endpoint`. */
export const FILE_FORM = {
  'multipart/form-data': {
    schema: {
      title: 'FileForm',
      type: 'object' as const,
      required: ['file'],
      properties: {
        file: {
          type: 'string' as const,
          format: 'binary',
          description: 'The file; the part may have any name',
        },
      },
    },
  },
};
