import { PrimitiveUsage } from '../../src/api/primitive-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'
import { findType } from '../../cli/type/shared.ts'

export default command({
  summary: 'List the types and published versions that refer to a type',
  examples: ['svc type usage core/Money --depth 3'],
  arguments: [{ name: 'type', required: true, summary: 'reference or id' }],
  options: {
    depth: { type: 'integer', placeholder: 'N', default: 1, min: 1, max: 32, summary: 'through how many others' },
  },
  dataSchema: PrimitiveUsage,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { primitive } = await findType(call, slug, args.type)
    const params = { tenant_slug: slug, primitive_id: primitive.id }
    const usage = await call(primitivesApi.usage, { params, query: { depth: options.depth } })
    const rows = usage.primitives.map(({ ref, depth, pointers }) => [ref, String(depth), pointers.join(', ')])
    const published = usage.versions.map(({ project, version, revision }) => [project, version, String(revision)])
    return {
      data: usage,
      text: () =>
        (rows.length === 0 ? `No type refers to ${primitive.ref}.\n` : renderTable(['TYPE', 'DEPTH', 'PLACES'], rows)) +
        (published.length === 0 ? '' : `\n${renderTable(['PROJECT', 'VERSION', 'REVISION'], published)}`),
    }
  },
})
