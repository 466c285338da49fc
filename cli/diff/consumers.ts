/** `--consumers`: who uses what, from a file or as it is registered with a project. */
import { resolve } from 'node:path'
import { consumersApi } from '../../src/api/consumers.ts'
import type { Contract } from '../../src/contracts/contract.ts'
import { readConsumers, withConsumers, type Consumer } from '../../src/diff/consumers.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import type { ReportConsumer } from '../../src/report/report.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import type { Invocation } from '../declare.ts'
import { projectNames } from '../input/document-stored.ts'
import { readList } from './lists.ts'
import { isFile } from '../project-file/find.ts'

/** A consumer with what it declared to the service. */
interface Registered {
  readonly handle: string
  readonly name: string
  readonly contract: Contract
}

/** Who is asked about: a list of operations each, or what each declared. */
export type ConsumerSelection =
  | { readonly kind: 'listed'; readonly consumers: readonly Consumer[] }
  | { readonly kind: 'registered'; readonly consumers: readonly Registered[] }

type Around = Pick<Invocation, 'cwd' | 'connection'>

const pageSize = 200
const atOnce = 8

async function readRegistered(project: string, { connection }: Around): Promise<readonly Registered[]> {
  const { call, tenant } = await connection()
  const params = { tenant_slug: await tenant(), project_ref: project }
  const handles: string[] = []
  for (let offset = 0, total = 1; offset < total; offset += pageSize) {
    const page = await call(consumersApi.list, { params, query: { limit: pageSize, offset } })
    total = page.total
    handles.push(...page.consumers.filter((it) => it.contract !== null).map((it) => it.handle))
  }
  handles.sort()
  const found: Registered[] = []
  for (let from = 0; from < handles.length; from += atOnce) {
    const some = handles
      .slice(from, from + atOnce)
      .map((handle) => call(consumersApi.get, { params: { ...params, consumer_ref: handle } }))
    for (const { consumer, contract } of await Promise.all(some))
      if (contract !== null) found.push({ handle: consumer.handle, name: consumer.name, contract })
  }
  return found
}

/**
 * The consumers that are registered with a project.
 * @throws SvcError `project-not-found`, and what the service answers
 */
export const registeredWith = async (project: string, around: Around): Promise<ConsumerSelection> => ({
  kind: 'registered',
  consumers: await readRegistered(project, around),
})

/** Whether `--consumers` names a file with a list, and not a project. */
export const isList = async (name: string, cwd: string): Promise<boolean> =>
  /[\\/]|\.(?:json|ya?ml)$/i.test(name) || (await isFile(resolve(cwd, name)))

/**
 * Reads who is asked about: a file that lists them, or a project (id or slug) with which they are registered.
 * @throws SvcError `usage` for a file that is not such a list, or a project that is not there; and what the service answers
 */
export async function readAsked(name: string, around: Around): Promise<ConsumerSelection> {
  if (await isList(name, around.cwd)) {
    const consumers = await readList(name, around.cwd, 'list of consumers', readConsumers)
    return { kind: 'listed', consumers }
  }
  try {
    return await registeredWith(name, around)
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'project-not-found') throw error
    const near = suggest(name, await projectNames(around))
    const meant = near === null ? 'it takes a file or a project' : `did you mean ${near}?`
    throw new SvcError('usage', { reason: `--consumers ${name}: there is no such file and no such project; ${meant}` })
  }
}

/** A result that names the consumers its changes affect, and what a report says to each consumer. */
export async function askConsumers(
  { kind, consumers }: ConsumerSelection,
  result: DiffResult,
  base: Document,
  head: Document,
): Promise<{ readonly result: DiffResult; readonly consumers: readonly ReportConsumer[] }> {
  if (kind === 'listed')
    return {
      result: withConsumers(result, consumers),
      consumers: consumers.map(({ handle, name }) => ({ handle, name: name ?? handle, impact: null })),
    }
  const [{ impactOf }, { Specification }] = await Promise.all([
    import('../../src/contracts/impact.ts'),
    import('../../src/contracts/specification.ts'),
  ])
  const impact = impactOf(new Specification(base), new Specification(head), result.changes, consumers)
  return {
    result: {
      ...result,
      changes: result.changes.map((change, at) => ({ ...change, consumers: impact.touched.get(at) ?? [] })),
    },
    consumers: impact.consumers.map((it, at) => ({
      handle: it.handle,
      name: consumers[at]?.name ?? it.handle,
      impact: it,
    })),
  }
}
