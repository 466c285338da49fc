import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { suppressionEdit } from '../../../src/language/suppress.ts'
import { applyEdits } from '../../../src/kernel/edits.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'
import { joinSuppressions, readSuppressions, suppressFindings } from '../../../src/lint/suppressions/suppress.ts'

const yaml = `openapi: 3.1.0
info:
  title: Pets
  version: '1'
servers:
  - url: https://api.pets.test/
  - description: Other
    url: https://other.pets.test/
paths:
  /pets/{id}:
    get: { responses: { '200': { description: Fine } } }
    put:
      summary: Put
      responses:
        '200':
          description: |
            text
components:
  schemas:
    Old: { type: objekt, enum: [1, 1] }
`

const left = (text: string, source: string) => {
  const document = parseDocument(text, { source })
  const { findings } = lint(document, recommended.ruleset)
  return suppressFindings(findings, joinSuppressions([[source, readSuppressions(document)]]), {
    unused: 'warning',
    rules: () => new Set(Object.keys(recommended.ruleset)),
  }).findings
}

for (const [source, text] of [
  ['a.yaml', yaml],
  ['b.yaml', yaml.replaceAll('\n', '\r\n')],
  ['a.json', JSON.stringify(parseDocument(yaml, { source: 'a.yaml' }).value, null, 2)],
] as const)
  test(`every finding of ${source} can be suppressed by an edit, which suppresses it and adds no finding`, () => {
    const document = parseDocument(text, { source })
    const { findings } = lint(document, recommended.ruleset)
    expect(findings.length).toBeGreaterThan(10)
    for (const finding of findings) {
      const edit = suppressionEdit(document, finding)
      if (edit === null) throw new Error(`${finding.code} ${finding.pointer} is not suppressed`)
      const after = applyEdits(text, [edit])
      const before = left(text, source).map((it) => `${it.code} ${it.pointer}`)
      const now = left(after, source).map((it) => `${it.code} ${it.pointer}`)
      expect(now).not.toContain(`${finding.code} ${finding.pointer}`)
      expect(now.filter((it) => !before.includes(it))).toEqual([])
    }
  })

test('a comment is written above its line with the same indentation, an extension first in its object', () => {
  const edited = (source: string, text: string, code: string): string => {
    const document = parseDocument(text, { source })
    const finding = lint(document, recommended.ruleset).findings.find((it) => it.code === code)
    const edit = finding === undefined ? null : suppressionEdit(document, finding)
    return edit === null ? '' : applyEdits(text, [edit])
  }
  expect(edited('a.yaml', yaml, 'oas3-server-trailing-slash')).toBe(
    yaml.replace('  - url', '  # svc-ignore oas3-server-trailing-slash\n  - url'),
  )
  const json = '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}'
  expect(edited('a.json', json, 'info-contact')).toBe(
    json.replace('{"title"', '{"x-lint-ignore": "info-contact","title"'),
  )
})

test('problems of the text are not suppressed, nor is anything of another document', () => {
  const document = parseDocument('a: 1\na: 2\n', { source: 'a.yaml' })
  const [finding] = lint(document, {}).findings
  if (finding === undefined) throw new Error('no finding')
  expect(finding.code).toBe('parser')
  expect(suppressionEdit(document, finding)).toBeNull()
  expect(suppressionEdit(document, { ...finding, code: 'info-contact', source: 'b.yaml' })).toBeNull()
})
