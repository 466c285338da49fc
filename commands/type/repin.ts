import { Repin } from '../../src/api/primitive-impact-shapes.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { renderTable } from '../../cli/table.ts'
import { versionArguments } from '../../cli/version/facts.ts'

const readTarget = (text: string): 'latest' | number => {
  if (text === 'latest') return text
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new SvcError('usage', { reason: `--to must be "latest" or a revision such as 3, not "${text}".` })
}

export default command({
  summary: 'Create a draft of a version with newer revisions of its types, and compare the two',
  examples: [
    'svc type repin shop 1.4.0',
    'svc type repin shop 1.4.0 --type core/Money --label 1.5.0',
    'svc type repin shop 1.4.0 --type acme/money/Price --to 3',
  ],
  arguments: versionArguments,
  options: {
    type: {
      type: 'string',
      placeholder: 'TYPE',
      multiple: true,
      summary: 'move this type only; may be repeated (default: all)',
    },
    to: { type: 'string', placeholder: 'REVISION', default: 'latest', summary: 'revision of the type, or latest' },
    label: { type: 'string', placeholder: 'LABEL', summary: 'label of the draft (default: the next patch version)' },
  },
  dataSchema: Repin,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const made = await call(primitivesApi.repin, {
      params,
      body: {
        to: readTarget(options.to),
        ...(options.type.length === 0 ? {} : { primitives: [...options.type] }),
        ...(options.label === undefined ? {} : { label: options.label }),
      },
    })
    const { version, moved, comparison } = made
    const rows = moved.map(({ ref, from, to, direct }) => [
      ref,
      from === null ? 'new' : `${from} to ${to}`,
      direct ? '' : 'through other types',
    ])
    const changes = comparison.changes.map((it) => [it.severity, it.operations[0] ?? '', it.message])
    const { breaking, non_breaking: compatible, docs_only: docs } = comparison.counts
    return {
      data: made,
      text: () =>
        `${renderTable(['TYPE', 'REVISION', ''], rows)}\n${renderTable(['SEVERITY', 'OPERATION', 'CHANGE'], changes)}` +
        `${breaking} breaking, ${compatible} non-breaking, ${docs} documentation only.\n` +
        `Created the draft ${version.project_slug}@${version.label}\n`,
    }
  },
})
