import { PrimitiveSuggestions } from '../../src/api/primitive-impact-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { plural } from '../../src/plural.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'
import { applySuggestions, harmless, linkedText } from '../../cli/type/link.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Find schemas of a version that a registered type could replace',
  description:
    'equal: the schema and the type allow the same values. narrower: the type can be added to the schema without changing its values. wider: the type allows less than the schema. --apply writes the first two into a draft and keeps the format of the document.',
  examples: [
    'svc type suggest shop 1.4.0',
    'svc type suggest shop 1.5.0 --diff',
    'svc type suggest shop 1.5.0 --apply',
  ],
  arguments: versionArguments,
  options: {
    limit: { type: 'integer', placeholder: 'N', default: 50, min: 1, max: 200, summary: 'maximum number' },
    diff: { type: 'boolean', summary: 'show the changed lines of the document' },
    apply: { type: 'boolean', summary: 'write the references that change no values into the draft' },
  },
  dataSchema: PrimitiveSuggestions,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const slug = await tenant()
    const { project, version } = args
    const body = { project, version, limit: options.limit }
    const found = await call(primitivesApi.suggestions, { params: { tenant_slug: slug }, body })
    const draft = { tenant: slug, project, version }
    const linked = options.apply ? await applySuggestions(call, draft, harmless(found.suggestions), found.digest) : null
    const rows = found.suggestions.map((it) => [it.pointer, it.relation, it.primitive.ref])
    const { schemas, types } = found.considered
    const text = (): string => {
      if (linked !== null) return linkedText(linked)
      if (rows.length === 0)
        return `No type could replace a schema (${plural(schemas, 'schema')}, ${plural(types, 'type')}).\n`
      const diffs = options.diff ? found.suggestions.map(({ diff }) => `\n${diff.trimEnd()}\n`).join('') : ''
      const more = found.truncated ? 'There may be more: use --limit.\n' : ''
      return renderTable(['SCHEMA', 'RELATION', 'TYPE'], rows) + diffs + more
    }
    return { data: found, text }
  },
})
