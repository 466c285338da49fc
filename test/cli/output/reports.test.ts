import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReportTarget, writeTargets } from '../../../cli/output/reports.ts'

test('two reports never overwrite each other', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-reports-'))
  const targets = ['junit=a.out', 'sarif=./a.out'].map(readReportTarget)
  const message = await writeTargets(targets, () => 'x', cwd).catch((error: Error) => error.message)
  expect([message, existsSync(join(cwd, 'a.out'))]).toEqual(['Two reports name the file "./a.out"', false])
  rmSync(cwd, { recursive: true, force: true })
})
