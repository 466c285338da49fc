/** `/v1/openapi.json`: made in turns, sent in the coding that the client takes, and not again to who has it. */
import { expect, test } from 'bun:test'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import { answerDescription } from '../../../server/http/description.ts'
import { describeService, writeDescription } from '../../../server/openapi/describe.ts'

const ask = (headers: Record<string, string> = {}) =>
  answerDescription(new Request('http://svc.test/v1/openapi.json', { headers }))
const plain = JSON.stringify(describeService(endpoints))

test('others have their turn while it is made', async () => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  expect(await writeDescription(endpoints)).toBe(plain)
  isDone = true
  expect(turns).toBeGreaterThan(endpoints.length / 20)
})

test('it is sent as it is, or in a coding, each with its own tag', async () => {
  const answers = await Promise.all([
    ask(),
    ask({ 'accept-encoding': 'gzip' }),
    ask({ 'accept-encoding': 'zstd, gzip' }),
  ])
  const [identity, gzip, zstd] = await Promise.all(answers.map(async (it) => new Uint8Array(await it.arrayBuffer())))
  const text = new TextDecoder()
  expect(text.decode(identity)).toBe(plain)
  expect(text.decode(Bun.gunzipSync(gzip ?? new Uint8Array()))).toBe(plain)
  expect(text.decode(Bun.zstdDecompressSync(zstd ?? new Uint8Array()))).toBe(plain)
  expect(answers.map((it) => it.headers.get('content-encoding'))).toEqual([null, 'gzip', 'zstd'])
  expect(answers.map((it) => it.headers.get('vary'))).toEqual(['accept-encoding', 'accept-encoding', 'accept-encoding'])
  expect((gzip?.length ?? 0) * 5).toBeLessThan(plain.length)
  const tags = answers.map((it) => it.headers.get('etag') ?? '')
  expect(new Set(tags).size).toBe(3)
  for (const tag of tags) {
    const again = await ask({ 'if-none-match': tag, 'accept-encoding': 'gzip' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200)
})
