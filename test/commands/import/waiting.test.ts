/** Waiting for an import: not at all, not long enough, until Ctrl-C; on this machine and on a service. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { openapiText, openImportSetup, type ImportSetup, type Way } from '../../fixtures/import-setup.ts'

let setup: ImportSetup
beforeAll(async () => {
  setup = await openImportSetup()
})
afterAll(() => setup.close())

const versionsOf = async (way: Way, project: string): Promise<readonly unknown[] | null> => {
  const { exitCode, data } = await way.ask(['version', 'list', project])
  return exitCode === 0 ? (data as unknown[]) : null
}

test('--no-wait prints the job and how to follow it; the job goes on', async () => {
  setup.write('later.json', openapiText('Later'))
  for (const way of setup.ways) {
    const { exit, stdout, stderr } = await way.run(['import', 'auto', 'later.json', '--no-wait'])
    const job = stdout.trim()
    expect({ exit, said: stderr.trim() }).toEqual({
      exit: 0,
      said: `The import runs as job ${job}. Follow it with: svc import status ${job} --wait`,
    })
    const { exitCode, data } = await way.ask(['import', 'status', job, '--wait'])
    expect([exitCode, (data as { status: string }).status]).toEqual([0, 'completed'])
    expect(await versionsOf(way, 'later')).toMatchObject([{ label: '1.0.0' }])
  }
})

test('when the wait is over before the job, the command that goes on waiting is printed', async () => {
  // The document is held back until the wait for it has ended.
  let hold = Promise.withResolvers<void>()
  const slow = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async () => {
      await hold.promise
      return new Response(openapiText('Slow'))
    },
  })
  try {
    for (const way of setup.ways) {
      hold = Promise.withResolvers<void>()
      const line = ['import', 'openapi', `${slow.url.href}slow.json`, '--poll-interval', '0.05']
      const { exit, stderr } = await way.run([...line, '--import-timeout', '0.2', '--progress', 'none'])
      expect({ exit, stderr }).toMatchObject({
        exit: 7,
        stderr: expect.stringMatching(/svc import status \S+ --wait/),
      })
      hold.resolve()
      const job = /status (\S+) --wait/.exec(stderr)?.[1] ?? ''
      expect((await way.ask(['import', 'status', job, '--wait'])).data).toMatchObject({ status: 'completed' })
    }
    const [near] = setup.ways
    hold = Promise.withResolvers<void>()
    const global = ['--timeout', '200ms', 'import', 'openapi', `${slow.url.href}global.json`, '--progress', 'none']
    expect((await near.run(global)).exit).toBe(7)
    hold.resolve()
    expect((await near.run([...global, '--import-timeout', '20'])).exit).toBe(0)
  } finally {
    await slow.stop(true)
  }
})

test('an address that answers that nothing is there is not asked again', async () => {
  let asked = 0
  const empty = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      asked += 1
      return new Response('no', { status: 404 })
    },
  })
  try {
    for (const way of setup.ways) {
      const { exit, stderr } = await way.run(['import', 'auto', `${empty.url.href}gone.json`])
      expect({ exit, stderr }).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('answered 404: nothing is there'),
      })
    }
    expect(asked).toBe(2)
  } finally {
    await empty.stop(true)
  }
})

test('Ctrl-C cancels the job, and nothing is stored', async () => {
  const controller = new AbortController()
  const slow = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      // The job runs; its id reaches the command a moment later.
      setTimeout(() => controller.abort(), 400)
      return new Promise<Response>(() => {})
    },
  })
  try {
    const line = ['import', 'openapi', `${slow.url.href}never.json`, '--poll-interval', '0.05', '--progress', 'none']
    const env = { SVC_WORKSPACE: join(setup.folder, '..', 'interrupted') }
    const { exit, stderr } = await runCommand(line, registry, { env, cwd: setup.folder, signal: controller.signal })
    expect(exit).toBe(130)
    expect(stderr).toMatch(/^warning: Interrupted: the job \S+ was cancelled; nothing was stored\.\n$/)
  } finally {
    await slow.stop(true)
  }
})
