import { expect, test } from 'bun:test'
import { importsApi } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService } from '../../fixtures/service.ts'

const content = 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n'
const rules = `rules:
  title-says-api:
    description: The title names the API.
    severity: error
    given: $.info.title
    then: { function: pattern, functionOptions: { match: API } }
`

// A guide begins with the recommended rules.
const codes = ['oas3-api-servers', 'info-contact', 'info-description', 'title-says-api']

onBothEngines('the style guide of an import', (makeDb) => {
  test('what is imported, alone or with others, is judged by the guide of the tenant', async () => {
    const it = await startService(await makeDb())
    const guides = '/v1/style-guides/local'
    const send = async (method: string, path: string, body?: string, type = 'application/json') => {
      const answer = await it.ask(guides + path, {
        method,
        ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
      })
      expect([path, answer.ok]).toEqual([path, true])
      return (await answer.json()) as { id: string }
    }
    const { id } = await send('POST', '', JSON.stringify({ name: 'Ours' }))
    await send('PUT', `/${id}/custom-rules`, JSON.stringify({ yaml: rules }))
    await send('PUT', `/${id}/default`)
    const run = async (body: Parameters<typeof it.call<typeof importsApi.create>>[1]['body']) => {
      const job = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
      return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    }
    const source = { kind: 'files' as const, files: [{ path: 'pets.yaml', content }] }
    const bulk = await run({ source, bulk: true, fail_on: 'error' })
    expect(bulk.items.map(({ status, findings }) => [status, findings.map(({ code }) => code)])).toEqual([
      ['blocked', codes],
    ])
    const alone = await run({ source: { kind: 'inline', name: 'pets.yaml', content } })
    expect([alone.status, alone.findings.map(({ code }) => code)]).toEqual(['completed', codes])
    await it.service.stop()
  })
})
