import { styleGuidesApi } from '../../src/api/style-guides.ts'
import type { Output } from '../../src/api/endpoint.ts'
import { command } from '../../cli/declare.ts'
import { countOn, guideAddress, guideArgument } from '../../cli/style-guide/shared.ts'
import { renderTable } from '../../cli/table.ts'
import { plural } from '../../src/plural.ts'

type Row = Output<typeof styleGuidesApi.impact>['items'][number]

const graded = ({ grade, score }: Row['before']): string =>
  grade === null ? '-' : `${grade} ${Math.round(score ?? 0)}`

export default command({
  summary: 'Show how grades would change if a style guide applied to every project',
  description: 'Lints the newest version of each project, or every version, under the guide; nothing is stored.',
  examples: ['svc style-guide impact Strict', 'svc style-guide impact Strict --versions all'],
  arguments: [guideArgument],
  options: {
    versions: {
      type: 'string',
      placeholder: 'WHICH',
      choices: ['latest', 'all'],
      default: 'latest',
      summary: 'the newest version of each project, or every one',
    },
    all: { type: 'boolean', summary: 'also versions whose grade does not change' },
  },
  async run({ args, options, connection, io, signal }) {
    const { call, params } = await guideAddress(connection, args.guide)
    const rows: Row[] = []
    const all = options.versions === 'all'
    const count = countOn(io, all ? 'versions' : 'projects')
    for (let offset = 0, total = 1; offset < total && !signal.aborted; offset += 20) {
      const query = { offset, limit: 20, versions: options.versions }
      const page = await call(styleGuidesApi.impact, { params, query })
      rows.push(...page.items)
      ;({ total } = page)
      if (offset + 20 < total) await count.show(offset + 20, total)
    }
    await count.end()
    const shown = options.all ? rows : rows.filter((it) => it.changed)
    const changed = rows.filter((it) => it.changed).length
    return {
      data: shown,
      summary: { [all ? 'versions' : 'projects']: rows.length, changed },
      text: () =>
        (shown.length === 0
          ? ''
          : renderTable(
              ['PROJECT', 'VERSION', 'NOW', 'THEN'],
              shown.map((it) => [it.projectSlug, it.label, graded(it.before), graded(it.after)]),
            )) + `${changed} of ${plural(rows.length, all ? 'version' : 'project')} would change grade.\n`,
    }
  },
})
