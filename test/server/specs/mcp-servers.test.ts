/** The catalogue of MCP servers as agents read it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callTool } from '../../../mcp/call-tool.ts'
import { cursorSeal } from '../../../mcp/cursor-seal.ts'
import { tools } from '../../../mcp/tools.gen.ts'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const seal = cursorSeal('a secret of the test')
const schema = { type: 'object', properties: { id: { type: 'string' } } }
const orders = {
  name: 'orders',
  description: 'Orders of customers.',
  tools: [
    { name: 'find', description: 'Finds orders.', inputSchema: schema, annotations: { readOnlyHint: true } },
    { name: 'drop', title: 'Drops orders.', inputSchema: schema },
    { name: 'add', inputSchema: schema, annotations: { destructiveHint: false } },
  ],
  prompts: [{ name: 'ask', description: 'Asks.' }],
}

interface Answer {
  readonly items: readonly Record<string, unknown>[]
  readonly about?: Record<string, unknown>
  readonly definition?: unknown
  readonly total: number
  readonly truncated: boolean
  readonly next_cursor: string | null
}

onBothEngines('MCP servers as agents read them', (makeDb) => {
  let it: TestService
  let server = ''

  const use = async (args: object): Promise<Answer> => {
    const answer = await callTool({
      tools,
      name: 'mcp_server.describe',
      args,
      call: it.call,
      seal,
      onFault: (fault) => it.faults.push(fault),
    })
    if ('isError' in answer) throw new Error(answer.content[0]?.text ?? '')
    return answer.structuredContent as Answer
  }
  const add = async (manifest: object): Promise<string> => {
    const body = { manifest: JSON.stringify(manifest), transport: 'stdio' as const }
    const { endpoint } = await it.call(mcpServersApi.import, { params: { tenant_slug: it.tenant }, body })
    return endpoint.id
  }

  beforeAll(async () => {
    it = await startService(await makeDb())
    server = await add(orders)
    await add({ name: 'mail', description: 'Mail.', tools: [{ name: 'send', inputSchema: schema }] })
  })
  afterAll(() => it.service.stop())

  test('a list by name, in pages, by words and by approval', async () => {
    const all = await use({})
    expect(all.items.map((one) => [one.name, one.tools, one.state, one.approved, one.transport])).toEqual([
      ['mail', 1, 'never-observed', false, 'stdio'],
      ['orders', 3, 'never-observed', false, 'stdio'],
    ])
    expect([all.total, all.truncated, all.next_cursor]).toEqual([2, false, null])
    const first = await use({ limit: 1 })
    expect([first.items.map((one) => one.name), first.total, first.truncated]).toEqual([['mail'], 2, true])
    const second = await use({ limit: 1, cursor: first.next_cursor })
    expect([second.items.map((one) => one.name), second.next_cursor]).toEqual([['orders'], null])
    expect((await use({ q: 'CUSTOMERS orders' })).items.map((one) => one.name)).toEqual(['orders'])
    expect((await use({ q: 'nothing' })).items).toEqual([])
  })

  test('what a server offers, with the hints as hosts read them', async () => {
    const { about, items, total } = await use({ server })
    expect([about?.server, about?.name, about?.tenant, total]).toEqual([server, 'orders', it.tenant, 4])
    expect(items).toEqual([
      { kind: 'tool', name: 'find', description: 'Finds orders.', read_only: true, destructive: false },
      { kind: 'tool', name: 'drop', description: 'Drops orders.', read_only: false, destructive: true },
      { kind: 'tool', name: 'add', description: '', read_only: false, destructive: false },
      { kind: 'prompt', name: 'ask', description: 'Asks.' },
    ])
    const page = await use({ server, limit: 3 })
    const rest = await use({ server, limit: 3, cursor: page.next_cursor })
    expect([page.items.length, rest.items.map((one) => one.name), rest.next_cursor]).toEqual([3, ['ask'], null])
    expect((await use({ server, q: 'finds' })).items.map((one) => one.name)).toEqual(['find'])
  })

  test('one tool as it was sent', async () => {
    expect((await use({ server, tool: 'find' })).definition).toEqual(orders.tools[0])
  })

  test('refusals name what is not there', async () => {
    expect(await use({ server: 'none' }).catch(String)).toContain('mcp-endpoint-not-found')
    expect(await use({ server, tool: 'none' }).catch(String)).toContain('mcp-surface-not-found')
  })
})
