/** The own second factors on the command line, on a workspace whose only user is its owner. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { codeAt } from '../../fixtures/second-factors.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const password = 'a long enough secret'
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-second-factor-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (line: string) => {
  const env = { SVC_WORKSPACE: folder, SVC_USER_PASSWORD: password }
  return runCommand(line.split(' '), registry, { env, cwd: folder })
}
const dataOf = async (line: string) => {
  const { exit, stdout } = await run(`${line} --json`)
  expect([line, exit]).toEqual([line, 0])
  return (JSON.parse(stdout) as { data: Record<string, unknown> }).data
}
const doctor = async () => {
  const { stdout } = await run('doctor --json')
  const { data } = JSON.parse(stdout) as { data: { checks?: unknown } }
  return JSON.stringify(data)
}

test('an app is added, shown and removed; svc doctor opens its secret; the operator resets it', async () => {
  expect((await run('user create ann@example.com')).exit).toBe(0)
  const { secret } = await dataOf('auth second-factor create')
  const code = codeAt(String(secret), Date.now())
  const confirmed = await run(`auth second-factor confirm ${code}`)
  expect(confirmed.exit).toBe(0)
  const printed: readonly string[] = confirmed.stdout.match(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/gm) ?? []
  expect([printed.length, new Set(printed).size]).toEqual([10, 10])
  expect((await run('auth second-factor show')).stdout).toMatch(
    /^second factor: +on\nauthenticator app: +since 20\d\d-\d\d-\d\d \d\d:\d\d\nrecovery codes: +10 left\n$/,
  )
  expect(await doctor()).toContain('1 stored secret')
  const renewed = (await dataOf('auth second-factor recovery-codes'))['recovery_codes'] as string[]
  expect(renewed.filter((it) => printed.includes(it))).toEqual([])
  expect((await run('auth second-factor delete')).stdout).toBe('Deleted the authenticator app\n')
  expect((await dataOf('auth second-factor show'))['enabled']).toBe(false)

  const again = await dataOf('auth second-factor create')
  expect((await run(`auth second-factor confirm ${codeAt(String(again['secret']), Date.now())}`)).exit).toBe(0)
  const reset = await run('user reset-second-factor ann@example.com')
  expect([reset.exit, reset.stdout]).toEqual([0, 'ann@example.com signs in with the password alone\n'])
  expect((await dataOf('auth second-factor show'))['enabled']).toBe(false)
})
