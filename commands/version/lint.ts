import { lintApi } from '../../src/api/lint.ts'
import { command } from '../../cli/declare.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Print the lint report of a stored version',
  description:
    'Shows the stored report, made with the style guide of the project. "svc lint FILE" grades a file that is not stored.',
  examples: ['svc version lint petstore latest', 'svc version lint petstore 1.2.0 --json'],
  arguments: [
    { name: 'project', required: true, summary: 'id or slug' },
    { name: 'version', required: true, summary: 'id, label or slug, or "latest"' },
  ],
  options: {},
  envelope: 'findings',
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const { grade, guide, findings } = await call(lintApi.version, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
    })
    const { error, warning, info, hint } = grade.counts
    const lines = findings.map(
      (it) =>
        `${it.source}:${it.range.start.line + 1}:${it.range.start.character + 1} ${it.severity} ${it.code} ${it.message}\n`,
    )
    const mark = grade.grade === null ? 'Nothing to grade' : `Grade ${grade.grade}, ${grade.score} of 100`
    return {
      findings,
      summary: { grade: grade.grade, score: grade.score, counts: grade.counts, guide },
      text: () =>
        `${lines.join('')}${mark} by ${guide}: ${plural(error, 'error')}, ${plural(warning, 'warning')}, ${info} info, ${plural(hint, 'hint')}\n`,
    }
  },
})
