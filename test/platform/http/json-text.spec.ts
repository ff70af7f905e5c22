import { describe, expect, it } from '@jest/globals';
import { JsonText, LIST_SEAM } from '../../../src/platform/http/replies/json-text.js';

const sent = (...parts: string[]): string => new JsonText(parts).toBytes().toString();

describe('JsonText', () => {
  it('sends its parts one after the other, unchanged', () => {
    expect(sent('{"data":', '["für", "\\u0001"]', '}')).toBe('{"data":["für", "\\u0001"]}');
    expect(sent('')).toBe('');
  });

  it('sends lists between seams as one list', () => {
    const lists = ['[1, "ü]["]', '[{"a": [2]}]', '["…"]'].join(LIST_SEAM);
    expect(sent('{"data":', lists, ',"more":[3]}')).toBe('{"data":[1, "ü][",{"a": [2]},"…"],"more":[3]}');
  });
});
