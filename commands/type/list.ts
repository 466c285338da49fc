import type { Static } from '@sinclair/typebox'
import { PrimitiveSearchPage, primitiveScopes } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List or search types',
  examples: ['svc type list', 'svc type list money --scope core', 'svc type list --namespace rfc7946 --json'],
  arguments: [{ name: 'q', summary: 'a part of the name, namespace, reference, description, tags or $id' }],
  options: {
    scope: { type: 'string', placeholder: 'SCOPE', choices: primitiveScopes, summary: 'only types of this scope' },
    namespace: { type: 'string', placeholder: 'NAMESPACE', summary: 'only types of exactly this namespace' },
    category: { type: 'string', placeholder: 'CATEGORY', summary: 'only types of this category' },
    limit: { type: 'integer', placeholder: 'N', default: 100, min: 0, max: 100, summary: 'maximum number' },
    cursor: { type: 'string', placeholder: 'CURSOR', summary: 'continue behind the previous page' },
  },
  dataSchema: PrimitiveSearchPage,
  async run({ args, options, connection }) {
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
    const more = page.next_cursor === null ? '' : `Next page: --cursor ${page.next_cursor}\n`
    return {
      data: page,
      text: () =>
        `${rows.length === 0 ? 'No types.\n' : renderTable(['TYPE', 'SCOPE', 'DESCRIPTION'], rows)}${counts}\n${more}`,
    }
  },
})
