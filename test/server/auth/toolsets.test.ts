import { expect, test } from 'bun:test'
import { asAgent } from '../../../mcp/agent-call.ts'
import { callTool } from '../../../mcp/call-tool.ts'
import { cursorSeal } from '../../../mcp/cursor-seal.ts'
import { tools } from '../../../mcp/tools.gen.ts'
import { diffApi } from '../../../src/api/diff.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { lintApi } from '../../../src/api/lint.ts'
import { preflightApi } from '../../../src/api/preflight.ts'
import { mcpTools } from '../../../src/api/mcp-keys.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { restTools, toolsetNames, toolsets } from '../../../src/api/toolsets.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { addAgentKey, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'

const content = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1.0.0' }, paths: {} })
/** A question to every tool of the MCP server; some of the things that they name do not exist. */
const questions: Readonly<Record<(typeof mcpTools)[number], object>> = {
  ping: {},
  'project.list': {},
  'spec.list': {},
  'spec.describe': { spec: 'local/pets' },
  'spec.export': { spec: 'local/pets' },
  'spec.search': { q: 'pets' },
  'spec.search_semantic': { q: 'pets' },
  'type.list': {},
  'type.describe': { type: 'svc:core/Money' },
  'mcp_server.describe': { server: 'local/none' },
  'lint.check': { document: { text: content } },
  'diff.compare': { base: { text: content }, head: { text: content } },
  'schema.contains': { a: true, b: true },
  explain: { id: 'operation-description' },
}
const later = new Date(Date.now() + 3_600_000).toISOString()

onBothEngines('the toolsets of agent keys over REST', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const it = await startService(db)
    const params = { tenant_slug: it.tenant }
    const job = await it.call(importsApi.create, {
      params,
      body: { format: 'auto', source: { kind: 'inline', content } },
    })
    await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    const { tenantId } = await ensureLocalTenant(db, Date.now())
    return { ...it, db, params, tenantId }
  }

  test('each key reaches the operations that its tools name, and no others', async () => {
    const { db, service, params, tenantId } = await setUp()
    const version = { ...params, project_ref: 'pets', version_ref: '1.0.0' }
    const reached = async (tools: readonly string[]) => {
      const call = service.callWith(await addAgentKey(db, tenantId, { tools: [...tools], expiresAt: later }))
      const codeOf = async (work: Promise<unknown>) => ((await outcome(work)) as { code?: string }).code ?? 'answered'
      const inline = { kind: 'inline', content } as const
      return {
        'lint.catalog': await codeOf(call(lintApi.version, { params: version })),
        'lint.preflight': await codeOf(call(preflightApi.preflight, { params, body: { content } })),
        'diff.classified': await codeOf(
          call(diffApi.classified, {
            params,
            body: { base: { project: 'pets', version: '1.0.0' }, head: { inline: content } },
          }),
        ),
        'import.create': await codeOf(call(importsApi.create, { params, body: { format: 'auto', source: inline } })),
        'import and publish': await codeOf(
          call(importsApi.create, { params, body: { format: 'auto', source: inline, publish: 'public' } }),
        ),
        projects: await codeOf(call(projectsApi.create, { params, body: { name: 'Other' } })),
      }
    }
    const answers = Object.fromEntries(
      await Promise.all(toolsetNames.map(async (name) => [name, await reached(toolsets[name])] as const)),
    )
    const no = 'capability_disabled'
    expect(answers).toEqual({
      'catalog-read': {
        'lint.catalog': no,
        'lint.preflight': no,
        'diff.classified': no,
        'import.create': no,
        'import and publish': no,
        projects: 'scope-denied',
      },
      lint: {
        'lint.catalog': 'answered',
        'lint.preflight': 'answered',
        'diff.classified': no,
        'import.create': no,
        'import and publish': no,
        projects: 'scope-denied',
      },
      diff: {
        'lint.catalog': no,
        'lint.preflight': no,
        'diff.classified': 'answered',
        'import.create': no,
        'import and publish': no,
        projects: 'scope-denied',
      },
      design: {
        'lint.catalog': 'answered',
        'lint.preflight': 'answered',
        'diff.classified': 'answered',
        'import.create': 'answered',
        'import and publish': 'permission-denied',
        projects: 'scope-denied',
      },
    })
    await service.stop()
  })

  test('each key calls the tools of its toolset over MCP, and is refused every other one', async () => {
    const { db, service, tenantId } = await setUp()
    const seal = cursorSeal('a secret of the test')
    const onFault = (fault: unknown) => {
      throw fault
    }
    for (const toolset of toolsetNames) {
      const named: readonly string[] = toolsets[toolset]
      // A name that is neither a tool nor an operation would promise what nobody can call.
      expect(named.filter((name) => ![...mcpTools, ...restTools].includes(name as never))).toEqual([])
      const key = await addAgentKey(db, tenantId, { tools: [...named], expiresAt: later })
      const call = asAgent(service.callWith(key))
      const refused: string[] = []
      for (const [name, args] of Object.entries(questions)) {
        // A call that is not allowed is an error of the protocol; one that finds nothing is an answer.
        const answer = await outcome(callTool({ tools, name, args, call, seal, onFault }))
        const said = JSON.stringify(answer)
        expect([name, said.includes('arguments-invalid')]).toEqual([name, false])
        // What `outcome` makes of the refusal: the code of JSON-RPC for a tool that the key does not have.
        if (said.includes('-32003')) refused.push(name)
      }
      expect([toolset, refused.toSorted()]).toEqual([
        toolset,
        mcpTools.filter((name) => !named.includes(name)).toSorted(),
      ])
    }
    await service.stop()
  })

  test('a key with import.create follows its jobs, and another does not see them', async () => {
    const { db, service, params, tenantId } = await setUp()
    const callOf = async (tools: string[]) =>
      service.callWith(await addAgentKey(db, tenantId, { tools, expiresAt: later }))
    const call = await callOf(['import.create'])
    const source = { kind: 'inline', content: content.replace('1.0.0', '1.1.0') } as const
    const job = await call(importsApi.create, { params, body: { format: 'auto', source } })
    const ended = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    expect([ended.status, ended.progress.done === ended.progress.total]).toEqual(['completed', true])
    const other = await callOf(['diff.classified'])
    expect(await outcome(other(importsApi.get, { params: { job_id: job.job_id } }))).toMatchObject({
      code: 'capability_disabled',
    })
    await service.stop()
  })
})
