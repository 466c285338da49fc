import { expect, test } from 'bun:test'
import { explain } from '../../../src/explain/explain.ts'
import { reportedCodes } from '../../../src/lint/reported.ts'

test('codes of findings that no rule reports are explained', async () => {
  for (const code of Object.keys(reportedCodes)) expect((await explain(code)).text).toStartWith(`${code}: `)
  expect((await explain('skipped-file')).data).toEqual({
    code: 'skipped-file',
    kind: 'finding',
    ...reportedCodes['skipped-file'],
  })
})

test('a mistyped one is suggested', async () => {
  const message = await explain('skiped-ruleset').catch((error: Error) => error.message)
  expect(message).toContain('did you mean skipped-ruleset?')
})
