import { expect, test } from 'bun:test'
import { diffApi } from '../../../src/api/diff.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { lintApi } from '../../../src/api/lint.ts'
import { preflightApi } from '../../../src/api/preflight.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { toolsetNames, toolsets } from '../../../src/api/toolsets.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { addAgentKey, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'

const content = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1.0.0' }, paths: {} })
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
