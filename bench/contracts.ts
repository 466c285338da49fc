/** Consumer contracts over the service, in this process: what a caller waits for, against the guaranteed bounds. */
import { join } from 'node:path'
import { consumersApi } from '../src/api/consumers.ts'
import { diffApi } from '../src/api/diff.ts'
import { projectsApi } from '../src/api/projects.ts'
import { versionsApi } from '../src/api/versions.ts'
import { availableSurface, type AvailableOperation } from '../src/contracts/surface.ts'
import { Specification } from '../src/contracts/specification.ts'
import { parseDocument } from '../src/document/parse.ts'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { largeDocument } from './large-document.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const runs = 7

const time = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** An example that has the flat fields of an operation's answer. */
const example = ({ responses }: AvailableOperation): { status: number; body: object } => {
  const answer = responses.find((it) => it.status.startsWith('2')) ?? responses[0]
  const flat = (answer?.fields ?? []).filter((it) => /^(?:\[\]\.)?\w+$/.test(it.field)).slice(0, 20)
  const body = Object.fromEntries(flat.map((it) => [it.field.replace('[].', ''), 'x']))
  return { status: Number(answer?.status) || 200, body: flat[0]?.field.startsWith('[') ? [body] : body }
}

const pactOf = (operations: readonly AvailableOperation[], interactions: number) => ({
  consumer: { name: 'Bench' },
  interactions: Array.from({ length: interactions }, (_, i) => {
    const operation = operations[i % operations.length]!
    const path = operation.path.replaceAll(/\{[^}]*\}/g, '7')
    return { description: `${i}`, request: { method: operation.method, path }, response: example(operation) }
  }),
})

const uses = (operations: readonly AvailableOperation[], consumer: number) => ({
  operations: Array.from({ length: 10 }, (_, i) => {
    const operation = operations[(consumer * 7 + i * 13) % operations.length]!
    const [answer] = operation.responses
    return {
      method: operation.method,
      path: operation.path,
      request: operation.request.slice(0, 8).map((it) => it.field),
      ...(answer ? { responses: { [answer.status]: answer.fields.slice(0, 12).map((it) => it.field) } } : {}),
    }
  }),
})

/** Pact import, surface, impact and can-i-deploy on a document of several megabytes. */
export async function contracts(): Promise<readonly Measurement[]> {
  const text = await largeDocument()
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('contracts'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const call = service.callAs(local.ownerId)
  const tenant = { tenant_slug: local.slug }
  await call(projectsApi.create, { params: tenant, body: { name: 'Large', slug: 'large' } })
  const params = { ...tenant, project_ref: 'large' }
  const operations = availableSurface(new Specification(parseDocument(text, { source: '-' })), {
    limit: 5000,
    offset: 0,
  }).operations
  // Every name that ends so is gone in the second version.
  const changed = text.replaceAll('"full_name"', '"complete_name"')
  for (const [version, content] of [
    ['1.0.0', text],
    ['1.0.1', changed],
  ] as const) {
    const made = await call(versionsApi.create, { params, body: { label: version, content } })
    await call(versionsApi.publish, { params: { ...params, version_ref: made.id } })
  }
  const first = () => call(consumersApi.surface, { params, query: { version: '1.0.0' } })
  const pact = pactOf(operations, 1000)
  const importPact = () => call(consumersApi.importPact, { params, body: { pact, version: '1.0.0' } })
  await first()
  const surfaces: number[] = []
  const imports: number[] = []
  for (let run = 0; run < runs; run++) {
    surfaces.push(await time(first))
    imports.push(await time(importPact))
  }
  for (let i = 0; i < 1000; i++) {
    await call(consumersApi.create, { params, body: { name: `Consumer ${i}` } })
    const one = { ...params, consumer_ref: `consumer-${i}` }
    await call(consumersApi.declare, { params: one, query: { version: '1.0.0' }, body: uses(operations, i) })
  }
  const sides = { base: { project: 'large', version: '1.0.0' }, head: { project: 'large', version: '1.0.1' } }
  const impact = () => call(diffApi.classified, { params: tenant, body: { ...sides, consumers: true } })
  const deploy = () =>
    call(consumersApi.canIDeploy, { params: { ...params, consumer_ref: 'consumer-1' }, query: { version: '1.0.1' } })
  const cold = await time(impact)
  await deploy()
  const impacts: number[] = []
  const deploys: number[] = []
  for (let run = 0; run < runs; run++) {
    impacts.push(await time(impact))
    deploys.push(await time(deploy))
  }
  await service.stop()
  await db.close()
  const row = (name: string, ours: number, bound: number): Measurement => ({
    name,
    ours,
    reference: bound,
    referenceName: 'the bound',
    unit: 'ms',
    goal: `≤ ${bound} ms`,
  })
  console.log(`(comparing, judging and writing it for the first time: ${cold.toFixed(0)} ms)`)
  return [
    row('Pact of 1,000 interactions against 11.8 MB', median(imports), 1000),
    row('first page of the available surface of 11.8 MB', median(surfaces), 100),
    row('one diff with its impact on 1,000 consumers, warm', median(impacts), 200),
    row('can-i-deploy', median(deploys), 20),
  ]
}
