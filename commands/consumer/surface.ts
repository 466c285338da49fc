import { AvailableSurface } from '../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { projectArgument, versionOption } from '../../cli/consumer/shared.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Show what consumers can declare for a version: fields and parameters of each operation',
  examples: ['svc consumer surface petstore', 'svc consumer surface petstore --version 1.2.0 --limit 200 --json'],
  arguments: [projectArgument],
  options: {
    version: versionOption,
    limit: {
      type: 'integer',
      placeholder: 'N',
      default: 50,
      min: 1,
      max: 200,
      summary: 'maximum number of operations',
    },
    offset: { type: 'integer', placeholder: 'N', default: 0, min: 0, max: 10_000, summary: 'number of rows to skip' },
  },
  dataSchema: AvailableSurface,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const surface = await call(consumersApi.surface, {
      params: { tenant_slug: await tenant(), project_ref: args.project },
      query: {
        limit: options.limit,
        offset: options.offset,
        ...(options.version === undefined ? {} : { version: options.version }),
      },
    })
    const text = (): string => {
      const lines = [`${surface.version_label}: ${surface.operations.length} of ${plural(surface.total, 'operation')}`]
      for (const it of surface.operations) {
        lines.push('', `${it.method} ${it.path}${it.truncated ? '  (cut: more fields can be named)' : ''}`)
        for (const { name, in: place, type, required } of it.parameters)
          lines.push(`  ${place} ${name}: ${type}${required ? ', required' : ''}`)
        for (const { field, type, required } of it.request)
          lines.push(`  > ${field}: ${type}${required ? ', required' : ''}`)
        for (const { status, fields } of it.responses)
          lines.push(`  ${status}`, ...fields.map(({ field, type }) => `  < ${field}: ${type}`))
      }
      return `${lines.join('\n')}\n`
    }
    return { data: surface, text }
  },
})
