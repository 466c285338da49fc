import { expect, test } from 'bun:test'
import doctor from '../../../commands/doctor.ts'
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
