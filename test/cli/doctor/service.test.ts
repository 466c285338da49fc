import { expect, test } from 'bun:test'
import doctor from '../../../commands/doctor.ts'
import { checkMail } from '../../../cli/doctor/service.ts'
import { readConfig } from '../../../server/config.ts'
import { startMailServer } from '../../fixtures/mail-server.ts'
import { registryOf, runCommand } from '../../fixtures/run-command.ts'

const registry = registryOf({ doctor })

/** What "svc doctor" says of a service whose readiness and credentials answer like this. */
async function checked(ready: Response, memberships: Response): Promise<[number, string[]]> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => (url.endsWith('/readyz') ? ready.clone() : memberships.clone()),
  })
  const base = server.url.origin
  const { exit, stdout } = await runCommand(['--base-url', base, 'doctor', '--json'], registry)
  await server.stop(true)
  const { data } = JSON.parse(stdout) as { data: { checks: { name: string; status: string; message: string }[] } }
  return [exit, data.checks.slice(1, -1).map((it) => `${it.status} ${it.name}: ${it.message.replace(base, 'AT')}`)]
}

test('a service is checked instead of this machine', async () => {
  const none = Response.json({}, { status: 404 })
  expect(await checked(new Response('hello'), none)).toEqual([1, ['fail service: AT is not svc: /readyz answered 200']])
  const draining = Response.json({ status: 'draining' }, { status: 503 })
  expect(await checked(draining, none)).toEqual([1, ['fail service: AT is not ready: draining (503)']])
  const [exit, told] = await checked(Response.json({ status: 'ok' }), none)
  expect([exit, told[0], told.length]).toEqual([1, 'pass service: AT is ready', 2])
  expect(told[1]).toStartWith('fail credentials: ')
})

test('a service that cannot be reached is named', async () => {
  const { exit, stdout } = await runCommand(['--base-url', 'http://127.0.0.1:1', 'doctor'], registry)
  expect([exit, stdout.includes('http://127.0.0.1:1 cannot be reached: ')]).toEqual([1, true])
})

test('the mail server is asked where one is configured, and nothing is sent', async () => {
  const login = { user: 'svc', password: 'right' }
  const server = await startMailServer({ login })
  const check = async (env: Record<string, string>) => {
    const { values } = readConfig({ env, file: null })
    const checks = await checkMail(values, new AbortController().signal)
    return checks.map(({ status, message }) => `${status} ${message}`)
  }
  const at = (password: string) => ({
    SVC_SMTP_URL: `smtp://svc:${password}@127.0.0.1:${server.port}`,
    SVC_MAIL_FROM: 'svc@example.com',
  })
  expect(await check({})).toEqual([])
  expect(await check(at('right'))).toEqual(['pass the mail server answers and accepts this service'])
  expect(await check(at('wrong'))).toEqual([
    'fail no e-mail can be sent: the mail server does not accept the user and password of this service',
  ])
  expect(server.received).toEqual([])
  await server.stop()
  expect(await check(at('right'))).toEqual([
    'fail no e-mail can be sent: nothing listens at the address of the mail server',
  ])
  expect(() => readConfig({ env: { SVC_SMTP_URL: 'smtp://user@host' }, file: null })).toThrow(/SVC_SMTP_URL/)
  expect(() => readConfig({ env: { SVC_SMTP_URL: 'smtp://host' }, file: null })).toThrow(/SVC_MAIL_FROM/)
})
