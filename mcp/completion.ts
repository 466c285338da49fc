import type { Call } from '../src/api/endpoint.ts'
import { specsApi } from '../src/api/specs.ts'
import { SvcError } from '../src/errors.ts'
import { given } from './page.ts'
import { parseSpec } from './spec-name.ts'

/** Values that one answer may hold (MCP, completion/complete). */
const most = 100

interface Asked {
  /** The argument of a prompt, or the variable of a resource template. */
  readonly name: string
  /** What is there so far. */
  readonly value: string
  /** Values of the other arguments. */
  readonly others: Readonly<Record<string, string>>
}

type Values = Promise<readonly string[]>

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

const completers: Readonly<Record<string, (asked: Asked, call: Call) => Values>> = {
  spec: async ({ value }, call) => {
    const [tenant = '', project = ''] = value.split('/')
    const { items } = await call(specsApi.list, {
      query: { limit: most, ...(value.includes('/') ? { tenant, ...(project && { q: project.slice(0, 200) }) } : {}) },
    })
    return items.map(({ spec }) => spec)
  },
  tenant: async (_, call) => {
    const { items } = await call(specsApi.projects, { query: { limit: 200 } })
    return distinct(items.map(({ project }) => project.split('/')[0] ?? ''))
  },
  project: async ({ others }, call) => {
    const { items } = await call(specsApi.projects, { query: { limit: 200, ...given({ tenant: others.tenant }) } })
    return distinct(items.map(({ project }) => project.split('/')[1] ?? ''))
  },
  version: async ({ others: { tenant, project } }, call) => {
    const { items } = await call(specsApi.list, { query: { limit: most, ...given({ tenant, project }) } })
    return ['latest', ...distinct(items.map(({ spec }) => spec.split('/').slice(2).join('/')))]
  },
  operation: async ({ value, others }, call) => {
    const spec = others.spec ?? `${others.tenant ?? ''}/${others.project ?? ''}/${others.version ?? 'latest'}`
    const q = value.slice(0, 200).trim()
    const { items } = await call(specsApi.operations, {
      params: parseSpec(spec),
      query: { limit: most, ...(q === '' ? {} : { q }) },
    })
    return items.map(({ ref, operation_id }) => (q !== '' && operation_id?.startsWith(q) ? operation_id : ref))
  },
  schema: async ({ others: { tenant = '', project = '', version = 'latest' } }, call) => {
    const { schema_names } = await call(specsApi.describe, { params: parseSpec(`${tenant}/${project}/${version}`) })
    return schema_names
  },
}

const nothing = { values: [], total: 0, hasMore: false }

/** Values that an argument may have, those that begin with what is there; of what cannot be known, none. */
export async function complete(
  asked: Asked,
  call: Call,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const completer = completers[asked.name]
  if (!completer) return nothing
  try {
    const begun = asked.value.toLowerCase()
    const found = (await completer(asked, call)).filter((value) => value.toLowerCase().includes(begun))
    // Those that begin with it come first; an operation is also found by a word in its middle.
    found.sort((a, b) => Number(b.toLowerCase().startsWith(begun)) - Number(a.toLowerCase().startsWith(begun)))
    return { values: found.slice(0, most), total: found.length, hasMore: found.length > most }
  } catch (error) {
    // A place that is not there (yet) has no values; a refused caller gets the error.
    if (error instanceof SvcError && error.status === 404) return nothing
    throw error
  }
}
