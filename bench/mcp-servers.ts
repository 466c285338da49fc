/** The catalogue of MCP servers: imports of tool lists, and the comparison of a large surface with itself, one text changed. */
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { mcpServersApi } from '../src/api/mcp-servers.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

/** As many lists as Docker's catalogue has of the size of its median, and its largest one. */
const lists = 82
const toolsOfEach = 9
const largest = 302
const runs = 5

const toolOf = (server: number, n: number, text = '') => ({
  name: `server_${server}_tool_${n}`,
  description: `Does step ${n} of what server ${server} is for, with the options that its arguments name.${text}`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `argument_${at}`,
        { type: at % 2 === 0 ? 'string' : 'integer', description: `Argument ${at} of the tool.`, maxLength: 200 },
      ]),
    ),
    required: ['argument_0'],
  },
  annotations: { readOnlyHint: n % 2 === 0 },
})

const listOf = (server: number, tools: number, text = ''): string =>
  JSON.stringify({ tools: Array.from({ length: tools }, (_, n) => toolOf(server, n, n === 7 ? text : '')) })

/** Milliseconds of work. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Imports of many lists, and uploads of a large surface. */
export async function mcpServers(): Promise<readonly Measurement[]> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('mcp-servers'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const call = service.callAs(local.ownerId)
  const params = { tenant_slug: local.slug }
  const importing = (server: number, manifest: string) =>
    call(mcpServersApi.import, {
      params,
      body: { manifest, endpoint_url: `https://mcp-${server}.example.com/mcp`, transport: 'streamable_http' },
    })
  await importing(0, listOf(0, 1))
  const imported = await time(async () => {
    for (let server = 1; server <= lists; server++) await importing(server, listOf(server, toolsOfEach))
  })
  const { endpoint } = await importing(lists + 1, listOf(lists + 1, largest))
  const uploads: number[] = []
  for (let run = 0; run < runs; run++)
    uploads.push(
      await time(() =>
        call(mcpServersApi.upload, {
          params: { ...params, endpoint_id: endpoint.id },
          body: { surface: listOf(lists + 1, largest, ` Run ${run}.`) },
        }),
      ),
    )
  await service.stop()
  return [
    {
      name: `import ${lists} lists of ${toolsOfEach} tools`,
      ours: imported,
      reference: 2000,
      referenceName: 'bound',
      unit: 'ms',
      goal: 'at most 2 s',
    },
    {
      name: `observe ${largest} tools, one changed: read, compare, list facts, store`,
      ours: median(uploads),
      reference: 1000,
      referenceName: 'bound',
      unit: 'ms',
      goal: 'at most 1 s',
    },
  ]
}
