import type { Static } from '@sinclair/typebox'
import { PrimitiveSearchPage, primitiveScopes } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { specsApi } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List or search types',
  examples: [
    'svc type list',
    'svc type list money --scope core',
    'svc type list --namespace rfc7946 --json',
    'svc type list "where a customer lives" --semantic',
  ],
  arguments: [{ name: 'q', summary: 'a part of the name, namespace, reference, description, tags or $id' }],
  options: {
    scope: { type: 'string', placeholder: 'SCOPE', choices: primitiveScopes, summary: 'only types of this scope' },
    namespace: { type: 'string', placeholder: 'NAMESPACE', summary: 'only types of exactly this namespace' },
    category: { type: 'string', placeholder: 'CATEGORY', summary: 'only types of this category' },
    limit: { type: 'integer', placeholder: 'N', default: 100, min: 0, max: 100, summary: 'maximum number' },
    semantic: {
      type: 'boolean',
      summary: 'types whose meaning is close to Q, nearest first; the service needs an embedding provider',
    },
    cursor: { type: 'string', placeholder: 'CURSOR', summary: 'next_cursor of the previous page' },
  },
  async run({ args, options, connection }) {
    if (options.semantic) return semanticList(args.q, options, connection)
    const { call, tenant } = await connection()
    const { scope, namespace, category, limit, cursor } = options
    const query = {
      limit,
      ...(args.q === undefined ? {} : { q: args.q }),
      ...(scope === undefined ? {} : { scope }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(category === undefined ? {} : { category }),
      ...(cursor === undefined ? {} : { cursor }),
    }
    // With a limit the answer is a page.
    const page = (await call(primitivesApi.list, {
      params: { tenant_slug: await tenant() },
      query,
    })) as Static<typeof PrimitiveSearchPage>
    const rows = page.primitives.map((it) => [
      it.ref,
      it.scope,
      it.deprecated === null ? it.description : `(deprecated) ${it.description}`,
    ])
    const counts = Object.entries(page.counts)
      .map(([name, n]) => `${n} ${name}`)
      .join(', ')
    return {
      data: page,
      text: () =>
        `${rows.length === 0 ? 'No types.\n' : renderTable(['TYPE', 'SCOPE', 'DESCRIPTION'], rows)}${counts}\n${more(page.next_cursor)}`,
    }
  },
})

const more = (cursor: string | null): string => (cursor === null ? '' : `Next page: --cursor ${cursor}\n`)

async function semanticList(
  q: string | undefined,
  options: Readonly<Record<'scope' | 'namespace' | 'category' | 'cursor', string | undefined>> & {
    readonly limit: number
  },
  connection: Invocation['connection'],
) {
  const { scope, namespace, category, limit, cursor } = options
  const usage = (reason: string) => new SvcError('usage', { reason })
  if (q === undefined) throw usage('--semantic needs Q: what the types are about.')
  if (scope !== undefined || category !== undefined)
    throw usage('--scope and --category cannot be used with --semantic; --namespace can.')
  const { call } = await connection()
  const query = {
    q,
    mode: 'semantic' as const,
    limit: Math.max(1, limit),
    ...(namespace === undefined ? {} : { namespace }),
    ...(cursor === undefined ? {} : { cursor }),
  }
  const page = await call(specsApi.types, { query })
  const rows = page.items.map((it) => [it.type, String(it.similarity ?? ''), it.tenant ?? it.scope, it.description])
  const missing = page.not_indexed ?? 0
  const note = missing === 0 ? '' : `${plural(missing, 'type')} not indexed yet.\n`
  return {
    data: page,
    text: () =>
      (rows.length === 0 ? 'No types.\n' : renderTable(['TYPE', 'SIMILARITY', 'FROM', 'DESCRIPTION'], rows)) +
      note +
      more(page.next_cursor),
  }
}
