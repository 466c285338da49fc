import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { readTrusted } from '../../../src/document/trusted.ts'

test('says what the parser says, of JSON and YAML, sound or not', () => {
  const texts = [
    '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}}',
    '\ufeff{"swagger":"2.0"}',
    '{"a":1,"a":2}',
    '{"a":',
    'openapi: 3.1.0\n',
  ]
  for (const text of texts)
    for (const syntax of ['json', 'yaml'] as const) {
      const [trusted, parsed] = [
        readTrusted(text, { source: 's', syntax }),
        parseDocument(text, { source: 's', syntax }),
      ]
      const told = (document: typeof parsed) => [
        document.value,
        document.format,
        document.syntax,
        document.problems,
        document.locate(['info', 'title']),
        document.keysInOrder([]),
      ]
      expect(told(trusted)).toEqual(told(parsed))
    }
})
