/** Which tools of a server take what others answer, over the API. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mcpServersApi } from '../../../src/api/mcp-servers.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const find = {
  name: 'find',
  inputSchema: object({ name: { type: 'string' } }),
  outputSchema: object({ id: { type: 'integer' } }),
}
const show = {
  name: 'show',
  inputSchema: object({ id: { type: 'integer' } }),
  outputSchema: object({ name: { type: ['string', 'null'] } }),
}
const ping = { name: 'ping', inputSchema: object({}) }

// Schemas that refer to each other in circles take all the steps that a pair may take.
const circles = (of: number, more: number) => {
  const at = (n: number) => ({ $ref: `#/$defs/n${n % of}` })
  const node = (n: number) => ({
    type: 'object',
    properties: {
      a: at(n * 3 + more),
      b: { oneOf: [at(n * 5 + 1), { type: 'array', items: at(n + 1) }] },
      c: { type: 'integer', maximum: n + more },
    },
  })
  return { ...at(0), $defs: Object.fromEntries(Array.from({ length: of }, (_, n) => [`n${n}`, node(n)])) }
}

onBothEngines('the chains of an MCP server', (makeDb) => {
  let it: PetsProject
  const params = (endpoint: string) => ({ tenant_slug: 'local', endpoint_id: endpoint })
  const register = async (name: string, tools: readonly object[]) => {
    const body = {
      manifest: JSON.stringify({ tools }),
      endpoint_url: `https://203.0.113.9/${name}`,
      transport: 'sse',
    }
    const { endpoint } = await it.call(mcpServersApi.import, { params: { tenant_slug: 'local' }, body })
    return endpoint
  }

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
  }, 60_000)
  afterAll(() => it.service.stop())

  test('are decided for each pair of its tools, with the value that does not fit', async () => {
    const { id, declared } = await register('shop', [find, show, ping])
    const chains = await it.call(mcpServersApi.chains, { params: params(id) })
    expect(chains).toMatchObject({
      endpoint_id: id,
      fingerprint: declared?.fingerprint,
      from: ['find', 'show'],
      to: ['find', 'show', 'ping'],
      silent: ['ping'],
      omitted: [],
      more: 0,
    })
    expect(chains.pairs.map(({ from, to, fits }) => [from, to, fits])).toEqual([
      ['find', 'show', true],
      ['find', 'ping', false],
      ['show', 'find', false],
      ['show', 'ping', false],
    ])
    expect(chains.pairs[2]).toEqual({
      from: 'show',
      to: 'find',
      fits: false,
      counterexample: { name: null },
      reason: '/name: must be string',
    })
  })

  test('are those of what was observed, unless another surface is asked for', async () => {
    const { id } = await register('seen', [find, show])
    const surface = JSON.stringify({ tools: [show, ping], resources: [], resourceTemplates: [], prompts: [] })
    await it.call(mcpServersApi.upload, { params: params(id), body: { by: 'ci', surface } })
    const fromAt = async (query: { at?: string }) =>
      (await it.call(mcpServersApi.chains, { params: params(id), query })).from
    expect(await fromAt({})).toEqual(['show'])
    expect(await fromAt({ at: 'declared' })).toEqual(['find', 'show'])
    const asked = it.call(mcpServersApi.chains, { params: params(id), query: { at: 'approved' } })
    expect(await outcome(asked)).toMatchObject({ code: 'mcp-surface-not-found', surface: 'approved' })
  })

  test('a matrix for which there is no time has what was decided, and says why the rest is not', async () => {
    const { service, call } = await openPetsProject(await makeDb(), {
      analysis: { processes: 1, deadlineMs: 4000, memoryMb: 600 },
    })
    try {
      const slow = Array.from({ length: 18 }, (_, n) => ({
        name: `slow${n}`,
        inputSchema: circles(60, n),
        outputSchema: circles(60, n + 40),
      }))
      const body = {
        manifest: JSON.stringify({ tools: [...slow, find, show] }),
        endpoint_url: 'https://203.0.113.9/slow',
        transport: 'sse',
      }
      const { endpoint } = await call(mcpServersApi.import, { params: { tenant_slug: 'local' }, body })
      const params = { tenant_slug: 'local', endpoint_id: endpoint.id }
      const { pairs, more } = await call(mcpServersApi.chains, { params })
      expect([pairs.length, more]).toEqual([20 * 19, 0])
      const small = pairs.filter(({ from, to }) => !`${from}${to}`.includes('slow'))
      expect(small.map(({ from, to, fits }) => [from, to, fits])).toEqual([
        ['find', 'show', true],
        ['show', 'find', false],
      ])
      const late = pairs.filter(({ fits, reason }) => fits === null && reason?.startsWith('the time for the matrix'))
      expect(late.length).toBeGreaterThan(100)
    } finally {
      await service.stop()
    }
  })
})
