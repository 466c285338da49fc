/** Observing servers that a command starts: what they may write, how long they may take, and that nothing of them stays. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ObservationFailed } from '../../../server/mcp-servers/observation/failure.ts'
import { observationLimits } from '../../../server/mcp-servers/observation/limits.ts'
import { observeStdio } from '../../../server/mcp-servers/observation/stdio.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-stdio-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
/** Starts a program that answers each request by `answer`, an expression over `id` and `method`. */
const observe = async (
  answer: string,
  before = '',
  { limits = observationLimits, signal = new AbortController().signal } = {},
): Promise<unknown> => {
  const script = join(folder, `server-${++written}.ts`)
  writeFileSync(
    script,
    `${before}
    const greeting = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'here', version: '1' } }
    for await (const line of console) {
      const { id, method } = JSON.parse(line)
      const result = method === 'initialize' ? greeting : ${answer}
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }`,
  )
  const target = { command: [process.execPath, 'run', script] as const, env: { HOME: folder }, cwd: folder }
  try {
    const { answers } = await observeStdio(
      { ...target, command: [...target.command] as [string, ...string[]] },
      { limits, signal },
    )
    return (answers.pages.tools ?? []).map((text) => (JSON.parse(text) as { result: unknown }).result)
  } catch (error) {
    if (!(error instanceof ObservationFailed)) throw error
    return `${error.kind}: ${error.message}`
  }
}

const empty = '{ tools: [], resources: [], resourceTemplates: [], prompts: [] }'

test('what it greets people with on standard output is left out', async () => {
  expect(await observe(empty, `console.log('Welcome!')`)).toEqual([
    { tools: [], resources: [], resourceTemplates: [], prompts: [] },
  ])
})

test('a line without end, and pages without end, are cut off', async () => {
  const flood = `{ tools: [{ name: 'x'.repeat(9_000_000) }] }`
  expect(await observe(flood)).toBe('too-large: It sends more than 8 MB.')
  const endless = `{ tools: [], nextCursor: String(Math.random()) }`
  expect(await observe(endless)).toBe('too-large: Its lists have more than 64 pages.')
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a server that is silent ends with the observation, and with what it started', async () => {
  const mark = join(folder, 'child')
  const child = `Bun.spawn(['sh', '-c', 'echo $$ > ${mark}.new; mv ${mark}.new ${mark}; while :; do sleep 0.1; done'])`
  const stop = new AbortController()
  const observed = observe(empty, `${child}; await new Promise(() => {})`, { signal: stop.signal })
  while (!existsSync(mark)) await Bun.sleep(20)
  stop.abort()
  expect(await observed).toBe('timeout: The observation was interrupted.')
  const pid = Number(readFileSync(mark, 'utf8'))
  while (isAlive(pid)) await Bun.sleep(20)
  expect(isAlive(pid)).toBe(false)
})

test('a server that does not answer in time is given up', async () => {
  const brief = { ...observationLimits, timeoutMs: 300 }
  expect(await observe(empty, 'await new Promise(() => {})', { limits: brief })).toBe(
    'timeout: It was not read within 0.3 seconds.',
  )
})
