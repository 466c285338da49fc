import { expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { connectPostgres } from '../../db/postgres.ts'

/** A server that asks each connection for its password in plain text, keeps it, and refuses it. */
async function listenForPasswords() {
  const passwords: string[] = []
  const server = createServer((socket: Socket) => {
    let asked = false
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (asked && bytes[0] !== 0x70) return
      if (asked) {
        passwords.push(bytes.subarray(5, -1).toString())
        const fields = Buffer.from('SFATAL\0C28P01\0Mwrong password\0\0')
        const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4])
        socket.end(Buffer.concat([head, fields]))
      } else {
        asked = true
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, passwords, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('a new connection uses the password that is configured now', async () => {
  const { port, passwords, close } = await listenForPasswords()
  const urls = ['first', 'p%40ss%2Fword'].map((it) => `postgres://me:${it}@127.0.0.1:${port}/db`)
  urls.push(`postgres://me@127.0.0.1:${port}/db?password=in%20query`)
  let current = urls[0] ?? ''
  const client = connectPostgres(current, { poolSize: 1, currentUrl: () => current })
  const refusals: unknown[] = []
  for (const url of urls) {
    current = url
    await client.unsafe('select 1').catch((error: unknown) => refusals.push((error as { code: unknown }).code))
  }
  await client.end({ timeout: 1 })
  await close()
  expect([passwords, refusals]).toEqual([
    ['first', 'p@ss/word', 'in query'],
    ['28P01', '28P01', '28P01'],
  ])
})
