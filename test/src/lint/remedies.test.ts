import { expect, test } from 'bun:test'
import { remediesOf, remedyFor } from '../../../src/lint/remedies.ts'
import { rules } from '../../../src/lint/rules.gen.ts'

test('a message that differs from its rule has a remedy of its own', () => {
  const code = 'path-params'
  const twins = { code, message: 'Paths "/a/{x}" and "/a/{y}" must not be equivalent.' }
  const missing = { code, message: 'Operation must define parameter "{x}" as expected by path "/a/{x}".' }
  const remedies = remediesOf([twins, missing, { code: 'constructor', message: 'x' }], rules)
  expect(remedyFor(remedies, missing)).toBe(rules[code]!.help.remedy)
  expect(remedyFor(remedies, twins)).toBe(
    'Merge both paths into one; paths that differ only in the names of their variables match the same URLs.',
  )
  expect([...remedies.keys()]).toEqual([code, `${code} ${twins.message}`])
})
