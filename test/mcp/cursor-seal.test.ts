/** A cursor goes on with its own question, also where the question holds documents. */
import { expect, test } from 'bun:test'
import { cursorSeal, scopeOf } from '../../mcp/cursor-seal.ts'
import { runTool } from '../../mcp/run-tool.ts'
import type { Tool } from '../../mcp/tool.ts'

const seal = cursorSeal('a secret of the test')
const large = 'openapi: 3.1.0\n'.repeat(100_000)

test('the scope of a question with a document is short, and another document has another one', () => {
  const scope = (text: string) => scopeOf('lint.check', { document: { text }, limit: 3, cursor: '4' })
  expect(scope(large)).toBe(scope([large].join()))
  expect(scope(large)).toMatch(/^\["lint\.check",\{"document":\{"text":\{"sha256":"[\w-]{43}"\}\}\}\]$/)
  expect(scope(`${large} `)).not.toBe(scope(large))
  expect(scope('short')).toBe('["lint.check",{"document":{"text":"short"}}]')
})

test('a cursor of one document is refused with another one', async () => {
  const tool = { name: 'lint.check', run: ({ cursor = '0' }) => Promise.resolve({ next_cursor: `${cursor}1` }) }
  const ask = (text: string, cursor?: string) =>
    runTool(tool as unknown as Tool, { document: { text }, ...(cursor && { cursor }) } as never, {
      call: (() => Promise.resolve(null)) as never,
      seal,
    }) as Promise<{ next_cursor: string }>
  const { next_cursor: first } = await ask(large)
  expect(first.slice(22)).toBe('01')
  expect((await ask(large, first)).next_cursor.slice(22)).toBe('011')
  expect(await ask(`${large} `, first).catch((error: { code: string }) => error.code)).toBe('cursor-invalid')
})
