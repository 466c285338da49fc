import { expect, test } from 'bun:test'
import type { Connection } from '../../../cli/connection/connection.ts'
import { followJob, resumeCommand } from '../../../cli/import/follow.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import type { ImportJob } from '../../../src/api/imports.ts'
import { SvcError } from '../../../src/errors.ts'
import { jobOf } from './jobs.ts'

const progress = { update: () => {}, end: () => Promise.resolve() }
const queued = jobOf('queued', null, 0)
const running = jobOf('running', 'parsing', 2)
const done = jobOf('completed', 'persisting', 8)

/** A service that answers one look after the other, and remembers what it was asked. */
const service = (
  answers: readonly (ImportJob | SvcError | (() => ImportJob))[],
  cancelled: ImportJob | null = null,
) => {
  const asked: unknown[] = []
  let next = 0
  const call = (async (endpoint: { id: string }, { query }: { query?: unknown }) => {
    asked.push([endpoint.id, query])
    const answer = answers[Math.min(next++, answers.length - 1)]
    if (answer instanceof SvcError || answer === undefined) throw answer
    return typeof answer === 'function' ? answer() : answer
  }) as unknown as Call
  const shutdownCall = (async (endpoint: { id: string }) => {
    asked.push([endpoint.id])
    if (cancelled === null) throw new SvcError('transport-failed', { url: 'x', reason: 'gone' })
    return cancelled
  }) as unknown as Call
  return { asked, connection: { call, shutdownCall } as unknown as Connection }
}

const options = (more: object = {}) => ({
  pollMs: 1000,
  timeoutMs: 60_000,
  requestMs: 60_000,
  signal: new AbortController().signal,
  progress,
  cancels: true,
  ...more,
})

test('it looks until the job has ended, each look held back for the interval', async () => {
  const { asked, connection } = service([running, done])
  expect(await followJob(queued, connection, options())).toEqual({ job: done, ended: 'finished' })
  expect(asked).toEqual([
    ['imports.get', { wait: 1 }],
    ['imports.get', { wait: 1 }],
  ])
})

test('a look is never held back for longer than a request or the service may last', async () => {
  const waits = async (more: object) => {
    const { asked, connection } = service([done])
    await followJob(queued, connection, options(more))
    return asked
  }
  expect(await waits({ pollMs: 10_000, requestMs: 4000 })).toEqual([['imports.get', { wait: 2 }]])
  expect(await waits({ pollMs: 90_000, timeoutMs: 99_000, requestMs: 99_000 })).toEqual([['imports.get', { wait: 30 }]])
})

test('when the time is over the job goes on, and a job that ended too late counts as not awaited', async () => {
  const { asked, connection } = service([running])
  const over = await followJob(queued, connection, options({ timeoutMs: 0 }))
  expect([over, asked]).toEqual([{ job: queued, ended: 'timed-out' }, []])
  const slow = service([() => (Bun.sleepSync(30), done)])
  expect(await followJob(queued, slow.connection, options({ timeoutMs: 10 }))).toEqual({
    job: done,
    ended: 'timed-out',
  })
  expect(await followJob(done, connection, options({ timeoutMs: 0 }))).toEqual({ job: done, ended: 'finished' })
})

test('Ctrl-C cancels the job of an import, and leaves the job alone when only following it', async () => {
  const controller = new AbortController()
  const stop = () => {
    controller.abort()
    return running
  }
  const cancelled = jobOf('cancelled', 'parsing', 2)
  const starter = service([stop], cancelled)
  const { signal } = controller
  expect(await followJob(queued, starter.connection, options({ signal }))).toEqual({
    job: cancelled,
    ended: 'interrupted',
  })
  expect(starter.asked.at(-1)).toEqual(['imports.cancel'])
  const onlooker = service([running], cancelled)
  expect(await followJob(queued, onlooker.connection, options({ signal, cancels: false }))).toEqual({
    job: queued,
    ended: 'interrupted',
  })
  expect(onlooker.asked).toEqual([])
  const deaf = service([running], null)
  expect(await followJob(queued, deaf.connection, options({ signal }))).toEqual({ job: queued, ended: 'interrupted' })
})

test('what the service refuses is not hidden', async () => {
  const { connection } = service([new SvcError('job-not-found', { job: 'J' })])
  const said = await followJob(queued, connection, options()).catch((error: unknown) => String(error))
  expect(said).toBe('SvcError: There is no job "J".')
})

test('the command that goes on waiting repeats what no variable says', () => {
  const globals = {
    baseUrl: 'https://svc.example.com',
    tenant: 'acme',
    apiKey: 'secret',
    workspace: "/tmp/it's",
    root: undefined,
    json: false,
    quiet: false,
    verbose: false,
    timeoutMs: 1,
    deadlineMs: 1,
    memoryMb: 4096,
    offline: false,
    allowHosts: [],
    named: [],
    given: [],
  }
  expect(resumeCommand(queued, globals, { SVC_TENANT: 'acme' })).toBe(
    `svc --base-url https://svc.example.com --workspace '/tmp/it'\\''s' import status J --wait`,
  )
})
