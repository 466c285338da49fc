import { expect, test } from 'bun:test'
import { listen } from '../../server/http/listen.ts'
import { SvcError } from '../../src/errors.ts'

const refusal = (work: () => unknown) => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof SvcError ? [error.code, error.message, error.exitCode] : error
  }
}

test('a port that another process has, and an address that this machine has not, are refused by name', async () => {
  const first = listen('127.0.0.1', 0, () => Promise.resolve(new Response('x')))
  expect(await (await fetch(first.url)).text()).toBe('x')
  expect(refusal(() => listen('127.0.0.1', first.port, () => Promise.resolve(new Response())))).toEqual([
    'port-unavailable',
    `Cannot listen on 127.0.0.1:${first.port}: another process listens there.`,
    2,
  ])
  await first.stop()
  const address = '192.0.2.1'
  expect((refusal(() => listen(address, 0, () => Promise.resolve(new Response()))) as unknown[])[0]).toBe(
    'port-unavailable',
  )
})

test('stopping waits for the answers that are under way', async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const server = listen('127.0.0.1', 0, async (_, addressOf) => {
    const address = addressOf()
    entered.resolve()
    await gate.promise
    return new Response(address)
  })
  const answer = fetch(server.url).then((response) => response.text())
  await entered.promise
  let stopped = false
  const stop = server.stop().then(() => (stopped = true))
  await Bun.sleep(20)
  expect(stopped).toBe(false)
  gate.resolve()
  expect(await answer).toBe('127.0.0.1')
  await stop
})
