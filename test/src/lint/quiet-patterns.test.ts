import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import pattern from '../../../src/lint/functions/pattern.ts'
import { lint } from '../../../src/lint/lint.ts'
import { parsePath } from '../../../src/lint/jsonpath/path.ts'
import type { Ruleset } from '../../../src/lint/rule.ts'

const documentOf = (text: string, source = 'api.yaml') => parseDocument(text, { source })
const findsNothing = (text: string, notMatch: string, source?: string): boolean =>
  pattern.findsNothing?.({ notMatch }, [documentOf(text, source)]) ?? false

test('a plain text that no document contains needs no look at its values', () => {
  expect(findsNothing('description: Safe\n', '<script')).toBeTrue()
  expect(findsNothing('description: Safe\n', 'eval\\(')).toBeTrue()
  expect(findsNothing('description: eval (1)\n', 'eval\\(')).toBeTrue()
  expect(findsNothing('description: "line\\nbreak \\u2019"\n', '<script')).toBeTrue()
})

test('values are looked at where the text is there, may be spelled otherwise, or is a pattern', () => {
  expect(findsNothing('description: <script>\n', '<script')).toBeFalse()
  expect(findsNothing('{"a": "\\u003cscript"}', '<script', 'a.json')).toBeFalse()
  expect(findsNothing('a: "\\x3cscript"\n', '<script')).toBeFalse()
  expect(findsNothing('a: "\\U0000003cscript"\n', '<script')).toBeFalse()
  expect(findsNothing('a: "<scr\\\n  ipt"\n', '<script')).toBeFalse()
  expect(findsNothing('a: "<scr\\\r\n  ipt"\n', '<script')).toBeFalse()
  // A number is spelled in many ways: the key below is "16".
  for (const it of ['16', 'a.c', 'a+', '/<script/i', '(<)', 'a b', '<$', "it's", 'a/b'])
    expect(findsNothing('0x10: true\n', it), it).toBeFalse()
  expect(pattern.findsNothing?.({ notMatch: '<b', match: '.' }, [documentOf('a: b\n')])).toBeFalse()
  const documents = [documentOf('a: b\n'), documentOf('a: <b\n', 'other.yaml')]
  expect(pattern.findsNothing?.({ notMatch: '<b' }, documents)).toBeFalse()
})

const rulesWith = (run: typeof pattern): Ruleset => ({
  told: {
    given: ['$..[description,title]'],
    then: [{ run, options: { notMatch: '<b' } }],
    message: '{{error}}',
  },
})

test('findings and counts are the same as when every value is looked at, however a text is written', () => {
  expect(parsePath('$..[description,title]')).toBeDefined()
  const looks: typeof pattern = (input, options, context) => pattern(input, options, context)
  const part = fc.constantFrom(
    '<',
    'b',
    '<b',
    'x',
    ' ',
    '\n',
    '\\u003c',
    '\\x3c',
    '\\',
    '"',
    "'",
    ':',
    '#',
    '  ',
    '\\\n',
    '|',
    '>',
  )
  const text = fc.array(part, { maxLength: 6 }).map((it) => it.join(''))
  const style = fc.constantFrom(
    (it: string) => `description: "${it}"\ntitle: t\n`,
    (it: string) => `description: '${it}'\n`,
    (it: string) => `description: ${it}\n`,
    (it: string) => `description: >-\n  a${it.replaceAll('\n', '\n  ')}\n`,
    (it: string) => JSON.stringify({ a: [{ description: it }] }),
    (it: string) => `{"title": "${it.replaceAll('\n', '')}"}`,
  )
  fc.assert(
    fc.property(text, style, (it, write) => {
      const document = documentOf(write(it))
      const [quick, slow] = [lint(document, rulesWith(pattern)), lint(document, rulesWith(looks))]
      expect(quick).toEqual(slow)
    }),
    { numRuns: 1000 },
  )
})
