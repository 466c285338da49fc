import { expect, test } from 'bun:test'
import { EngineClient, EngineStopped } from '../../../cli/lsp/engine-client.ts'

const jsonrpc = import.meta.resolve('vscode-languageserver/node')

/** A program that answers questions, and the question "hang" never. */
const program = `
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from ${JSON.stringify(jsonrpc)}
const connection = createMessageConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout))
connection.onRequest('svc/ask', ({ method }) => {
  if (method === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (method === 'grow') { const all = []; for (;;) all.push(new Uint8Array(16_000_000).fill(1)) }
  if (method === 'end') process.exit(3)
  return [method, process.pid]
})
connection.listen()
connection.onClose(() => process.exit(0))
`
const ask = (engine: EngineClient, method: string): Promise<unknown> =>
  engine.ask({ method, params: null }, () => true).catch((error: unknown) => error)

for (const [method, reason] of [
  ['hang', 'it took longer than 3 seconds'],
  ['grow', 'it needed more than 400 MB of memory'],
  ['end', 'its process ended unexpectedly'],
] as const)
  // The deadline holds the start of the next process too, which takes long where a machine does much else.
  test(`an engine that breaks a limit is ended, and the next question has a new one (${method})`, async () => {
    let begun = 0
    const limits = { deadlineMs: method === 'hang' ? 3000 : 60_000, graceMs: 100, memoryMb: 400 }
    const engine = new EngineClient([process.execPath, '-e', program], limits, () => void begun++)
    try {
      const first = (await ask(engine, 'first')) as readonly [string, number]
      const [stopped, queued] = await Promise.all([ask(engine, method), ask(engine, 'next')])
      expect(stopped).toBeInstanceOf(EngineStopped)
      expect((stopped as Error).message).toBe(reason)
      const [name, pid] = queued as readonly [string, number]
      expect(name).toBe('next')
      expect(pid).not.toBe(first[1])
      expect(begun).toBe(2)
    } finally {
      engine.stop()
    }
  })

test('a question that is not wanted any more is not asked', async () => {
  const engine = new EngineClient(
    [process.execPath, '-e', program],
    { deadlineMs: 60_000, graceMs: 100, memoryMb: 400 },
    () => {},
  )
  try {
    const first = ask(engine, 'first')
    expect(await engine.ask({ method: 'end', params: null }, () => false)).toBeNull()
    expect(await first).toEqual(['first', expect.any(Number)])
  } finally {
    engine.stop()
  }
})
