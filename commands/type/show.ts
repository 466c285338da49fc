import { ResolvedPrimitive } from '../../src/api/primitive-shapes.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts } from '../../cli/table.ts'
import { findType } from '../../cli/type/shared.ts'

export default command({
  summary: 'Show a type and its schema',
  examples: ['svc type show core/Money', 'svc type show acme/money/Money@2 --json'],
  arguments: [{ name: 'type', required: true, summary: 'reference, with @REVISION for an earlier one, or id' }],
  options: {},
  dataSchema: ResolvedPrimitive,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const found = { fragment: '', ...(await findType(call, await tenant(), args.type)) }
    const { primitive: it, revision, schema } = found
    const refs = it.refs.map(({ target, resolved }) => (resolved ? target : `${target} (cannot be resolved)`))
    return {
      data: found,
      text: () =>
        `${renderFacts([
          ['Type', it.ref],
          ['Scope', it.scope],
          ['About', it.description === '' ? null : it.description],
          ['Category', it.category],
          ['Tags', it.tags.length === 0 ? null : it.tags.join(', ')],
          ['Revision', revision === it.revision ? String(revision) : `${revision} of ${it.revision}`],
          ['Draft', it.draft],
          ['$id', it.schema_id],
          ['Refers to', refs.length === 0 ? null : refs.join(', ')],
          ['Deprecated', it.deprecated === null ? null : it.deprecated.message],
        ])}\n${JSON.stringify(schema, null, 2)}\n`,
    }
  },
})
